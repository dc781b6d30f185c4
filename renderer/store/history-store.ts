/** The part of the history that this window has loaded; `history-actions.ts` fills it. */
import { create } from 'zustand'
import type { HistoryEntry, HistoryFilter } from '#shared/state/history'

/** Entries in one request. */
export const pageSize = 100

export type HistoryView = {
  readonly text: string
  readonly filter: HistoryFilter
  /** Number of entries with this text and filter; `null` before the first answer. */
  readonly total: number | null
  /** Pages by number, from 0. */
  readonly pages: Readonly<Record<number, readonly HistoryEntry[]>>
  /** Entries whose files were checked; false for those whose files are gone. */
  readonly isThere: Readonly<Record<number, boolean>>
  /** The entry with open details. */
  readonly open: number | null
}

export const useHistoryStore = create<HistoryView>(() => ({
  text: '',
  filter: 'all',
  total: null,
  pages: {},
  isThere: {},
  open: null,
}))

/** The entry at this index of the list; `undefined` until its page is loaded. */
export const entryAt = ({ pages }: Pick<HistoryView, 'pages'>, index: number) =>
  pages[Math.floor(index / pageSize)]?.[index % pageSize]
