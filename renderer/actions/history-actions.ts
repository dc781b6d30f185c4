/** People's actions on the history, and loading of its entries. */
import type { HistoryEntry, HistoryFilter } from '#shared/state/history'
import { bridge } from '../bridge'
import { pageSize, useHistoryStore } from '../store/history-store'
import { noticeFailure } from './actions'
import { defer } from './undo-actions'

/** Answers to an earlier query are ignored. */
let question = 0
const asked = new Set<number>()

/** Reloads the visible entries after a change of the history, the text or the filter. */
export async function refreshHistory(): Promise<void> {
  question += 1
  asked.clear()
  await askForPage(0, true)
}

export async function searchHistory(text: string): Promise<void> {
  useHistoryStore.setState({ text })
  await refreshHistory()
}

export async function filterHistory(filter: HistoryFilter): Promise<void> {
  useHistoryStore.setState({ filter })
  await refreshHistory()
}

/** Loads the pages with these entries, unless they are loaded or requested. */
export function needEntries(first: number, last: number): void {
  for (let page = Math.floor(first / pageSize); page * pageSize <= last; page += 1) {
    if (!asked.has(page)) void askForPage(page, false)
  }
}

async function askForPage(page: number, isFirst: boolean): Promise<void> {
  const mine = question
  asked.add(page)
  const { text, filter } = useHistoryStore.getState()
  const offset = page * pageSize
  const reply = await bridge.listHistory({ text, filter, offset, limit: pageSize })
  if (mine !== question || !reply.ok) return
  const { entries, total } = reply.value
  useHistoryStore.setState(({ pages }) => ({
    total,
    pages: isFirst ? { [page]: entries } : { ...pages, [page]: entries },
  }))
}

/** Checks that received files still exist in their places. */
export async function lookForTargets(entries: readonly HistoryEntry[]): Promise<void> {
  const { isThere } = useHistoryStore.getState()
  const ids = entries
    .filter(({ id, target }) => target !== null && isThere[id] === undefined)
    .map(({ id }) => id)
  if (ids.length === 0) return
  const there = (gone: readonly number[]) =>
    Object.fromEntries(ids.map((id) => [id, !gone.includes(id)]))
  useHistoryStore.setState((view) => ({ isThere: { ...view.isThere, ...there([]) } }))
  const reply = await bridge.missingHistory({ ids })
  if (!reply.ok || reply.value.length === 0) return
  useHistoryStore.setState((view) => ({ isThere: { ...view.isThere, ...there(reply.value) } }))
}

/** Shows the received or shared files in the file manager. */
export async function showInFolder(id: number): Promise<void> {
  noticeFailure(await bridge.showHistory({ id }))
}

/** Removes an entry, or with `null` all, unless the person undoes it; the files stay. */
export const removeEntries = (id: number | null): Promise<void> => defer({ removeHistory: id })
