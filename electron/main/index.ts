/**
 * The desktop app put together: the only file that reads the command line and the environment, and
 * the only one that knows the client and the window at once.
 */
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { app, clipboard, dialog, nativeTheme, powerMonitor, type Session, session } from 'electron'
import { type Client, createClient } from '#client/client'
import { loadEngine } from '#client/native-engine'
import { readBuiltInServers } from '#client/settings/built-in-servers'
import { configName, configPath } from '#client/settings/config-path'
import { SettingsFile } from '#client/settings/settings-file'
import { SettingsStore } from '#client/settings/settings-store'
import type { ShareId } from '#shared/app-state'
import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { Handlers } from '#shared/ipc'
import { ok, type Result } from '#shared/result'
import type { Settings } from '#shared/settings'
import { registerAppScheme, serveAppScheme } from './app-scheme'
import { createBroadcast } from './broadcast'
import { Desktop } from './desktop/desktop'
import { registerLinks } from './desktop/link-handler'
import { startAtLogin, wasStartedAtLogin } from './desktop/login-start'
import { createHandlers } from './handlers'
import { JoinLinks, ownLinks } from './join-links'
import { wantedLanguage } from './language'
import { setMenu } from './menu'
import { OpenedFiles, ownFiles } from './opened-files'
import { PageRequests } from './page-requests'
import { PastedImages } from './pasted-images'
import { closeBeforeQuit } from './quit'
import { Report } from './report'
import { RunMarker } from './run-marker'
import { denyByDefault, denyPermissions } from './security'
import { serveIpc } from './serve-ipc'
import { readSwitches } from './switches'
import { loadText } from './text'
import { TransferLogs } from './transfer-logs'
import { restartArguments, watchTrouble } from './trouble'
import { changeLanguage, openWindow, raiseWindow, sendToPage, type WindowFiles } from './window'
import { WindowNotes } from './window-notes'

const switches = readSwitches(process.argv)
if (switches.userData !== null) app.setPath('userData', switches.userData)
registerAppScheme()
denyByDefault(app)

const requests = new PageRequests(() => {
  sendToPage('request')
})
const report = new Report(() => Date.now())
watchTrouble(app, report)

function composeClient(): Result<Client, AppError> {
  const engine = loadEngine({
    override: process.env['THRU_ADDON'],
    bundle: __dirname,
    resources: process.resourcesPath,
  })
  if (!engine.ok) return engine
  const { userData } = switches
  // Each profile has a file of its own.
  const settings = new SettingsStore(
    new SettingsFile(userData === null ? configPath() : join(userData, configName)),
  )
  settings.watch()
  const { stunServers, turnServers, relayOnly, name, localPort, visibleOnNetwork } = switches
  return createClient({
    engine: engine.value,
    downloads: switches.downloads ?? app.getPath('downloads'),
    serverUrl: switches.serverUrl ?? (process.env['THRU_SERVER_URL'] || null),
    builtInServers: readBuiltInServers(join(app.getAppPath(), 'resources/servers.json')),
    reachable: 'as-set',
    keepsHistory: true,
    ...(visibleOnNetwork ? {} : { visibleOnNetwork }),
    settings,
    ice: { stun: stunServers, turn: turnServers, relayOnly },
    ...(name === null ? {} : { name }),
    ...(localPort === null ? {} : { localPort }),
    // Each profile has a state folder of its own.
    ...(userData === null ? {} : { stateDir: userData }),
  })
}

const languageFor = (chosen: Settings['appearance']['language']) =>
  wantedLanguage({
    asked: switches.language,
    chosen,
    preferred: app.getPreferredSystemLanguages(),
  })

/** A profile of its own changes nothing outside of it. */
function applyStartAtLogin({ general }: Settings): void {
  if (switches.userData === null) {
    startAtLogin(app, general.startAtLogin, [...startCommand(), '--hidden'])
  }
}

/** Somebody has begun to receive, here or there. */
const isAccepted = ({ type }: AppEvent): boolean =>
  type === 'receive-accepted' || type === 'receiver-accepted'

/** The share that an event ends; `null` for most. */
const endedShare = (event: AppEvent): ShareId | null =>
  event.type === 'share-stopped' || event.type === 'share-failed' || event.type === 'share-removed'
    ? event.share
    : null

/** Images of shares that are still remembered stay; the others were left by a crash. */
async function resumeShares(client: Client, images: PastedImages, wanted: boolean): Promise<void> {
  const needed: string[] = []
  if (wanted) {
    await client.resumeShares(({ items }) => {
      needed.push(...items.flatMap((item) => (item.kind === 'path' ? [item.path] : [])))
      return true
    })
  }
  images.removeLeft(needed)
}

/** The window without what makes it work: it says why, and offers to start again. */
async function startBroken(error: AppError): Promise<void> {
  if (error.code !== 'E_INTERNAL') {
    const { what, remedy } = describeError(error)
    dialog.showErrorBox(what, [remedy, error.detail].join('\n\n'))
    app.exit(1)
    return
  }
  report.noteBug('engine', error.code)
  app.on('window-all-closed', () => {
    app.quit()
  })
  serveIpc(programHandlers)
  await openWindow(preparePage(), pageFiles(), { trouble: 'engine' })
}

