/**
 * The app with a script instead of the client: real window, real preload, real IPC, real reducer. Tests play events to
 * it and can so reach every screen, including those that a network rarely shows. Bundled by the tests only; no package
 * contains it.
 */
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { app, BrowserWindow, session } from 'electron'
import { StateLog } from '#client/state/state-log'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import type { CommandName, Handlers, PageRequest } from '#shared/ipc'
import { isLanguage, type Language } from '#shared/language'
import { err, ok } from '#shared/result'
import type { ServerCheck } from '#shared/settings/server-check'
import type { FixedServers } from '#shared/settings/server-choice'
import { decodeSettings, patchDocument, type ServerProfile } from '#shared/settings/settings'
import { withoutPasswords } from '#shared/settings/settings-secrets'
import { emptyState, type ReceiveId, type ShareId } from '#shared/state/app-state'
import type { CheckPart, Finding } from '#shared/state/network-check'
import type { WindowDraft } from '#shared/window-draft'
import { registerAppScheme, serveAppScheme } from '../../electron/main/app-scheme'
import { createBroadcast } from '../../electron/main/broadcast'
import { Deferred } from '../../electron/main/deferred'
import { Desktop } from '../../electron/main/desktop/desktop'
import { watchFatalErrors } from '../../electron/main/fatal-errors'
import { JoinLinks, ownLinks } from '../../electron/main/join-links'
import { setMenu } from '../../electron/main/menu'
import { OpenedFiles, ownFiles } from '../../electron/main/opened-files'
import { PageRequests } from '../../electron/main/page-requests'
import { denyByDefault, denyPermissions } from '../../electron/main/security'
import { serveIpc } from '../../electron/main/serve-ipc'
import { readSwitches } from '../../electron/main/switches'
import { loadText } from '../../electron/main/text'
import {
  changeLanguage,
  type OpenedWindow,
  openWindow,
  raiseWindow,
  sendToPage,
} from '../../electron/main/window'
import { WindowNotes } from '../../electron/main/window-notes'
import { filePage } from './scenes/file-answers'
import { HistoryAnswers } from './scenes/history-answers'
import { listing, preflight } from './scenes/offer-answers'
import { someNews } from './scenes/update-scenes'

export type InvitationMessage = { readonly name: CommandName; readonly arg: unknown }

const downloads = '/home/sora/Downloads/Thruflux'

const readyServer: ServerCheck = { server: 'ready', detail: '', proxy: null, stun: [] }

/** The interface for tests through `app.evaluate`. */
class Stage {
  #log = new StateLog(emptyState(downloads))
  readonly #listeners = new Set<() => void>()
  calls: InvitationMessage[] = []
  /** The result of a check of a server. */
  check = readyServer
  readonly #found = new Map<CheckPart, readonly Finding[]>()
  readonly #awaited = new Map<CheckPart, (findings: readonly Finding[]) => void>()
  /** The built-in servers after the next `reset`. */
  builtIn: readonly ServerProfile[] = []
  /** True if the copy knows public meeting points after the next `reset`. */
  canMeet = false
  /** The error of the next command. */
  refusal: AppError | null = null
  history = new HistoryAnswers()
  draft: WindowDraft | null = null
  /** True from `reset` until the new page requests its draft: drafts of the old page are ignored. */
  isLoadingAgain = false
  /** Nameplates that the page had prepared. */
  prepared: string[] = []
  /** True while an item of a stopped share still exists. */
  canShareAgain = true
  /** Waits for `flush` instead of a time. */
  readonly deferred = new Deferred({ after: () => () => undefined })
  /** Opens another window like a start of the app. */
  openWindow: (() => OpenedWindow) | null = null

  constructor() {
    this.#listen()
  }

  /** Sets the findings for one part of the network check, whether it is running or starts next. */
  find(part: CheckPart, findings: readonly Finding[]): void {
    const take = this.#awaited.get(part)
    this.#awaited.delete(part)
    if (take === undefined) this.#found.set(part, findings)
    else take(findings)
  }

