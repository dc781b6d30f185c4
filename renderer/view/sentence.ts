import {
  formatBytesOf,
  formatDuration,
  formatPercent,
  formatRate,
  formatTimeLeft,
} from '#shared/format/format'
import { averageRate, bytesPerSecond, secondsLeft } from '#shared/format/rate'
import { endNotes, isNothingNew, receivedOf, type Side, stallLabel } from '#shared/labels'
import type { FlowState, Progress, StallReason, TransferOutcome } from '#shared/state/app-state'
import { text } from '../text'

/** The color that supports a sentence; the words alone are complete. */
export type Tone = 'plain' | 'compared' | 'accent' | 'success' | 'warning' | 'danger'

/** One state in words: a leading part that may be emphasized, and the rest. */
export type Sentence = {
  readonly lead: string
  readonly tone: Tone
  readonly rest: readonly string[]
}

export const sentence = (
  lead: string,
  tone: Tone = 'plain',
  rest: readonly string[] = [],
): Sentence => ({ lead, tone, rest })

/** The time of the figures: never before the newest sample. */
const asOf = (progress: Progress, nowMs: number): number =>
  Math.max(nowMs, progress.samples.at(-1)?.atMs ?? 0)

/** `118 MB/s`; `null` while it is unknown. */
export function speed(progress: Progress, nowMs: number): string | null {
  const rate = bytesPerSecond(progress.samples, asOf(progress, nowMs))
  return rate === null ? null : formatRate(rate)
}

/** `3 min`; `null` while it is unknown. */
export function timeLeft(progress: Progress, nowMs: number): string | null {
  const seconds = secondsLeft(progress, asOf(progress, nowMs))
  return seconds === null || seconds === 0 ? null : formatTimeLeft(seconds)
}

/** 0 to 1; an empty transfer is complete. */
export const fraction = ({ bytes, totalBytes }: Progress): number =>
  totalBytes <= 0 ? 1 : Math.min(1, bytes / totalBytes)

/** An accepted transfer at either of its ends. */
type Running = {
  readonly flow: FlowState
  readonly stall: StallReason
  readonly progress: Progress | null
}

/** A transfer that is held up needs a color, a chosen pause does not. */
export function flowTone({ flow, stall }: Pick<Running, 'flow' | 'stall'>): Tone {
  switch (flow.kind) {
    case 'disk-full':
    case 'peer-disk-full':
      return 'warning'
    case 'finishing':
      return 'accent'
    case 'flowing':
      return stall === 'none' || stall === 'limit' ? 'plain' : 'warning'
    default:
      return 'plain'
  }
}

/** The color of a bar or ring during a transfer. */
export function barTone({ flow, stall }: Pick<Running, 'flow' | 'stall'>) {
  if (flow.kind === 'paused' || flow.kind === 'paused-by-peer') return 'still'
  return flowTone({ flow, stall }) === 'warning' ? 'warning' : 'accent'
}

/** `62% · 117 MB/s · 38.4 of 61.9 GB · 3 min left`, or the amount received and the reason for a stall. */
export function progressFigures(
  { flow, stall, progress }: Running,
  nowMs: number,
  options: { readonly withSpeed: boolean; readonly withFiles?: boolean },
): readonly string[] {
  const why = holdLabel({ flow, stall })
  if (progress === null) return why === null ? [] : [why]
  const amount = formatBytesOf(progress.bytes, progress.totalBytes)
  if (flow.kind === 'paused') return [text.progress.received(progress)]
  if (flow.kind === 'finishing') return why === null ? [amount] : [why, amount]
  const percent = formatPercent(progress.bytes, progress.totalBytes)
  if (why !== null) return [why, percent, amount]
  const left = timeLeft(progress, nowMs)
  const parts = [
    percent,
    options.withSpeed ? speed(progress, nowMs) : null,
    amount,
    options.withFiles === true && progress.totalFiles > 1 ? text.progress.filesOf(progress) : null,
    left === null ? null : text.progress.timeLeft(left),
  ]
  return parts.filter((part) => part !== null)
}

/** The reason for a stall, or the condition for resuming; `null` while data moves. */
export const holdLabel = ({ flow, stall }: Pick<Running, 'flow' | 'stall'>): string | null =>
  flow.kind === 'flowing' || flow.kind === 'finishing' ? stallLabel(stall) : waitLabel(flow)

/** The condition for resuming a paused or full transfer. */
function waitLabel({ kind }: FlowState): string | null {
  switch (kind) {
    case 'disk-full':
    case 'peer-disk-full':
      return text.progress.resumesWithSpace
    case 'paused-by-peer':
      return text.progress.resumesWithThem
    default:
      return null
  }
}

/** `9 min 8 s`, or words for less than a second. */
export function took({ startedAtMs, endedAtMs }: TransferOutcome): string {
  const durationMs = endedAtMs - startedAtMs
  return durationMs < 1000 ? text.progress.underASecond : formatDuration(durationMs)
}

/** `61.9 GB in 9 min 8 s`: the received data. */
export const amountIn = (outcome: TransferOutcome): string =>
  text.receivers.amountIn({ bytes: receivedOf(outcome).bytes, duration: took(outcome) })

/** The end of a transfer: `words` and its figures. */
export function doneSentence(words: string, outcome: TransferOutcome | null, side: Side): Sentence {
  if (outcome === null) return sentence(words, 'success')
  const amount = isNothingNew(outcome) ? [] : [amountIn(outcome)]
  return sentence(words, endTone(outcome), [...amount, ...endNotes(outcome, side)])
}

/** The color of success is for received files. Files that already existed have no color. */
export function endTone(outcome: TransferOutcome): 'success' | 'warning' | 'plain' {
  if (outcome.problems > 0) return 'warning'
  return isNothingNew(outcome) ? 'plain' : 'success'
}

/** A sentence before other facts on the same line has no full stop. */
export const withoutStop = (words: string): string => words.replace(/[.。]$/, '')

/** `113 MB/s` over the whole transfer; `null` if a rate is meaningless. */
export function averageSpeed(outcome: TransferOutcome, resumedBytes: number): string | null {
  const { transferred, startedAtMs, endedAtMs } = outcome
  const came = receivedOf(outcome).bytes - resumedBytes - outcome.reusedBytes
  const rate = averageRate(transferred, came, endedAtMs - startedAtMs)
  return rate === null ? null : formatRate(rate)
}
