/** What each command of the table does: one call of the client, of a dialog, or of the desktop. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clipboard, shell } from 'electron'
import type { Client } from '#client/client'
import type { ReceiveId } from '#shared/app-state'
import { appError } from '#shared/errors'
import type { Handlers } from '#shared/ipc'
import { err, ok } from '#shared/result'
import type { SourceItem } from '#shared/share-options'
import { pickDirectory, pickPaths, pickTarget } from './dialogs'

/** Paths for receives come from a picker, an earlier attempt or Downloads, never from the page. */
export function createHandlers(client: Client): Handlers {
  const chosen = new Map<ReceiveId, string>()
  const { downloads } = client.snapshot().state
  const receiveOf = (id: ReceiveId) =>
    client.snapshot().state.receives.find((receive) => receive.id === id)
  const earlierOf = (id: ReceiveId) => {
    const { unfinished } = client.snapshot().state
    return unfinished.find(({ transfer }) => transfer === receiveOf(id)?.transfer)
  }
  const directoryFor = (receive: ReceiveId): string =>
    chosen.get(receive) ?? earlierOf(receive)?.directory ?? downloads

  return {
    snapshot: () => Promise.resolve(ok(client.snapshot())),
    share: ({ paths, options }) =>
      Promise.resolve(client.openShare({ items: asItems(paths), ...options })),
    pickAndShare: async ({ kind, options }) => {
      const paths = await pickPaths(kind)
      return paths.length === 0 ? ok(null) : client.openShare({ items: asItems(paths), ...options })
    },
    shareText: (text) => Promise.resolve(client.openShare({ items: [{ kind: 'text', ...text }] })),
    add: ({ share, paths }) => client.addItems(share, asItems(paths)),
    pickAndAdd: async ({ share, kind }) => {
      const paths = await pickPaths(kind)
      return paths.length === 0 ? ok(null) : client.addItems(share, asItems(paths))
    },
    addText: ({ share, ...text }) => client.addItems(share, [{ kind: 'text', ...text }]),
    removeItem: ({ share, item }) => Promise.resolve(client.removeItem(share, item)),
    setMaxReceivers: ({ share, count }) => Promise.resolve(client.setMaxReceivers(share, count)),
    stopShare: ({ share }) => Promise.resolve(client.stopShare(share)),
    dropReceiver: ({ share, peer }) => Promise.resolve(client.dropReceiver(share, peer)),
    pauseShare: ({ share, peer, paused }) =>
      Promise.resolve(client.pauseShare(share, peer, paused)),
    pauseReceive: ({ receive, paused }) => Promise.resolve(client.pauseReceive(receive, paused)),
    setLimits: (speedLimits) => Promise.resolve(client.setLimits(speedLimits)),
    join: ({ code, continues }) => Promise.resolve(client.join(code, continues)),
    listOffer: ({ receive, path, offset, limit }) => client.listOffer(receive, path, offset, limit),
    survey: ({ receive, ...plan }) =>
      client.survey(receive, { directory: directoryFor(receive), ...plan }),
    accept: ({ receive, options, selection }) =>
      Promise.resolve(
        client.accept(receive, {
          directory: directoryFor(receive),
          ...(options && { options }),
          ...(selection && { selection }),
        }),
      ),
    select: ({ receive, ...change }) => Promise.resolve(client.select(receive, change)),
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
    forget: ({ transfer }) => client.forget(transfer),
    dismiss: ({ id }) => Promise.resolve(client.dismiss(id)),
    copyText: async ({ text }) => {
      await clipboard.writeText(text)
      return ok(null)
    },
    saveText: async ({ receive, name, text }) => {
      const directory = receiveOf(receive)?.directory ?? downloads
      const target = await pickTarget(join(directory, `${fileName(name)}.txt`))
      if (target === null) return ok(null)
      try {
        await writeFile(target, text)
        return ok(target)
      } catch (fault) {
        return err(appError('E_TARGET_NOT_WRITABLE', String(fault), target))
      }
    },
  }
}

const asItems = (paths: readonly string[]): readonly SourceItem[] =>
  paths.map((path) => ({ kind: 'path', path }))

/** A name from elsewhere as one that no system takes for a path. */
const fileName = (name: string): string =>
  name.replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ').replace(/^[. ]+|[. ]+$/g, '') || 'Text'