  /** Resolves once `find` has set them. */
  findings(part: CheckPart): Promise<readonly Finding[]> {
    const found = this.#found.get(part)
    this.#found.delete(part)
    if (found !== undefined) return Promise.resolve(found)
    return new Promise((resolve) => this.#awaited.set(part, resolve))
  }

  /** Restores the properties that `reset` keeps. */
  restore(): void {
    this.check = readyServer
    this.builtIn = []
    this.refusal = null
    this.canShareAgain = true
    this.canMeet = false
    this.#found.clear()
    this.forgetLinks()
  }

  /** Resets the rate limit of links. */
  forgetLinks(): void {
    links = newLinks()
  }

  request(request: PageRequest): void {
    requests.push(request)
  }

  get log(): StateLog {
    return this.#log
  }

  /** Like `Client.subscribe`, but survives `reset`. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Also reloads the window's page. */
  speak(chosen: Language): Promise<void> {
    return changeLanguage(chosen)
  }

  play(events: readonly AppEvent[]): void {
    for (const event of events) this.#log.record(event)
  }

  /** Restarts the state with these events. */
  async reset(events: readonly AppEvent[] = []): Promise<void> {
    const fixedServers: FixedServers = {
      given: null,
      builtIn: this.builtIn,
      ...(this.canMeet && { canMeet: true }),
    }
    this.#log = new StateLog({ ...emptyState(downloads), fixedServers })
    this.play(events)
    this.#listen()
    for (const listener of this.#listeners) listener()
    await this.deferred.flush()
    this.calls = []
    this.history = new HistoryAnswers()
    this.draft = null
    this.isLoadingAgain = true
    this.prepared = []
    for (const window of BrowserWindow.getAllWindows()) {
      const loaded = new Promise<void>((resolve) => {
        window.webContents.once('did-finish-load', () => resolve())
      })
      window.webContents.reload()
      await loaded
    }
  }

  #listen(): void {
    const broadcast = createBroadcast((batch) => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send('events', batch)
    })
    this.#log.subscribe(broadcast)
    this.#log.subscribe(() => {
      for (const listener of this.#listeners) listener()
    })
  }
}

declare global {
  var stage: Stage
}

globalThis.stage = new Stage()

/** A text of realistic length: a window shows only a part of it. */
const notices = [
  'Thruflux is under the MIT License. It includes third-party software.',
  ...Array.from({ length: 400 }, (_, nth) => `a-package-${nth} 1.0.0: MIT`),
].join('\n')

const answer =
  <T>(name: CommandName, value: T) =>
  (arg: unknown) => {
    stage.calls.push({ name, arg })
    const { refusal } = stage
    stage.refusal = null
    return refusal === null ? ok(value) : err(refusal)
  }

const handlers: Handlers = {
  snapshot: () => ok(stage.log.snapshot()),
  share: answer('share', 'share-1' as ShareId),
  pickAndShare: answer('pickAndShare', null),
  shareText: answer('shareText', 'share-1' as ShareId),
  shareImage: ({ png }) => answer('shareImage', 'share-1' as ShareId)({ bytes: png.length }),
  add: answer('add', null),
  pickAndAdd: answer('pickAndAdd', null),
  addText: answer('addText', null),
  removeItem: answer('removeItem', null),
  setMaxReceivers: answer('setMaxReceivers', null),
  watchShare: answer('watchShare', null),
  changeCode: answer('changeCode', null),
  renewCode: answer('renewCode', null),
  request: answer('request', 'share-1' as ShareId),
  pickAndAnswer: answer('pickAndAnswer', 'share-1' as ShareId),
  canShareAgain: () => ok(stage.canShareAgain),
  shareAgain: answer('shareAgain', 'share-2' as ShareId),
  defer: (request) => {
    stage.calls.push({ name: 'defer', arg: request })
    return stage.deferred.defer({ run: () => ok(null) })
  },
  undo: (arg) => {
    stage.deferred.undo()
    return answer('undo', null)(arg)
  },
  disconnectReceiver: answer('disconnectReceiver', null),
  approveReceiver: answer('approveReceiver', null),
  pauseShare: answer('pauseShare', null),
  pauseReceive: answer('pauseReceive', null),
  setLimits: answer('setLimits', null),
  changeSettings: (patch) => {
    const reply = answer('changeSettings', null)(patch)
    const { settings } = decodeSettings(patchDocument(stage.log.state.settings, patch))
    stage.play([
      { type: 'settings-changed', atMs: Date.now(), settings: withoutPasswords(settings) },
    ])
    return reply
  },
  checkNetwork: async ({ part }) => answer('checkNetwork', await stage.findings(part))({ part }),
  checkServer: (profile) => answer('checkServer', stage.check)(profile),
  pickReceivingFolder: answer('pickReceivingFolder', '/media/sora/Projects'),
  exportSettings: answer('exportSettings', { name: 'thruflux-settings.toml', withheld: 1 }),
  pickSettings: answer('pickSettings', {
    name: 'studio.toml',
    changes: [
      { key: 'receiving.conflicts', from: '"update-unchanged"', to: '"skip"' },
      { key: 'sharing.exclude', from: '[]', to: '["node_modules","*.tmp"]' },
    ],
    refused: [{ key: 'receiving.verify', reason: 'receiving.verify must be `true` or `false`.' }],
    unknown: 2,
  }),
  importSettings: answer('importSettings', null),
  // The field sends it, so it doesn't count as a person's call.
  prepareJoin: ({ nameplate }) => {
    stage.prepared.push(nameplate)
    return ok(null)
  },
  join: answer('join', 'receive-1' as ReceiveId),
  takeLink: () => links.take(),
  resume: answer('resume', 'receive-1' as ReceiveId),
  // The preview sends these, so they don't count as a person's calls.
  listOffer: (asked) => ok(listing(stage.log.state, asked)),
  preflight: (asked) => ok(preflight(stage.log.state, asked)),
  accept: answer('accept', null),
  select: answer('select', null),
  prioritize: answer('prioritize', null),
  // The list sends it, so it doesn't count as a person's call.
  listFiles: ({ side, query }) => ok(filePage(side, query)),
  cancel: answer('cancel', null),
  pickDirectory: answer('pickDirectory', '/media/sora/Projects/Kyoto'),
  showFolder: answer('showFolder', null),
  viewReceived: answer('viewReceived', null),
  dragReceived: answer('dragReceived', null),
  deletePartial: answer('deletePartial', { files: 12, bytes: 38.4e9 }),
  // The screen sends these, so they don't count as a person's calls.
  listHistory: (query) => ok(stage.history.list(query)),
  missingHistory: ({ ids }) => ok(stage.history.missing(ids)),
  sendAgain: answer('sendAgain', 'share-1' as ShareId),
  showHistory: answer('showHistory', null),
  invite: answer('invite', null),
  compareNumber: answer('compareNumber', null),
  answerNearby: answer('answerNearby', null),
  requestContact: answer('requestContact', null),
  renameContact: answer('renameContact', null),
  setContactGroups: answer('setContactGroups', null),
  removeContact: answer('removeContact', null),
  pickAutoAccept: answer('pickAutoAccept', '/media/sora/From Mina'),
  stopAutoAccept: answer('stopAutoAccept', null),
  acceptInvitation: answer('acceptInvitation', 'receive-2' as ReceiveId),
  declineInvitation: answer('declineInvitation', null),
  dismiss: answer('dismiss', null),
  copyLog: answer('copyLog', null),
  // The page sends these, so they don't count as a person's calls.
  keepDraft: (draft) => {
    if (!stage.isLoadingAgain) stage.draft = draft
    return ok(null)
  },
  draft: () => {
    stage.isLoadingAgain = false
    return ok(stage.draft)
  },
  showStorage: answer('showStorage', null),
  takeRequests: () => ok(requests.take()),
  restart: answer('restart', null),
  checkForUpdate: answer('checkForUpdate', null),
  installUpdate: answer('installUpdate', null),
  news: answer('news', someNews),
  copyReport: answer('copyReport', null),
  readNotices: answer('readNotices', notices),
  copyText: answer('copyText', null),
  openLink: answer('openLink', null),
  saveText: answer('saveText', null),
}

