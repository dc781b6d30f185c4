/** Texts about a share and its receivers. Pure: state and a time in, words out. */
import { assertNever } from '#shared/assert-never'
import { describeError } from '#shared/describe-error'
import { describeReceiverEnd } from '#shared/describe-peer'
import {
  formatBytes,
  formatDuration,
  formatPercent,
  formatRate,
  formatSafety,
  formatTimeLeft,
} from '#shared/format/format'
import { bytesPerSecond } from '#shared/format/rate'
import { choiceNotes, contentLabel, receiverLabel, shareLabel } from '#shared/labels'
import {
  hasEnded,
  hasOnlyTexts,
  isRunning,
  type Receiver,
  type Share,
  textsIn,
} from '#shared/state/app-state'
import { text } from '../text'
import {
  doneSentence,
  flowTone,
  progressFigures,
  type Sentence,
  sentence,
  withoutStop,
} from './sentence'

const isLive = (receiver: Receiver): boolean => !hasEnded(receiver)

export const liveReceivers = (share: Share): readonly Receiver[] => share.receivers.filter(isLive)

/** True when there is a receiver to pause, or a pause to end. */
export const canPause = (share: Share): boolean =>
  share.phase !== 'stopped' &&
  share.phase !== 'failed' &&
  (share.paused || share.receivers.some(isRunning))

/** The line below the title of an open share: its contents and its age. */
export function shareSummary(share: Share, nowMs: number): string {
  const { items, totals, startedAtMs } = share
  if (share.requests === true) {
    return [requestedSince(nowMs - startedAtMs), ...codeTime(share, nowMs)].join(text.separator)
  }
  if (!totals.complete && totals.files === 0) return text.share.counting
  const since = share.resumed === true ? resumedSince : sharedSince
  const state = totals.complete ? since(nowMs - startedAtMs) : text.share.stillCounting
  const excluded = totals.excluded ?? 0
  const out = excluded > 0 ? [text.share.excluded(excluded)] : []
  const gone = textsIn(items) > 0 ? 0 : (share.textsGone ?? 0)
  const closed = share.maxReceivers === 0 ? [text.share.noNewReceivers] : []
  const content = hasOnlyTexts(items) ? [] : [contentLabel(totals.files, textsIn(items))]
  return [
    ...content,
    formatBytes(totals.bytes),
    ...out,
    state,
    ...(gone > 0 ? [text.share.textsGone(gone)] : []),
    ...closed,
    ...codeTime(share, nowMs),
  ].join(text.separator)
}

/** A countdown shows only in the last hour of a code's life. */
const countdownMs = 3_600_000

function codeTime({ code, codeEnd, codeEndsAtMs }: Share, nowMs: number): readonly string[] {
  if (code === null || codeEnd !== null || codeEndsAtMs === null) return []
  const leftMs = codeEndsAtMs - nowMs
  if (leftMs <= 0 || leftMs > countdownMs) return []
  return [text.share.codeEndsIn(formatDuration(leftMs))]
}

const sharedSince = (ageMs: number): string =>
  ageMs < 60_000 ? text.share.sharedNow : text.share.sharedAgo(ageText(ageMs))

const requestedSince = (ageMs: number): string =>
  ageMs < 60_000 ? text.share.requestedNow : text.share.requestedAgo(ageText(ageMs))

const resumedSince = (ageMs: number): string =>
  ageMs < 60_000 ? text.share.resumedNow : text.share.resumedAgo(ageText(ageMs))

const ageText = (ageMs: number): string => formatDuration(ageMs - (ageMs % stepFor(ageMs)))

/** Whole minutes are precise enough for an age, and whole hours after a day. */
const stepFor = (ageMs: number): number => (ageMs < 86_400_000 ? 60_000 : 3_600_000)

/** The sum of all receivers' speeds; `null` while nothing moves. */
export function speedTogether(share: Share, nowMs: number): string | null {
  const rates = share.receivers
    .filter(({ phase }) => phase === 'receiving')
    .map(({ progress }) => (progress === null ? null : bytesPerSecond(progress.samples, nowMs)))
    .filter((rate) => rate !== null)
  return rates.length === 0 ? null : formatRate(rates.reduce((sum, rate) => sum + rate, 0))
}

/** The combined progress of all receivers that can still finish: 0 to 1. */
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

/** A share in one sentence, for a row. */
export function shareSentence(share: Share, nowMs: number): Sentence {
  const words = shareLabel(share)
  switch (share.phase) {
    case 'opening':
      return sentence(words, 'accent', [shareSummary(share, nowMs)])
    case 'open':
      return sentence(words, 'plain', openFigures(share, nowMs))
    case 'reconnecting':
      return sentence(words, 'warning', [reconnectingFact(share)])
    case 'stopped':
      return sentence(words, 'plain', [finishedFact(share)])
    case 'failed':
      return sentence(words, 'danger', [failureOf(share.error)])
    default:
      return assertNever(share.phase)
  }
}

