/** Totals, routes, ends and problems as lines of the terminal. */
import { assertNever } from '#shared/assert-never'
import { describeError, type ErrorText } from '#shared/describe-error'
import type { AppError, ErrorCode } from '#shared/errors'
import { formatBytes, formatDuration, formatRate } from '#shared/format/format'
import { averageRate } from '#shared/format/rate'
import { visibleText } from '#shared/format/visible-text'
import {
  contentLabel,
  endNotes,
  hasNoFiles,
  isNothingNew,
  receivedOf,
  type Side,
} from '#shared/labels'
import { countLeftOut, leftOutReason } from '#shared/left-out-words'
import {
  type Item,
  type ItemProblem,
  type LeftOut,
  type Receive,
  type Route,
  type StallReason,
  textsIn,
  type Totals,
  type TransferOutcome,
} from '#shared/state/app-state'
import { text } from '../text'

/** `12,480 files and 1 text · 84.2 GB`. */
export const totalsText = (
  { files, bytes }: Pick<Totals, 'files' | 'bytes'>,
  items: readonly Item[],
): string => [contentLabel(files, textsIn(items)), formatBytes(bytes)].join(text.separator)

/** The route between `name` and this computer. */
export function routeText(
  name: string,
  { kind, family, transport, relay, serverRelay }: Route,
): string {
  const { route } = text.transfer
  switch (kind) {
    case 'local':
      return route.local(name)
    case 'direct':
      return family === 6 ? route.direct6(name) : route.direct(name)
    case 'relay':
      if (serverRelay === true) return route.serverRelay(name, relay)
      return transport === 'tcp' ? route.relayTcp(name, relay) : route.relay(name, relay)
    default:
      return assertNever(kind)
  }
}

/** The note for a stall; another attempt to connect isn't a stall. */
export const stallNote = (reason: StallReason, why: string): string =>
  reason === 'no-route' ? text.transfer.noRouteYet : text.transfer.stalled(why)

export type EndOptions = {
  readonly side: Side
  readonly route: Route | null
  /** The number of texts among the files. */
  readonly texts: number
  /** Bytes that the receiver has from an earlier attempt, if known. */
  readonly resumedBytes?: number
}

/**
 * `Verified. 2 files · 61.9 GB in 9 min 8 s · 113 MB/s · direct`, followed by problems and notes. Only received
 * files are verified. The rate is the average over the bytes sent.
 */
export function outcomeText(
  outcome: TransferOutcome,
  { side, route, texts, resumedBytes = 0 }: EndOptions,
): string {
  const { problems, renamed, transferred, startedAtMs, endedAtMs } = outcome
  const words = text.transfer
  const notes = endNotes(outcome, side)
  if (problems === 0 && hasNoFiles(outcome)) return words.withoutFiles
  if (problems === 0 && isNothingNew(outcome)) {
    return words.nothingNew(notes.join(text.separator))
  }
  const { files, bytes } = receivedOf(outcome)
  const tookMs = endedAtMs - startedAtMs
  const time = tookMs < 1000 ? words.underASecond : formatDuration(tookMs)
  const came = bytes - resumedBytes - outcome.reusedBytes
  const size = words.sizeIn(bytes, Math.max(0, came), time)
  const amount = files === 0 ? '' : contentLabel(files, texts)
  const ended =
    problems === 0 ? words.verified(amount, size) : words.withProblems(problems, amount, size)
  const rate = averageRate(transferred, came, tookMs)
  return [
    ended,
    ...(rate === null ? [] : [formatRate(rate)]),
    ...(route === null ? [] : [words.routeKind[route.kind]]),
    ...(renamed === 0 ? [] : [words.renamed(renamed)]),
    ...notes,
  ].join(text.separator)
}