const newLinks = (): JoinLinks =>
  new JoinLinks(
    () => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send('link')
    },
    () => performance.now(),
  )

const requests = new PageRequests(() => sendToPage('request'))

let links = newLinks()

const { userData, language } = readSwitches(process.argv)
if (userData !== null) app.setPath('userData', userData)
registerAppScheme()
denyByDefault(app)
const openedFiles = new OpenedFiles()

if (ownLinks(app, process.argv, { offer: (link) => links.offer(link) }, raiseWindow)) {
  const start = { argv: process.argv, directory: process.cwd(), isDevelopment: true }
  ownFiles(app, start, openedFiles, (error) => requests.push({ notice: error }))
  watchFatalErrors(app, { noteBug: () => undefined })
  void app.whenReady().then(startStage)
} else app.exit(0)

async function startStage(): Promise<void> {
  await loadText(language !== null && isLanguage(language) ? language : 'en')
  const out = join(__dirname, '..')
  const pageSession = session.fromPartition('thruflux')
  denyPermissions(pageSession)
  serveAppScheme(pageSession, join(out, 'renderer'))
  serveIpc(handlers)
  const notes = new WindowNotes(app.getPath('userData'))
  notes.note({ hasTransferred: true })
  const files = { preload: join(out, 'electron/preload.cjs'), icon: '' }
  stage.openWindow = () => openWindow(pageSession, files)
  const { window, loaded } = openWindow(pageSession, files, { notes })
  const desktop = new Desktop({
    app,
    client: {
      snapshot: () => stage.log.snapshot(),
      subscribe: (listener) => stage.subscribe(() => listener([])),
    },
    pauseShare: (share, paused) => {
      stage.calls.push({ name: 'pauseShare', arg: { share, peer: null, paused } })
    },
    pauseReceive: (receive, paused) => {
      stage.calls.push({ name: 'pauseReceive', arg: { receive, paused } })
    },
    notes,
    requests,
    window,
    icons: join(out, '../resources/icons/tray'),
    shareFiles: () => void handlers.pickAndShare({ kind: 'files' }),
  })
  setMenu(process.platform, {
    act: (id) => requests.push({ act: id }),
    quit: () => void desktop.requestQuit(),
    showLicenses: () => requests.push({ show: 'licenses' }),
    copyReport: () => undefined,
  })
  await loaded
  openedFiles.shareWith((paths) => {
    stage.calls.push({ name: 'share', arg: { paths } })
  })
}

app.on('window-all-closed', () => app.quit())