const failureOf = (error: Share['error']): string =>
  error === null ? text.progress.notFinished : withoutStop(describeError(error).what)

const receiverFailure = (receiver: Receiver): string =>
  receiver.error === null
    ? text.progress.notFinished
    : withoutStop(describeReceiverEnd(receiver.error, receiver).what)

function openFigures(share: Share, nowMs: number): readonly string[] {
  const live = liveReceivers(share)
  if (share.receivers.length === 0) return share.code === null ? [] : [share.code]
  if (live.length === 0) return [finishedFact(share)]
  return [text.share.people(live.length), ...together(share, nowMs)]
}

function together(share: Share, nowMs: number): readonly string[] {
  const { bytes, totalBytes } = moved(share)
  if (totalBytes === 0) return []
  const rate = share.receivers
    .flatMap(({ phase, progress }) => (phase === 'receiving' && progress ? [progress] : []))
    .reduce((sum, { samples }) => sum + (bytesPerSecond(samples, nowMs) ?? 0), 0)
  const percent = formatPercent(bytes, totalBytes)
  if (rate < 1) return [percent]
  const left = text.progress.timeLeft(formatTimeLeft((totalBytes - bytes) / rate))
  return [percent, formatRate(rate), left]
}

const reconnectingFact = (share: Share): string =>
  liveReceivers(share).length > 0 ? text.share.transfersContinue : text.share.newPeopleWait

/** A receiver, and the number of times that its computer has ended a transfer of this share. */
export type ReceiverRow = { readonly receiver: Receiver; readonly ends: number }

/** The connected receivers, then one row for each computer that has ended, with its latest transfer. */
export function receiverRows(share: Share): readonly ReceiverRow[] {
  const ended = new Map<string, ReceiverRow>()
  for (const receiver of share.receivers.filter(hasEnded)) {
    const { name, contact = name } = receiver
    const ends = (ended.get(contact)?.ends ?? 0) + 1
    ended.set(contact, { receiver, ends })
  }
  const live = liveReceivers(share).map((receiver) => ({ receiver, ends: 0 }))
  return [...live, ...ended.values()]
}

function finishedFact(share: Share): string {
  const { receivers } = share
  if (share.requests === true) return text.share.requestEnded
  if (receivers.length === 0) return text.share.noOneJoined
  const names = (some: readonly Receiver[]) => new Set(some.map(({ name }) => name)).size
  const finished = names(receivers.filter(({ phase }) => phase === 'done'))
  return text.share.peopleFinished({ finished, people: names(receivers) })
}

/** The line below the question of letting a receiver in. */
export const receiverQuestion = ({ safety, browser }: Receiver): Sentence =>
  sentence(text.receivers.safety(formatSafety(safety)), 'accent', [
    ...(browser === true ? [text.receivers.inBrowser] : []),
    text.receivers.compareSafety,
  ])

/** The line below the name in a row, with the number of transfers if there are several. */
export function rowSentence({ receiver, ends }: ReceiverRow, nowMs: number): Sentence {
  const said = receiverSentence(receiver, nowMs)
  return ends < 2 ? said : { ...said, rest: [...said.rest, text.receivers.ends(ends)] }
}

/** The line below a receiver's name. */
export function receiverSentence(receiver: Receiver, nowMs: number): Sentence {
  const words = receiverLabel(receiver)
  if (isRunning(receiver)) return runningSentence(receiver, nowMs)
  switch (receiver.phase) {
    case 'connecting':
      return sentence(words, 'accent', [text.progress.tryingDirect])
    case 'approving':
      return sentence(words, 'accent')
    case 'deciding':
      return sentence(words, 'plain', [text.receivers.reviewing])
    case 'in-step':
      return sentence(words, 'success')
    case 'interrupted':
      return sentence(words, 'warning', [text.receivers.resumesWhenBack])
    case 'done':
      return doneSentence(words, receiver.outcome, 'sender')
    default:
      return failedSentence(receiver)
  }
}

function runningSentence(receiver: Receiver, nowMs: number): Sentence {
  const { route, progress } = receiver
  const figures = progressFigures(receiver, nowMs, { withSpeed: false })
  const via = route?.kind === 'relay' ? [text.receivers.via(route.relay)] : []
  const chosen = progress === null ? [] : choiceNotes(progress, 'sender')
  return sentence(receiverLabel(receiver), flowTone(receiver), [...figures, ...chosen, ...via])
}

function failedSentence(receiver: Receiver): Sentence {
  const words = receiverLabel(receiver)
  switch (receiver.error?.code) {
    case 'E_DECLINED':
    case 'E_UNDECIDED':
    case 'E_CANCELLED':
    case 'E_STOPPED':
    case 'E_REFUSED':
      return sentence(words)
    default:
      return sentence(words, 'danger', [receiverFailure(receiver)])
  }
}
