/** The part of the history that this window has asked for; `history-actions.ts` fills it. */
import { create } from 'zustand'
import type { HistoryEntry, HistoryFilter } from '#shared/state/history'

/** Entries that are asked for together. */
export const pageSize = 100

export type HistoryView = {
  readonly text: string
  readonly filter: HistoryFilter
  /** How many there are with this text and filter; `null` before the first answer. */
  readonly total: number | null
  /** By their number, from 0. */
  readonly pages: Readonly<Record<number, readonly HistoryEntry[]>>
  /** Entries that were looked for; false for those that are gone. */
  readonly isThere: Readonly<Record<number, boolean>>
}

export const useHistoryStore = create<HistoryView>(() => ({
  text: '',
  filter: 'all',
  total: null,
  pages: {},
  isThere: {},
}))

/** The entry at this place of the list; `undefined` until its page is here. */
export const entryAt = ({ pages }: Pick<HistoryView, 'pages'>, index: number) =>
  pages[Math.floor(index / pageSize)]?.[index % pageSize]
