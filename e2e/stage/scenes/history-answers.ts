/** The stage's answers about the history. */
import type { HistoryEntry, HistoryPage, HistoryQuery } from '#shared/state/history'

/** Entries of a scene, listed like a client's. */
export class HistoryAnswers {
  entries: readonly HistoryEntry[] = []
  gone: readonly number[] = []

  list({ text, filter, offset, limit }: HistoryQuery): HistoryPage {
    const words = text.toLowerCase()
    const found = this.entries.filter(
      (entry) =>
        `${entry.title} ${entry.person}`.toLowerCase().includes(words) &&
        (filter === 'all' ||
          entry.direction === filter ||
          (filter === 'problems' && (entry.problemCount > 0 || entry.outcome !== 'done'))),
    )
    return { entries: found.slice(offset, offset + limit), total: found.length }
  }

  missing(ids: readonly number[]): readonly number[] {
    return this.gone.filter((id) => ids.includes(id))
  }
}
