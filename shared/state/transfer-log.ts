/**
 * The event log of one share or receive, for a report. It contains names of files and people, and addresses; no code,
 * word, key or safety number. Always English.
 */
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import type { FlowState, Route } from '#shared/state/app-state'
import { bottleneckShares, type ConnectionStatistics } from '#shared/state/connection-statistics'
import type { Counters, Outcome } from '#shared/state/counters'

export type TransferLog = {
  /** Oldest first, at most `limits.logLines`. */
  readonly lines: readonly string[]
  readonly dropped: number
  /** Unix milliseconds of the last logged progress for each side and for its connection's figures. */
  readonly progressMs: Readonly<Record<string, number>>
}

export const emptyLog: TransferLog = { lines: [], dropped: 0, progressMs: {} }

/** Progress arrives ten times a second; a report only needs to show that it continued. */
const progressEveryMs = 10_000

/** The share or receive that an event is about, or `null`. */
export const subjectOf = (event: AppEvent): string | null => {
  if ('receive' in event) return event.receive
  return 'share' in event ? event.share : null
}

/** Adds an event to the log; not every event adds a line. */
export function logged(log: TransferLog, event: AppEvent): TransferLog {
  const side = 'peer' in event ? event.peer : ''
  const figures = figuresOf(event, side)
  if (figures !== null && event.atMs < (log.progressMs[figures] ?? -Infinity) + progressEveryMs) {
    return log
  }
  const words = wordsOf(event)
  if (words === null) return log
  const who = side === '' ? '' : ` [${side.slice(0, 8)}]`
  const line = `${new Date(event.atMs).toISOString()}${who} ${words}`.slice(0, limits.logLineLength)
  const lines = [...log.lines, oneLine(line)]
  const excess = Math.max(0, lines.length - limits.logLines)
  const sides = Object.keys(log.progressMs).length < 2 * limits.receiversShown ? log.progressMs : {}
  return {
    lines: lines.slice(excess),
    dropped: log.dropped + excess,
    progressMs: figures === null ? log.progressMs : { ...sides, [figures]: event.atMs },
  }
}

/** Names the side's figures that an event renews; `null` for any other event. */
function figuresOf({ type }: AppEvent, side: string): string | null {
  if (type === 'receive-progressed' || type === 'receiver-progressed') return side
  return type === 'receive-measured' || type === 'receiver-measured' ? `${side} measured` : null
}

/** The whole log as text to copy. */
export const logText = ({ lines, dropped }: TransferLog): string =>
  [
    'This log has names of files and people, and addresses, but no codes or keys.',
    ...(dropped > 0 ? [`${dropped.toString()} earlier lines are left out.`] : []),
    ...lines,
    '',
  ].join('\n')

function wordsOf(event: AppEvent): string | null {
  switch (event.type) {
    case 'share-opened':
      return `share opened: ${event.title}`
    case 'share-coded':
      return 'code assigned'
    case 'share-reachable':
      return 'invited people can join'
    case 'share-code-ended':
      return `code ended: ${event.why}`
    case 'share-unreachable':
      return 'signaling server unreachable'
    case 'share-paused':
      return event.paused ? 'all receivers paused' : 'all receivers resumed'
    case 'share-stopped':
      return 'share stopped'
    case 'share-problem':
    case 'receive-problem':
      return `problem: ${errorWords(event.error)}: ${event.path}`
    case 'receiver-joined':
      return 'receiver proved that it knows the code'
    case 'receiver-connected':
      return `connected to ${event.name}, ${routeWords(event.route)}`
    case 'receive-connected':
      return `connected to ${event.from}, ${routeWords(event.route)}`
    case 'receiver-route-changed':
    case 'receive-route-changed':
      return `continues on another path, ${routeWords(event.route)}`
    case 'receiver-accepted':
      return 'receiver accepted'
    case 'receive-opened':
      return 'receive opened'
    case 'receive-found':
      return 'share found'
    case 'receive-paired':
      return 'paired'
    case 'receive-reached':
      return 'path to the sender found'
    case 'receive-offered':
      return `offered: ${event.totals.files.toString()} files, ${event.totals.bytes.toString()} bytes`
    case 'receive-accepted':
      return `accepted into ${event.directory}`
    case 'receive-started':
      return `started, ${event.resumedBytes.toString()} bytes resumed`
    case 'receiver-progressed':
    case 'receive-progressed':
      return progressWords(event.counters)
    case 'receiver-measured':
    case 'receive-measured':
      return statisticsWords(event.statistics)
    case 'receiver-flow-changed':
    case 'receive-flow-changed':
      return `flow: ${flowWords(event.flow)}`
    case 'receiver-stalled':
    case 'receive-stalled':
      return event.reason === 'none' ? 'data moves again' : `stalled: ${event.reason}`
    case 'receive-lost':
      return `connection lost, attempt ${event.attempt.toString()} follows: ${errorWords(event.error)}`
    case 'receiver-in-step':
    case 'receive-in-step':
      return `in step, ${outcomeWords(event.outcome)}`
    case 'receiver-finished':
    case 'receive-finished':
      return outcomeWords(event.outcome)
    case 'receive-interrupted':
      return `interrupted: ${errorWords(event.error)}`
    case 'share-failed':
    case 'receiver-failed':
    case 'receive-failed':
      return `failed: ${errorWords(event.error)}`
    default:
      return null
  }
}

