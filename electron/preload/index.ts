/**
 * The only door between the page and the main process. It is one file for the sandbox, so it takes
 * only types from the table of commands; a name that is missing here does not compile.
 * The page sees the result as `Api<File>`.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { CommandName, NumberedEvent } from '#shared/ipc'

const names: { readonly [K in CommandName]: true } = {
  snapshot: true,
  share: true,
  pickAndShare: true,
  stopShare: true,
  dropReceiver: true,
  join: true,
  accept: true,
  cancel: true,
  pickDirectory: true,
  showFolder: true,
  dismiss: true,
  copyText: true,
}

const invoke = (name: string, arg: unknown): Promise<unknown> =>
  ipcRenderer.invoke(`cmd:${name}`, arg)

/** The path of a file that was really dropped; empty for one that a script made up. */
function pathOf(file: File & { readonly path?: string }): string {
  // Electron before 29 has no `webUtils` but a path on each file; 32 has removed that path.
  const utils = webUtils as typeof webUtils | undefined
  return utils === undefined ? (file.path ?? '') : utils.getPathForFile(file)
}

const commands = Object.fromEntries(
  Object.keys(names)
    .filter((name) => name !== 'share')
    .map((name) => [name, (arg: unknown) => invoke(name, arg)]),
)

const api = {
  ...commands,
  shareFiles: (files: readonly File[]) =>
    invoke('share', { paths: files.map(pathOf).filter((path) => path !== '') }),
  onEvents: (listener: (batch: readonly NumberedEvent[]) => void) => {
    const forward = (_event: unknown, batch: readonly NumberedEvent[]): void => {
      listener(batch)
    }
    ipcRenderer.on('events', forward)
    return () => {
      ipcRenderer.removeListener('events', forward)
    }
  },
  platform: process.platform,
}

contextBridge.exposeInMainWorld('thru', api)
