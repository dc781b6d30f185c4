/** Handlers of commands about the history. Paths come from its entries, never from the page. */
import { shell } from 'electron'
import type { Client } from '#client/client'
import { type AppError, appError } from '#shared/errors'
import type { Handlers } from '#shared/ipc'
import { err, ok, type Result } from '#shared/result'
import type { ShareId } from '#shared/state/app-state'

type HistoryCommand = 'listHistory' | 'missingHistory' | 'sendAgain' | 'showHistory'

/** Makes the handlers; `share` begins a share with the options in the settings. */
export const historyHandlers = (
  client: Client,
  share: (paths: readonly string[]) => Result<ShareId, AppError>,
): Pick<Handlers, HistoryCommand> => ({
  listHistory: async (query) => ok(await client.history.list(query)),
  missingHistory: async ({ ids }) => ok(await client.history.missing(ids)),
  sendAgain: async ({ id }) => {
    const entry = await client.history.find(id)
    return entry.ok ? share(entry.value.paths) : entry
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
