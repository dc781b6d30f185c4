import {
  formatBytesOf,
  formatPercent,
  formatRate,
  formatTimeLeft,
  formatDuration,
} from '#shared/format'
import type { Progress, TransferOutcome } from '#shared/app-state'
import { bytesPerSecond, secondsLeft } from '#shared/rate'
import { text } from '../text/en'

/** What colour supports a sentence; the words say it all without it. */
export type Tone = 'plain' | 'accent' | 'success' | 'warning' | 'danger'

/** One state in words: a leading part that may be emphasised, and what follows it. */
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

/** Silence is worth a word from here on; shorter gaps are a busy disk or a slow network. */
const stallMs = 5000

/** The moment figures are true for: never before the newest sample. */
const asOf = (progress: Progress, nowMs: number): number =>
  Math.max(nowMs, progress.samples.at(-1)?.atMs ?? 0)

/** That no byte has become safe for a while, when it is long enough to say. */
export function stalledSentence(progress: Progress, nowMs: number): Sentence | null {
  const last = progress.samples.at(-1)
  if (last === undefined || progress.bytes >= progress.totalBytes) return null
  const silence = nowMs - last.atMs
  if (silence < stallMs) return null
  return sentence(text.receiver.noData(formatDuration(silence)), 'warning')
}

/** `118 MB/s`, or nothing while it is not known. */
export function speed(progress: Progress, nowMs: number): string | null {
  const rate = bytesPerSecond(progress.samples, asOf(progress, nowMs))
  return rate === null ? null : formatRate(rate)
}

/** `3 min`, or nothing while it is not known. */
export function timeLeft(progress: Progress, nowMs: number): string | null {
  const seconds = secondsLeft(progress, asOf(progress, nowMs))
  return seconds === null || seconds === 0 ? null : formatTimeLeft(seconds)
}

/** 0 to 1; an empty transfer is complete. */
export const fraction = ({ bytes, totalBytes }: Progress): number =>
  totalBytes <= 0 ? 1 : Math.min(1, bytes / totalBytes)

/** `62 % · 117 MB/s · 38.4 of 61.9 GB · 3 min left`, or what keeps the bytes from moving. */
export function progressSentence(
  progress: Progress,
  nowMs: number,
  options: { readonly withSpeed: boolean },
): Sentence {
  const stalled = stalledSentence(progress, nowMs)
  const amount = formatBytesOf(progress.bytes, progress.totalBytes)
  const percent = formatPercent(progress.bytes, progress.totalBytes)
  if (stalled !== null) return { ...stalled, rest: [percent, amount] }
  if (progress.bytes >= progress.totalBytes) {
    return sentence(text.receiver.finishing, 'accent', [amount])
  }
  const left = timeLeft(progress, nowMs)
  const parts = [
    percent,
    options.withSpeed ? speed(progress, nowMs) : null,
    amount,
    left === null ? null : text.receiver.left(left),
  ]
  return sentence(
    '',
    'plain',
    parts.filter((part) => part !== null),
  )
}

/** `9 min 8 s`; what is over within a second has no figure worth showing. */
export function took({ startedAtMs, endedAtMs }: TransferOutcome): string {
  const durationMs = endedAtMs - startedAtMs
  return durationMs < 1000 ? text.result.underASecond : formatDuration(durationMs)
}

/** `113 MB/s` over the whole transfer. */
export const averageRate = ({ bytes, startedAtMs, endedAtMs }: TransferOutcome): string =>
  formatRate((bytes / Math.max(1, endedAtMs - startedAtMs)) * 1000)
