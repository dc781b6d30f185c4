/** What an entry of the history says about itself. Pure: an entry in, words out. */
import { formatBytes, formatDay, formatRate } from '#shared/format'
import type { HistoryEntry } from '#shared/history'
import { visibleText } from '#shared/visible-text'
import { text } from '../text'
import { isolatedPath } from '../text/names'

const dayMs = 86_400_000

/** Midnight of the day, where this computer is. */
const dayOf = (epochMs: number): number => new Date(epochMs).setHours(0, 0, 0, 0)

/** Today, yesterday, or the date. */
export function dayWords(epochMs: number, nowMs: number): string {
  const days = Math.round((dayOf(nowMs) - dayOf(epochMs)) / dayMs)
  if (days === 0) return text.history.today
  return days === 1 ? text.history.yesterday : formatDay(epochMs)
}

/** True when the two ended on the same day. */
export const isSameDay = (one: HistoryEntry, other: HistoryEntry): boolean =>
  dayOf(one.endedAtMs) === dayOf(other.endedAtMs)

/** `1,282 files · /home/sora/in`, or that it is there no more. */
export function placeWords(entry: HistoryEntry, isThere: boolean): string {
  if (!isThere) return text.history.gone
  const { files, folder, paths } = entry
  // Nothing but texts, or a stream of standard input.
  if (folder === null && paths.length === 0) return ''
  const place = folder === null ? [] : [isolatedPath(visibleText(folder))]
  return [text.lists.files(files), ...place].join(text.separator)
}

/** Size, and average speed where there was one. */
export const figures = ({ bytes, rate }: HistoryEntry) => ({
  amount: formatBytes(bytes),
  speed: rate > 0 ? formatRate(rate) : '',
})

/** How it ended, in one or two words and a tone. */
export function outcomeWords({ outcome, problemCount }: HistoryEntry): {
  readonly words: string
  readonly tone: 'ok' | 'warn' | 'danger' | 'plain'
} {
  if (outcome === 'done' && problemCount > 0) {
    return { words: text.history.problems(problemCount), tone: 'warn' }
  }
  const tones = { done: 'ok', interrupted: 'warn', cancelled: 'plain', failed: 'danger' } as const
  return { words: text.history.outcomes[outcome], tone: tones[outcome] }
}
