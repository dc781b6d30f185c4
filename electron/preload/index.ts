/**
 * The only connection between the page and the main process. It is one file because of the sandbox, so it imports only
 * types from the table of commands. A missing name does not compile. The page sees the result as `Api<File>`.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { CommandName, NumberedEvent } from '#shared/ipc'

const names: { readonly [K in CommandName]: true } = {
  snapshot: true,
  share: true,
  pickAndShare: true,
  shareText: true,
  shareImage: true,
  add: true,
  pickAndAdd: true,
  addText: true,
  removeItem: true,
  setMaxReceivers: true,
  watchShare: true,
  changeCode: true,
  renewCode: true,
  request: true,
  pickAndAnswer: true,
  canShareAgain: true,
  shareAgain: true,
  defer: true,
  undo: true,
  disconnectReceiver: true,
  approveReceiver: true,
  pauseShare: true,
  pauseReceive: true,
  setLimits: true,
  changeSettings: true,
  checkServer: true,
  checkNetwork: true,
  pickReceivingFolder: true,
  exportSettings: true,
  pickSettings: true,
  importSettings: true,
  prepareJoin: true,
  join: true,
  resume: true,
  takeLink: true,
  listOffer: true,
  preflight: true,
  accept: true,
  select: true,
  prioritize: true,
  listFiles: true,
  cancel: true,
  pickDirectory: true,
  showFolder: true,
  viewReceived: true,
  dragReceived: true,
  deletePartial: true,
  listHistory: true,
  missingHistory: true,
  sendAgain: true,
  showHistory: true,
  invite: true,
  compareNumber: true,
  answerNearby: true,
  requestContact: true,
  renameContact: true,
  setContactGroups: true,
  removeContact: true,
  pickAutoAccept: true,
  stopAutoAccept: true,
  acceptInvitation: true,
  declineInvitation: true,
  dismiss: true,
  copyLog: true,
  keepDraft: true,
  draft: true,
  showStorage: true,
  takeRequests: true,
  restart: true,
  checkForUpdate: true,
  installUpdate: true,
  news: true,
  copyReport: true,
  readNotices: true,
  copyText: true,
  openLink: true,
  saveText: true,
}

const invoke = (name: string, arg: unknown): Promise<unknown> =>
  ipcRenderer.invoke(`cmd:${name}`, arg)

/** The path of a file that was really dropped or pasted; empty for one that a script made. */
function pathOf(file: File & { readonly path?: string }): string {
  if (!(file instanceof File)) return ''
  // Electron before 29 has no `webUtils` but a path on each file; 32 has removed that path.
  const utils = webUtils as typeof webUtils | undefined
  return utils === undefined ? (file.path ?? '') : utils.getPathForFile(file)
}

const pathsOf = (files: readonly File[]): readonly string[] =>
  Array.from(files, pathOf).filter((path) => path !== '')

/** Commands that take paths, which only real drops and pastes may provide. */
const pathCommands: ReadonlySet<string> = new Set<CommandName>(['share', 'add'])

const commands = Object.fromEntries(
  Object.keys(names)
    .filter((name) => !pathCommands.has(name))
    .map((name) => [name, (arg: unknown) => invoke(name, arg)]),
)

/** Calls `listener` with messages of the main process, until the returned function is called. */
function onMessage(channel: 'events' | 'link' | 'request', listener: (message: never) => void) {
  const forward = (_event: unknown, message: unknown): void => listener(message as never)
  ipcRenderer.on(channel, forward)
  return () => {
    ipcRenderer.removeListener(channel, forward)
  }
}

const api = {
  ...commands,
  shareFiles: (files: readonly File[], options?: unknown, to?: unknown) =>
    invoke('share', { paths: pathsOf(files), options, to }),
  hasPath: (file: File) => pathOf(file) !== '',
  addFiles: (share: string, files: readonly File[]) =>
    invoke('add', { share, paths: pathsOf(files) }),
  onEvents: (listener: (batch: readonly NumberedEvent[]) => void) => onMessage('events', listener),
  onLink: (listener: () => void) => onMessage('link', listener),
  onRequest: (listener: () => void) => onMessage('request', listener),
  platform: process.platform,
  // Chromium passes the switch on. `process.sandboxed` reports only the window's request.
  isSandboxed: !process.argv.includes('--no-sandbox'),
}

contextBridge.exposeInMainWorld('thru', api)