async function start(): Promise<void> {
  await loadText(languageFor('system'))
  const composed = composeClient()
  if (!composed.ok) {
    await startBroken(composed.error)
    return
  }
  const client = composed.value
  await loadText(languageFor(client.snapshot().state.settings.appearance.language))
  const keepsShares = (): boolean => client.snapshot().state.settings.general.resumeShares
  const images = new PastedImages(join(app.getPath('userData'), 'temp'), () => Date.now())
  let isSuspending = false
  client.subscribe((batch) => {
    for (const { event } of batch) {
      // A share that is suspended stops, too, and its next run needs the image.
      const share = isSuspending ? null : endedShare(event)
      if (share !== null) images.removeOf(share)
    }
  })
  closeBeforeQuit(app, () => {
    isSuspending = keepsShares()
    return client.close(isSuspending ? 'suspended' : 'stopped')
  })
  const marker = new RunMarker(app.getPath('userData'))
  const hasCrashed = marker.begin()
  app.once('before-quit', () => {
    marker.end()
  })
  followTheme(client)
  powerMonitor.on('resume', () => client.noticeWake())
  client.subscribe(
    createBroadcast((batch) => {
      sendToPage('events', batch)
    }),
  )
  const logs = new TransferLogs()
  const notes = new WindowNotes(app.getPath('userData'))
  client.subscribe((batch) => {
    for (const { event } of batch) {
      logs.add(event)
      report.noteEvent(event)
      if (isAccepted(event) && !notes.hasTransferred) notes.note({ hasTransferred: true })
      if (event.type === 'settings-changed') {
        applyStartAtLogin(event.settings)
        void changeLanguage(languageFor(event.settings.appearance.language)).then(relabel)
      }
    }
  })
  const handlers = createHandlers(client, links, logs, images)
  void resumeShares(client, images, keepsShares())
  serveIpc({ ...handlers, ...programHandlers })
  const resources = join(app.getAppPath(), 'resources')
  const desktop = new Desktop({
    app,
    client,
    notes,
    requests,
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
      copyReport,
    })
  }
  relabel()
  applyStartAtLogin(client.snapshot().state.settings)
  powerMonitor.on('shutdown', () => {
    app.quit()
  })
  const isHidden = switches.isHidden || wasStartedAtLogin(app)
  const window = await openWindow(preparePage(), pageFiles(), { notes, isHidden })
  if (isHidden) await desktop.settle(window)
  if (hasCrashed) requests.push({ crashed: true })
  openedFiles.shareWith((paths) => {
    void handlers.share({ paths: [...paths] }).then((opened) => {
      raiseWindow()
      requests.push(opened.ok ? { open: opened.value } : { notice: opened.error })
    })
  })
}

/** The system's part of a window, and what the page takes for the system's theme, are as set. */
function followTheme(client: Client): void {
  const apply = (): void => {
    nativeTheme.themeSource = client.snapshot().state.settings.appearance.theme
  }
  apply()
  client.subscribe((batch) => {
    if (batch.some(({ event }) => event.type === 'settings-changed')) apply()
  })
}

function copyReport(): void {
  const { electron, chrome, node } = process.versions
  void clipboard.writeText(report.text({ app: app.getVersion(), electron, chrome, node }))
}

/** Kept in memory only: the page stores nothing. */
function preparePage(): Session {
  const pageSession = session.fromPartition('thruflux')
  denyPermissions(pageSession)
  serveAppScheme(pageSession, join(__dirname, '../renderer'))
  return pageSession
}

const pageFiles = (): WindowFiles => ({
  preload: join(__dirname, 'preload.cjs'),
  icon: join(app.getAppPath(), 'resources/icons/icon.png'),
})

/** What can be asked for whatever is broken. */
const programHandlers: Pick<Handlers, 'restart' | 'copyReport' | 'takeRequests'> = {
  restart: () => {
    app.relaunch({ args: restartArguments(process.argv, !app.isPackaged) })
    app.quit()
    return Promise.resolve(ok(null))
  },
  takeRequests: () => Promise.resolve(ok(requests.take())),
  copyReport: () => {
    copyReport()
    return Promise.resolve(ok(null))
  },
}

/** How this app is started again, without what was only said this time. */
function startCommand(): readonly string[] {
  const program = process.env['APPIMAGE'] ?? process.execPath
  if (app.isPackaged) return [program]
  const asRoot = app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : []
  return [program, ...asRoot, app.getAppPath()]
}

const openedFiles = new OpenedFiles()

const links = new JoinLinks(
  () => {
    sendToPage('link')
  },
  () => performance.now(),
)
if (ownLinks(app, process.argv, links, raiseWindow)) {
  if (app.isPackaged || switches.registerLinks) registerLinks(app, startCommand())
  const first = { argv: process.argv, directory: process.cwd(), isDevelopment: !app.isPackaged }
  ownFiles(app, first, openedFiles, (error) => {
    requests.push({ notice: error })
  })
  void app.whenReady().then(start)
} else {
  app.exit(0)
}
