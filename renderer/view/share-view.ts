/** What a share and its receivers say about themselves. Pure: state and a moment in, words out. */
import { hasEnded, isRunning, type Receiver, type Share } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import { describeError } from '#shared/describe-error'
import { describeReceiverEnd } from '#shared/describe-peer'
import {
  formatBytes,
  formatCounted,
  formatDuration,
  formatPercent,
  formatRate,
  formatTimeLeft,
} from '#shared/format'
import { receiverWords, shareWords } from '#shared/phase-words'
import { bytesPerSecond } from '#shared/rate'
import { text } from '../text/en'
import { flowTone, progressFigures, type Sentence, sentence, took } from './sentence'

const isLive = (receiver: Receiver): boolean => !hasEnded(receiver)

export const liveReceivers = (share: Share): readonly Receiver[] => share.receivers.filter(isLive)

/** True when there is somebody to pause, and until everybody goes on. */
export const canPause = (share: Share): boolean =>
  share.phase !== 'stopped' &&
  share.phase !== 'failed' &&
  (share.paused || share.receivers.some(isRunning))

/** `12,480 files · 84.2 GB`. */
export const amountOf = (totals: { readonly files: number; readonly bytes: number }): string =>
  [formatCounted(totals.files, 'file'), formatBytes(totals.bytes)].join(text.separator)

/** Under the title of an open share: what is in it, and since when. */
export function shareSummary(share: Share, nowMs: number): string {
  const { totals, startedAtMs } = share
  if (!totals.complete && totals.files === 0) return text.share.counting
  const since = totals.complete ? sharedSince(nowMs - startedAtMs) : text.share.stillCounting
  const closed = share.maxReceivers === 0 ? [text.share.closed] : []
  return [amountOf(totals), since, ...closed].join(text.separator)
}

const sharedSince = (ageMs: number): string =>
  ageMs < 60_000
    ? text.share.sharedNow
    : text.share.sharedAgo(formatDuration(ageMs - (ageMs % stepFor(ageMs))))

/** Whole minutes are exact enough for an age, and whole hours after a day. */
const stepFor = (ageMs: number): number => (ageMs < 86_400_000 ? 60_000 : 3_600_000)

/** All receivers' speeds added up; `null` while nothing moves. */
export function speedTogether(share: Share, nowMs: number): string | null {
  const rates = share.receivers
    .filter(({ phase }) => phase === 'receiving')
    .map(({ progress }) => (progress === null ? null : bytesPerSecond(progress.samples, nowMs)))
    .filter((rate) => rate !== null)
  return rates.length === 0 ? null : formatRate(rates.reduce((sum, rate) => sum + rate, 0))
}

/** How far all receivers that can still finish are, counted together: 0 to 1. */
export function shareFraction(share: Share): number {
  const { bytes, totalBytes } = moved(share)
  return totalBytes === 0 ? 0 : bytes / totalBytes
}

function moved(share: Share): { readonly bytes: number; readonly totalBytes: number } {
  const counted = liveReceivers(share).flatMap(({ progress }) => progress ?? [])
  return {
    bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0),
    totalBytes: counted.reduce((sum, { totalBytes }) => sum + totalBytes, 0),
  }
}

/** A share as a row says it in one sentence. */
export function shareSentence(share: Share, nowMs: number): Sentence {
  const words = shareWords(share)
  switch (share.phase) {
    case 'opening':
      return sentence(words, 'accent', [shareSummary(share, nowMs)])
    case 'open':
      return sentence(words, 'plain', openFigures(share, nowMs))
    case 'reconnecting':
      return sentence(words, 'warning', [text.share.presentGoOn])
    case 'stopped':
      return sentence(words, 'plain', [howManyHaveIt(share)])
    case 'failed':
      return sentence(words, 'danger', [failureOf(share.error)])
    default:
      return assertNever(share.phase)
  }
}

const failureOf = (error: Share['error']): string =>
  error === null ? text.failure.notFinished : withoutStop(describeError(error).what)

const receiverFailure = (receiver: Receiver): string =>
  receiver.error === null
    ? text.failure.notFinished
    : withoutStop(describeReceiverEnd(receiver.error, receiver).what)

/** A sentence that others follow on the same line has no full stop. */
export const withoutStop = (words: string): string => words.replace(/\.$/, '')

function openFigures(share: Share, nowMs: number): readonly string[] {
  const live = liveReceivers(share)
  if (share.receivers.length === 0) return share.code === null ? [] : [share.code]
  if (live.length === 0) return [howManyHaveIt(share)]
  return [text.people(live.length), ...together(share, nowMs)]
}

function together(share: Share, nowMs: number): readonly string[] {
  const { bytes, totalBytes } = moved(share)
  if (totalBytes === 0) return []
  const rate = share.receivers
    .flatMap(({ phase, progress }) => (phase === 'receiving' && progress ? [progress] : []))
    .reduce((sum, { samples }) => sum + (bytesPerSecond(samples, nowMs) ?? 0), 0)
  const percent = formatPercent(bytes, totalBytes)
  if (rate < 1) return [percent]
  const left = text.receiver.left(formatTimeLeft((totalBytes - bytes) / rate))
  return [percent, formatRate(rate), left]
}

function howManyHaveIt({ receivers }: Share): string {
  const done = receivers.filter(({ phase }) => phase === 'done').length
  return receivers.length === 0
    ? text.share.nobodyJoined
    : text.share.haveEverything(done, receivers.length)
}

/** The line below a receiver's name. */
export function receiverSentence(receiver: Receiver, nowMs: number): Sentence {
  const words = receiverWords(receiver)
  if (isRunning(receiver)) return runningSentence(receiver, nowMs)
  switch (receiver.phase) {
    case 'connecting':
      return sentence(words, 'accent', [text.receiver.tryingDirect])
    case 'deciding':
      return sentence(words, 'plain', [text.receiver.deciding])
    case 'interrupted':
      return sentence(words, 'warning', [text.receiver.mayComeBack])
    case 'done':
      return doneSentence(receiver)
    default:
      return failedSentence(receiver)
  }
}

function runningSentence(receiver: Receiver, nowMs: number): Sentence {
  const { route } = receiver
  const figures = progressFigures(receiver, nowMs, { withSpeed: false })
  const via = route?.kind === 'relay' ? [text.receiver.via(route.relay)] : []
  return sentence(receiverWords(receiver), flowTone(receiver), [...figures, ...via])
}

function doneSentence(receiver: Receiver): Sentence {
  const { outcome } = receiver
  const figures = outcome === null ? [] : [text.receiver.amountIn(outcome.bytes, took(outcome))]
  const tone = outcome === null || outcome.problems === 0 ? 'success' : 'warning'
  return sentence(receiverWords(receiver), tone, figures)
}

function failedSentence(receiver: Receiver): Sentence {
  const words = receiverWords(receiver)
  switch (receiver.error?.code) {
    case 'E_DECLINED':
    case 'E_UNDECIDED':
    case 'E_CANCELLED':
    case 'E_STOPPED':
      return sentence(words)
    default:
      return sentence(words, 'danger', [receiverFailure(receiver)])
  }
}