const routeWords = ({ kind, family, transport, remote, relay, serverRelay, why }: Route): string =>
  `${kind} over IPv${family.toString()} ${transport}, ${remote}${relay === '' ? '' : ` through relay ${relay}`}` +
  (serverRelay === true ? ', the signaling server itself' : '') +
  (why === undefined ? '' : `, ${why}`)

const errorWords = ({ code, detail }: AppError): string =>
  detail === '' ? code : `${code} (${detail})`

const flowWords = (flow: FlowState): string =>
  'need' in flow ? `${flow.kind}, ${flow.need.toString()} bytes needed` : flow.kind

const progressWords = ({ files, bytes, totalFiles, totalBytes, transferred }: Counters): string =>
  `${files.toString()} of ${totalFiles.toString()} files, ${bytes.toString()} of ` +
  `${totalBytes.toString()} bytes, ${transferred.toString()} transferred`

const statisticsWords = (statistics: ConnectionStatistics): string => {
  const shares = bottleneckShares(statistics)
    .map(([bottleneck, percent]) => `${bottleneck} ${percent.toString()}%`)
    .join(', ')
  return (
    `limited by ${statistics.limitedBy} (so far ${shares}), RTT ${statistics.rttMs.toFixed(1)} ms, ` +
    `${statistics.congestionControl} window ${statistics.congestionWindow.toString()}, ` +
    `${statistics.bytesInFlight.toString()} in flight, ` +
    (statistics.carefulResume === 'none' ? '' : `careful resume ${statistics.carefulResume}, `) +
    (statistics.pacingRate === null
      ? ''
      : `paced at ${statistics.pacingRate.toString()} bytes a second, `) +
    `${statistics.packetsLost.toString()} of ${statistics.packetsSent.toString()} packets lost, ` +
    (statistics.packetsLate === null ? '' : `${statistics.packetsLate.toString()} of them late, `) +
    `compression saved ${statistics.compressionSaved.toString()} bytes, ` +
    `datagrams of ${statistics.datagramBytes.toString()} bytes`
  )
}

const outcomeWords = (outcome: Outcome): string => {
  const { files, bytes, problems, renamed, transferred } = outcome
  const { identical, uncompared, offeredFiles, unwantedFiles } = outcome
  return (
    `finished: ${files.toString()} files, ${bytes.toString()} bytes, ${problems.toString()} problems, ` +
    `${renamed.toString()} renamed, ${transferred.toString()} transferred, ` +
    `${identical.toString()} identical, ${uncompared.toString()} of them not compared, ` +
    `${unwantedFiles.toString()} of ${offeredFiles.toString()} files not wanted`
  )
}

/** Keeps a name from elsewhere on one line, so that it can't imitate another one. */
const oneLine = (line: string): string => line.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
