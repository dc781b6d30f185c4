/**
 * The client and everything that depends on it. This file loads while the window's page does: it needs most of this
 * process's code, and the window needs none of it.
 */
import { join } from 'node:path'
import { app, dialog, powerMonitor, session } from 'electron'
import { type Client, createClient } from '#client/client'
import { systemClock } from '#client/clock'
import type { EngineModule } from '#client/engine'
import { builtInMeetingList } from '#client/meeting/meeting-list'
import { loadEngine } from '#client/native-engine'
import { findRouter } from '#client/port-mapping/find-router'
import { firstListed } from '#client/proxy/listed-proxy'
import { readBuiltInServers } from '#client/settings/built-in-servers'
import type { SettingsStore } from '#client/settings/settings-store'
import { keepsRules, type ShareRules } from '#client/state/remembered-share'
import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { Handlers } from '#shared/ipc'
import { ok, type Result } from '#shared/result'
import type { Settings } from '#shared/settings/settings'
import type { ShareId } from '#shared/state/app-state'
import { createBroadcast } from './broadcast'
import { defaultFolder } from './default-folder'
import { Deferred } from './deferred'
import { Desktop } from './desktop/desktop'
import { startAtLogin } from './desktop/login-start'
import { createHandlers } from './handlers'
import type { JoinLinks } from './join-links'
import { setMenu } from './menu'
import type { OpenedFiles } from './opened-files'
import type { PageRequests } from './page-requests'
import { PastedImages } from './pasted-images'
import { closeBeforeQuit } from './quit'
import type { Report } from './report'
import { RunMarker } from './run-marker'
import { serveIpc } from './serve-ipc'
import type { Switches } from './switches'
import { TransferLogs } from './transfer-logs'
import { composeUpdates } from './update/compose-updates'
import {
  changeLanguage,
  isWindowSeen,
  type OpenedWindow,
  raiseWindow,
  sendToPage,
  showFatalError,
} from './window'
import type { WindowNotes } from './window-notes'

/** The state of the process before there is a client. */
export type Beginnings = {
  readonly switches: Switches
  /** The engine and the server named in the environment; `undefined` for none. */
  readonly addon: string | undefined
  readonly serverUrl: string | undefined
  readonly serverPassword: string | undefined
  readonly settings: SettingsStore
  readonly notes: WindowNotes
  readonly opened: OpenedWindow
  readonly isHidden: boolean
  /** The command that starts this app again. */
  readonly command: readonly string[]
  readonly requests: PageRequests
  readonly links: JoinLinks
  readonly openedFiles: OpenedFiles
  readonly report: Report
  readonly copyReport: () => void
  /** Handlers that work even if the app is broken. */
  readonly programHandlers: Pick<
    Handlers,
    'restart' | 'copyReport' | 'readNotices' | 'takeRequests'
  >
  readonly languageFor: (
    chosen: Settings['appearance']['language'],
  ) => Parameters<typeof changeLanguage>[0]
}

type Composed = { readonly client: Client; readonly engine: EngineModule }

function composeClient(beginnings: Beginnings): Result<Composed, AppError> {
  const { switches, settings } = beginnings
  const engine = loadEngine({
    override: beginnings.addon,
    bundle: __dirname,
    resources: process.resourcesPath,
  })
  if (!engine.ok) return engine
  const { userData, stunServers, turnServers, relayUse, name, localPort } = switches
  const client = createClient({
    engine: engine.value,
    downloads: switches.downloads ?? defaultFolder(app.getPath('downloads'), app.getPath('home')),
    serverUrl: switches.serverUrl ?? (beginnings.serverUrl || null),
    serverPassword: beginnings.serverPassword || undefined,
    builtInServers: readBuiltInServers(join(app.getAppPath(), 'resources/servers.json')),
    ...(switches.mayMeet && { meetingList: builtInMeetingList }),
    reachable: 'as-set',
    findRouter,
    keepsHistory: true,
    visibleOnNetwork: switches.visibleOnNetwork,
    receivesNearby: 'everyone',
    settings,
    systemProxy: async (url) => firstListed(await session.defaultSession.resolveProxy(url)),
    ice: { stun: stunServers, turn: turnServers },
    relayUse: relayUse ?? undefined,
    shareRules: shareRulesOf(switches),
    name: name ?? undefined,
    localPort: localPort ?? undefined,
    webPage: join(__dirname, '..', 'web'),
    // Each profile has its own state folder.
    stateDir: userData ?? undefined,
  })
  return client.ok ? ok({ client: client.value, engine: engine.value }) : client
}

/** True when a receive was accepted, by this side or another. */
const isAccepted = ({ type }: AppEvent): boolean =>
  type === 'receive-accepted' || type === 'receiver-accepted'

const endedShare = (event: AppEvent): ShareId | null =>
  event.type === 'share-stopped' || event.type === 'share-failed' || event.type === 'share-removed'
    ? event.share
    : null

const shareRulesOf = ({ relayUse, visibleOnNetwork, name }: Switches): ShareRules => ({
  ...(relayUse === null ? {} : { relayUse }),
  ...(visibleOnNetwork ? {} : { visible: false }),
  ...(name === null ? {} : { name }),
})