/** `Kept both: 2 · replaced: 1 · transferred: 3.4 GB`; empty if there is nothing unusual. */
export function summaryText({
  conflicts,
  resumedBytes,
  outcome,
  leftOut,
  mappedCount,
}: Receive): string {
  const { summary } = text.receive
  // They were counted before the data arrived, so failed files may be among them.
  const hasFailed = outcome !== null && outcome.problems > 0
  const most = hasFailed ? receivedOf(outcome).files : Infinity
  const done = (count = 0) => Math.min(count, most)
  // A file whose content is already there gets no second copy.
  const keptBoth = Math.min(done(conflicts?.keptBoth), outcome?.renamed ?? 0)
  const parts = [
    ...some(keptBoth, (count) => summary.keptBoth(count, hasFailed)),
    ...some(done(conflicts?.replaced), (count) => summary.replaced(count, hasFailed)),
    ...some(conflicts?.leftOut, summary.skipped),
    ...some(resumedBytes, summary.resumed),
    ...some(outcome?.reusedBytes, summary.reused),
    ...some(mappedCount, summary.mapped),
    ...some(countLeftOut(leftOut), summary.leftOut),
    ...(outcome?.readBack === true ? [summary.readBack] : []),
  ]
  if (parts.length === 0 || outcome === null) return ''
  const line = [...parts, summary.transferred(outcome.transferred)].join(text.separator)
  return line.charAt(0).toUpperCase() + line.slice(1)
}

const some = (count: number | undefined, inWords: (count: number) => string): readonly string[] =>
  count === undefined || count === 0 ? [] : [inWords(count)]

/** Ends that a person chose or understands without a search. */
const plain: ReadonlySet<ErrorCode> = new Set(['E_BAD_ARGUMENT', 'E_DECLINED', 'E_CANCELLED'])

/** Errors whose remedy is to pass on the details. */
const detailed: ReadonlySet<ErrorCode> = new Set(['E_INTERNAL', 'E_RELAY_IDENTITY'])

const remedies: { readonly [code in ErrorCode]?: string } = text.remedies

/** An error with the command's own remedy where it differs; `description` replaces the text for another side. */
export function describeHere(
  error: AppError,
  description: ErrorText = describeError(error),
): ErrorText {
  const isOwn = error.code === 'E_SERVER_UNREACHABLE' && error.detail === 'loopback is down'
  return {
    ...description,
    remedy: (isOwn ? undefined : remedies[error.code]) ?? description.remedy,
  }
}

/** A way to describe an error: `description` replaces the text for another side, and `verbose` adds names for a search. */
export type Wording = { readonly description?: ErrorText; readonly verbose?: boolean }

/** The event and the remedy. */
export const errorText = (error: AppError, { description, verbose }: Wording = {}): string => {
  const { what, remedy } = describeHere(error, description)
  return withNames(error, text.transfer.explained(what, remedy), verbose)
}

/** The event alone, without a remedy, because the program already acts on it. */
export const happenedText = (error: AppError, { description, verbose }: Wording): string =>
  withNames(error, describeHere(error, description).what, verbose)

function withNames(error: AppError, message: string, verbose = false): string {
  if (plain.has(error.code) || !(verbose || detailed.has(error.code))) return message
  const detail = error.detail === '' ? error.code : `${error.code}: ${error.detail}`
  return text.transfer.withDetail(message, detail)
}

/** One missing file or folder. */
export const problemText = ({ path, error }: ItemProblem, wording: Wording): string => {
  const message = errorText(error, wording)
  const shown = visibleText(path)
  return message.includes(shown)
    ? text.transfer.problem(message)
    : text.transfer.problemAt(shown, message)
}

/** Paths that a line about left-out entries names at most. */
const pathsShown = 3

/** One line for each reason; empty when nothing is left out. */
export const leftOutLines = (leftOut: readonly LeftOut[], sender: string): readonly string[] =>
  leftOut.length === 0
    ? []
    : [text.receive.leftOut(sender, countLeftOut(leftOut)), ...leftOut.map(leftOutLine)]

function leftOutLine(reason: LeftOut): string {
  const named = reason.paths.slice(0, pathsShown)
  const why = leftOutReason(reason)
  if (named.length === 0) return text.receive.leftOutReason(why)
  const line = reason.entries > named.length ? text.receive.leftOutMore : text.receive.leftOutPaths
  return line(why, named.join(', '))
}
