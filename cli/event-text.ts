/** The sentences of the terminal: totals, routes, ends and problems. */
import type {
  ItemProblem,
  LeftOut,
  Receive,
  Receiver,
  Route,
  Totals,
  TransferOutcome,
} from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import { describeError, type ErrorText } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import { formatBytes, formatCount, formatCounted, formatDuration } from '#shared/format'
import { countLeftOut, leftOutReason } from '#shared/left-out-words'
import { visibleText } from '#shared/visible-text'

/** `12,480 files · 84.2 GB`. */
export const totalsText = ({ files, bytes }: Pick<Totals, 'files' | 'bytes'>): string =>
  `${formatCounted(files, 'file')} · ${formatBytes(bytes)}`

/** How two computers are connected, in words. */
export function routeText({ kind, family, transport, relay }: Route): string {
  switch (kind) {
    case 'local':
      return 'on the local network'
    case 'direct':
      return family === 6 ? 'directly (IPv6)' : 'directly'
    case 'relay':
      return `relayed via ${relay}${transport === 'tcp' ? ' (TCP)' : ''}`
    default:
      return assertNever(kind)
  }
}

/** `Verified. 61.9 GB in 9 min 8 s`, and what is not as it should be. */
export function outcomeText(outcome: TransferOutcome): string {
  const { files, bytes, problems, renamed, startedAtMs, endedAtMs } = outcome
  const time = `${formatBytes(bytes)} in ${formatDuration(Math.max(1000, endedAtMs - startedAtMs))}`
  const verified =
    problems === 0
      ? `Verified. ${time}`
      : `Done with ${formatCounted(problems, 'problem')} · ${formatCounted(files, 'file')} verified · ${time}`
  return renamed === 0
    ? verified
    : `${verified} · ${formatCounted(renamed, 'file')} got another name, because theirs was taken`
}

/** `Skipped identical 3 · kept both 2 · resumed 1.2 GB · transferred 3.4 GB`; empty for the usual. */
export function summaryText({
  conflicts,
  resumedBytes,
  outcome,
  leftOut,
  mappedCount,
}: Receive): string {
  const parts = [
    ...counted('skipped identical', conflicts?.identical),
    ...counted('kept both', conflicts?.keptBoth),
    ...counted('replaced', conflicts?.replaced),
    ...counted('left out', conflicts?.leftOut),
    ...(resumedBytes === 0 ? [] : [`resumed ${formatBytes(resumedBytes)}`]),
    ...counted('written under another name', mappedCount),
    ...(leftOut.length === 0
      ? []
      : [`${formatCount(countLeftOut(leftOut))} left out by the sender`]),
    ...(outcome?.verified === true ? ['read back from the disk'] : []),
  ]
  if (parts.length === 0 || outcome === null) return ''
  const text = [...parts, `transferred ${formatBytes(outcome.transferred)}`].join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const counted = (what: string, count: number | undefined): readonly string[] =>
  count === undefined || count === 0 ? [] : [`${what} ${formatCount(count)}`]

/** What happened, what to do, and the names for a search; `told` says it for another side. */
export const errorText = (error: AppError, told: ErrorText = describeError(error)): string => {
  const { what, remedy } = told
  const isSaid = error.detail === '' || error.code === 'E_BAD_ARGUMENT'
  const detail = isSaid ? error.code : `${error.code}: ${error.detail}`
  return `${what} ${remedy} [${detail}]`
}

/** One file or folder that is missing. */
export const problemText = ({ path, error }: ItemProblem, told?: ErrorText): string => {
  const text = errorText(error, told)
  const shown = visibleText(path)
  return text.includes(shown) ? `Problem: ${text}` : `Problem: ${shown}: ${text}`
}

/** Most paths that a line about what is left out names. */
const pathsShown = 3

/** One line for each reason; empty when nothing is left out. */
export const leftOutLines = (leftOut: readonly LeftOut[], from: string): readonly string[] =>
  leftOut.length === 0
    ? []
    : [
        `${from === '' ? 'The sender' : from} leaves out ${formatCount(countLeftOut(leftOut))}:`,
        ...leftOut.map((reason) => {
          const named = reason.paths.slice(0, pathsShown)
          const more = reason.entries > named.length && named.length > 0 ? ', ...' : ''
          const paths = named.length === 0 ? '' : `: ${named.join(', ')}${more}`
          return `  ${leftOutReason(reason)}${paths}`
        }),
      ]

/** What a receiver is called, also before it said so. */
export const nameOf = (receiver: Receiver | undefined): string =>
  receiver === undefined || receiver.name === '' ? 'A receiver' : receiver.name
