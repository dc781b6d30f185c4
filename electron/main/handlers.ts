/** What each command of the table does: one call of the client, of a picker, or of the desktop. */
import { clipboard, shell } from 'electron'
import type { Client } from '#client/client'
import type { PeerId, ReceiveId } from '#shared/app-state'
import { appError } from '#shared/errors'
import type { Handlers } from '#shared/ipc'
import { err, ok } from '#shared/result'
import { pickDirectory, pickPaths } from './dialogs'

/** Paths for receives come from a picker or from Downloads, never from the page. */
export function createHandlers(client: Client): Handlers {
  const chosen = new Map<ReceiveId, string>()
  const { downloads } = client.snapshot().state
  const directoryFor = (receive: ReceiveId): string => chosen.get(receive) ?? downloads
  const receiveOf = (id: ReceiveId) =>
    client.snapshot().state.receives.find((receive) => receive.id === id)

  return {
    snapshot: () => Promise.resolve(ok(client.snapshot())),
    share: ({ paths }) => Promise.resolve(client.openShare(paths)),
    pickAndShare: async ({ kind }) => {
      const paths = await pickPaths(kind)
      return paths.length === 0 ? ok(null) : client.openShare(paths)
    },
    stopShare: ({ share }) => Promise.resolve(client.stopShare(share)),
    dropReceiver: ({ share, peer }) => Promise.resolve(client.dropReceiver(share, peer as PeerId)),
    join: ({ code }) => Promise.resolve(client.join(code)),
    accept: ({ receive }) => Promise.resolve(client.accept(receive, directoryFor(receive))),
    cancel: ({ receive }) => Promise.resolve(client.cancel(receive)),
    pickDirectory: async ({ receive }) => {
      const directory = await pickDirectory(directoryFor(receive))
      if (directory !== null) chosen.set(receive, directory)
      return ok(directory)
    },
    showFolder: async ({ receive }) => {
      const directory = receiveOf(receive)?.directory ?? null
      if (directory === null) return err(appError('E_BAD_ARGUMENT', 'nothing was received there'))
      const problem = await shell.openPath(directory)
      return problem === '' ? ok(null) : err(appError('E_PATH_NOT_FOUND', problem, directory))
    },
    dismiss: ({ id }) => Promise.resolve(client.dismiss(id)),
    copyText: async ({ text }) => {
      await clipboard.writeText(text)
      return ok(null)
    },
  }
}