/** Resumes shares, and removes pasted images that no stored share needs. */
async function resumeShares(
  client: Client,
  images: PastedImages,
  wanted: boolean,
  own: ShareRules,
): Promise<void> {
  const needed: string[] = []
  if (wanted) {
    await client.resumeShares((share) => {
      needed.push(...share.items.map(({ path }) => path))
      return keepsRules(share, own)
    })
  }
  images.removeLeft(needed)
}

/** Shows the failure in the window, and offers a restart. */
async function startBroken(error: AppError, beginnings: Beginnings): Promise<void> {
  const { report, programHandlers, opened } = beginnings
  if (error.code !== 'E_INTERNAL') {
    const { what, remedy } = describeError(error)
    dialog.showErrorBox(what, [remedy, error.detail].join('\n\n'))
    app.exit(1)
    return
  }
  report.noteBug('engine', error.code)
  app.on('window-all-closed', () => app.quit())
  serveIpc(programHandlers)
  // The app's page will not load.
  opened.loaded.catch(() => undefined)
  await showFatalError(opened.window, 'engine')
}

/** Assembles the rest of the app, which the page requests once it is loaded. */
export async function compose(beginnings: Beginnings): Promise<void> {
  const { switches, notes, opened, isHidden, requests, report } = beginnings
  const composed = composeClient(beginnings)
  if (!composed.ok) {
    await startBroken(composed.error, beginnings)
    return
  }
  const { client, engine } = composed.value
  client.nearby.browse(true)
  const keepsShares = (): boolean => client.snapshot().state.settings.general.resumeShares
  const images = new PastedImages(join(app.getPath('userData'), 'temp'), () => Date.now())
  const deferred = new Deferred(systemClock)
  let isSuspending = false
  client.subscribe((batch) => {
    for (const { event } of batch) {
      // A suspended share stops, too, but its next run needs the image.
      const share = isSuspending ? null : endedShare(event)
      if (share !== null) images.removeOf(share)
    }
  })
  const updates = composeUpdates(client, switches, requests)
  closeBeforeQuit(app, {
    close: async () => {
      await deferred.flush()
      isSuspending = keepsShares()
      await client.close(isSuspending ? 'suspended' : 'stopped')
    },
    last: () => updates.installOnQuit(),
    endWithin: (milliseconds) => engine.endProcessWithin(milliseconds, 0),
  })
  const marker = new RunMarker(app.getPath('userData'))
  const hasCrashed = marker.begin()
  app.once('before-quit', () => marker.end())
  powerMonitor.on('resume', () => client.onWake())
  client.subscribe(createBroadcast((batch) => sendToPage('events', batch), isWindowSeen))
  /** A separate profile changes nothing outside of it. */
  const applyStartAtLogin = ({ general }: Settings): void => {
    if (switches.userData === null) {
      startAtLogin(app, general.startAtLogin, [...beginnings.command, '--hidden'])
    }
  }
  const logs = new TransferLogs()
  client.subscribe((batch) => {
    for (const { event } of batch) {
      logs.add(event)
      report.noteEvent(event)
      if (isAccepted(event) && !notes.hasTransferred) notes.note({ hasTransferred: true })
      if (event.type === 'settings-changed') {
        applyStartAtLogin(event.settings)
        const language = beginnings.languageFor(event.settings.appearance.language)
        void changeLanguage(language).then(relabel)
      }
    }
  })
  const handlers = createHandlers(client, beginnings.links, logs, images, deferred)
  serveIpc({ ...handlers, ...updates.handlers, ...beginnings.programHandlers })
  void resumeShares(client, images, keepsShares(), shareRulesOf(switches))
  const resources = join(app.getAppPath(), 'resources')
  const desktop = new Desktop({
    app,
    client,
    pauseShare: (share, paused) => void client.shares.get(share)?.pause(null, paused),
    pauseReceive: (receive, paused) => void client.receives.get(receive)?.pause(paused),
    notes,
    requests,
    window: opened.window,
    icons: join(resources, 'icons/tray'),
    shareFiles: () => void handlers.pickAndShare({ kind: 'files' }),
  })
  app.setAboutPanelOptions({
    applicationName: app.name,
    applicationVersion: app.getVersion(),
    iconPath: join(resources, 'icons/icon.png'),
  })
  const relabel = (): void => {
    desktop.relabel()
    setMenu(process.platform, {
      act: (id) => {
        raiseWindow()
        requests.push({ act: id })
      },
      quit: () => void desktop.requestQuit(),
      showLicenses: () => {
        raiseWindow()
        requests.push({ show: 'licenses' })
      },
      copyReport: beginnings.copyReport,
    })
  }
  relabel()
  applyStartAtLogin(client.snapshot().state.settings)
  powerMonitor.on('shutdown', () => app.quit())
  await opened.loaded
  if (isHidden) await desktop.settle(opened.window)
  if (hasCrashed) requests.push({ crashed: true })
  void updates.start()
  const share = async (paths: readonly string[]): Promise<void> => {
    const shared = await handlers.share({ paths: [...paths] })
    raiseWindow()
    requests.push(shared.ok ? { open: shared.value } : { notice: shared.error })
  }
  beginnings.openedFiles.shareWith((paths) => void share(paths))
}
