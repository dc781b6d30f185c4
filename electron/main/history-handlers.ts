/** Commands about the history. Paths come from its entries, never from the page. */
import { shell } from 'electron'
import type { Client } from '#client/client'
import { appError } from '#shared/errors'
import type { Handlers } from '#shared/ipc'
import { err, ok } from '#shared/result'

type HistoryCommand =
  'listHistory' | 'missingHistory' | 'removeHistory' | 'sendAgain' | 'showHistory'

/** What each of them does. */
export const historyHandlers = (client: Client): Pick<Handlers, HistoryCommand> => ({
  listHistory: async (query) => ok(await client.history.list(query)),
  missingHistory: async ({ ids }) => ok(await client.history.missing(ids)),
  removeHistory: ({ id }) => client.history.remove(id),
  sendAgain: async ({ id }) => {
    const entry = await client.history.find(id)
    if (!entry.ok) return entry
    const items = entry.value.paths.map((path) => ({ kind: 'path', path }) as const)
    return client.openShare({ items })
  },
  showHistory: async ({ id }) => {
    const entry = await client.history.find(id)
    if (!entry.ok) return entry
    const target = entry.value.target ?? entry.value.paths[0]
    if (target === undefined) return err(appError('E_BAD_ARGUMENT', 'only texts were shared'))
    shell.showItemInFolder(target)
    return ok(null)
  },
})
