/** Texts of an entry of the history. Pure: an entry in, words out. */
import { formatBytes, formatDay, formatRate } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { contentLabel, endNotes, isNothingNew, receivedOf } from '#shared/labels'
import type { HistoryEntry } from '#shared/state/history'
import { text } from '../text'
import { isolatedPath } from '../text/names'

const dayMs = 86_400_000

/** Midnight of the day in this computer's time zone. */
const dayOf = (epochMs: number): number => new Date(epochMs).setHours(0, 0, 0, 0)

/** Today, yesterday, or the date. */
export function dayWords(epochMs: number, nowMs: number): string {
  const days = Math.round((dayOf(nowMs) - dayOf(epochMs)) / dayMs)
  if (days === 0) return text.history.today
  return days === 1 ? text.history.yesterday : formatDay(epochMs)
}

/** True when both ended on the same day. */
export const isSameDay = (one: HistoryEntry, other: HistoryEntry): boolean =>
  dayOf(one.endedAtMs) === dayOf(other.endedAtMs)

/** `1,282 files · /home/sora/in`, or a note that the files are gone. */
export function placeWords(entry: HistoryEntry, isThere: boolean): string {
  if (!isThere) return text.history.gone
  const { folder, direction, paths } = entry
  // Texts, and a stream of standard input, have no path.
  if (folder === null && paths.length === 0) return ''
  const { files } = receivedOf(entry)
  const place = folder === null ? [] : [isolatedPath(visibleText(folder))]
  const notes = endNotes(entry, direction === 'sent' ? 'sender' : 'receiver')
  const amount = isOld(entry) ? [] : [contentLabel(files, entry.texts)]
  return [...amount, ...notes, ...place].join(text.separator)
}

/** Size, and average speed if any. */
export const figures = (entry: HistoryEntry) => ({
  amount: isOld(entry) ? '' : formatBytes(receivedOf(entry).bytes),
  speed: entry.rate > 0 ? formatRate(entry.rate) : '',
})

/** True when no file had to be sent. */
const isOld = (entry: HistoryEntry): boolean =>
  entry.outcome === 'done' && entry.problemCount === 0 && isNothingNew(entry)

/** The result, in one or two words and a tone. */
export function outcomeWords(entry: HistoryEntry): {
  readonly words: string
  readonly tone: 'ok' | 'warn' | 'danger' | 'plain'
} {
  const { outcome, problemCount } = entry
  if (isOld(entry)) return { words: text.history.nothingNew, tone: 'plain' }
  if (outcome === 'done' && problemCount > 0) {
    return { words: text.history.problems(problemCount), tone: 'warn' }
  }
  const tones = { done: 'ok', interrupted: 'warn', cancelled: 'plain', failed: 'danger' } as const
  return { words: text.history.outcomes[outcome], tone: tones[outcome] }
}
