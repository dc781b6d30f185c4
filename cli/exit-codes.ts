/**
 * Exit codes of `thru`, for scripts. They are part of the interface: never changed, only added to.
 * `text.exitCode` describes them.
 *
 * `thru host` runs until it is stopped. It exits with 0 if at least one receiver has everything and
 * no receiver lacks anything. It exits with 8 if a receiver lacks something, and with 130 or 143 if
 * no receiver got anything. With `--once` it exits with the result of its one receiver, and with
 * `--to` with those of the contacts: 8 if only some of them have everything. An entry that can't be
 * offered is a problem at both ends.
 */
import { type AppError, type ErrorCode, errorCodes } from '#shared/errors'
import { isRunning, type Receive, type Receiver, type Share } from '#shared/state/app-state'
import { isSettled, type NearbyCall } from '#shared/state/nearby'
import { directAddress } from '#shared/state/queries'
import type { StopSignal } from './terminal/stop-signal'
import { text } from './text'

/** Exit codes by meaning. */
export const exitCodes = {
  complete: 0,
  internal: 1,
  usage: 2,
  code: 3,
  server: 4,
  noRoute: 5,
  peer: 6,
  disk: 7,
  problems: 8,
  sources: 9,
  unverified: 10,
  declined: 11,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const

/** One of `exitCodes`. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** One line per exit code, for `--help`. */
export const exitCodeLines = (): readonly string[] =>
  exitCodeNames().map(
    (name) => `  ${String(exitCodes[name]).padEnd(5)} ${text.exitCode[name].short}`,
  )

/** The names of the exit codes, smallest code first. */
export const exitCodeNames = (): readonly (keyof typeof exitCodes)[] =>
  (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).sort((a, b) => exitCodes[a] - exitCodes[b])

/** The errors that make a command exit with `exitCode`. */
export const errorsOf = (exitCode: ExitCode): readonly ErrorCode[] =>
  errorCodes.filter((code) => byError[code] === exitCode)

const byError: { readonly [code in ErrorCode]: ExitCode } = {
  E_BAD_ARGUMENT: exitCodes.usage,
  E_BAD_CODE: exitCodes.code,
  E_NO_SUCH_CODE: exitCodes.code,
  E_CODE_MISMATCH: exitCodes.code,
  E_CODE_LOCKED: exitCodes.code,
  E_OWN_CODE: exitCodes.code,
  E_CODE_REQUESTS: exitCodes.code,
  E_CODE_SHARES: exitCodes.code,
  E_CONTACT_UNKNOWN: exitCodes.code,
  E_SIGNALING_ALTERED: exitCodes.unverified,
  E_SERVER_UNCONFIRMED: exitCodes.server,
  E_SERVER_UNREACHABLE: exitCodes.server,
  E_SERVER_IDENTITY: exitCodes.server,
  E_SERVER_BUSY: exitCodes.server,
  E_SERVER_PROTOCOL: exitCodes.server,
  E_PROXY_UNREACHABLE: exitCodes.server,
  E_SERVER_PASSWORD: exitCodes.server,
  E_PROXY_AUTH: exitCodes.server,
  E_PROXY_REFUSED: exitCodes.server,
  E_RATE_LIMITED: exitCodes.server,
  E_PATH_NOT_FOUND: exitCodes.sources,
  E_PATH_UNREADABLE: exitCodes.sources,
  E_PATH_UNSUPPORTED: exitCodes.sources,
  E_LINK_OUTSIDE: exitCodes.sources,
  E_NAME_NOT_ALLOWED: exitCodes.disk,
  E_ATTRIBUTES_LEFT_OUT: exitCodes.disk,
  E_NOTHING_TO_SEND: exitCodes.sources,
  E_SOURCE_CHANGED: exitCodes.sources,
  E_TARGET_NOT_WRITABLE: exitCodes.disk,
  E_DISK_FULL: exitCodes.disk,
  E_DISK_IO: exitCodes.disk,
  E_FILE_TOO_LARGE: exitCodes.disk,
  E_TARGET_GONE: exitCodes.disk,
  E_NO_ROUTE: exitCodes.noRoute,
  E_NO_RELAY: exitCodes.noRoute,
  E_NOT_DIRECT: exitCodes.noRoute,
  E_RELAY_IDENTITY: exitCodes.noRoute,
  E_RELAY_QUOTA: exitCodes.noRoute,
  E_PEER_GONE: exitCodes.peer,
  E_PEER_PROTOCOL: exitCodes.peer,
  E_PEER_VERSION: exitCodes.peer,
  E_PEER_IDENTITY: exitCodes.unverified,
  E_HASH_MISMATCH: exitCodes.unverified,
  E_BAD_MANIFEST: exitCodes.peer,
  E_TOO_MANY_RECEIVERS: exitCodes.peer,
  E_NO_BROWSERS: exitCodes.declined,
  E_REFUSED: exitCodes.declined,
  E_UNANSWERED: exitCodes.declined,
  E_STREAM_STARTED: exitCodes.peer,
  E_STREAM_BROKEN: exitCodes.peer,
  E_OUTPUT_CLOSED: exitCodes.brokenPipe,
  E_DECLINED: exitCodes.declined,
  E_UNDECIDED: exitCodes.declined,
  E_SHARE_CHANGED: exitCodes.peer,
  E_STOPPED: exitCodes.peer,
  E_CANCELLED: exitCodes.interrupted,
  E_LIMIT_EXCEEDED: exitCodes.usage,
  E_ENGINE_BUSY: exitCodes.internal,
  E_ENGINE_CLOSED: exitCodes.internal,
  E_INTERNAL: exitCodes.internal,
}

/** Exit code of a command that failed with `error`. */
export const exitCodeOf = (error: AppError): ExitCode => byError[error.code]

/** Exit code of a command that `signal` stopped before it was complete. */
export const exitCodeOfSignal = (signal: StopSignal): ExitCode =>
  signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated

/** Exit code of `thru join` once the receive has ended. */
export function exitCodeOfReceive(receive: Receive): ExitCode {
  if (receive.error !== null) return exitCodeOf(receive.error)
  const { leftOut, outcome, problems } = receive
  const isComplete = outcome?.problems === 0 && problems.length + leftOut.length === 0
  return isComplete ? exitCodes.complete : exitCodes.problems
}

/** Exit code of `thru join` after `signal` stopped it. One that is up to date lacks nothing. */
export const exitCodeOfStopped = (receive: Receive, signal: StopSignal): ExitCode =>
  receive.phase === 'in-step' ? exitCodeOfReceive(receive) : exitCodeOfSignal(signal)

/** True if the receiver had part of the data before it joined, so it is one that was lost. */
const hadData = ({ outcome }: Receiver): boolean =>
  outcome !== null && outcome.transferred < outcome.bytes - outcome.identicalBytes

/**
 * True if `complete` is the lost receiver, joining again with the code, which doesn't identify it. Its name and address
 * do, or its name and the data that it had if the addresses can't be compared.
 */
function hasReturned(lost: Receiver, complete: Receiver): boolean {
  if (lost.contact !== undefined) return lost.contact === complete.contact
  if (lost.name === '' || withoutNumber(lost) !== withoutNumber(complete)) return false
  const [before, after] = [directAddress(lost), directAddress(complete)]
  if (before === null || after === null) return hadData(complete)
  return isIpv6(before) === isIpv6(after) ? before === after : hadData(complete)
}

const isIpv6 = (address: string): boolean => address.startsWith('[')

/** True if the connection has ended with an error, or nothing comes over it. */
const isLost = ({ error, phase, stall }: Receiver): boolean =>
  error !== null || phase === 'interrupted' || stall === 'network'

/** The name as the receiver gave it. */
const withoutNumber = ({ name }: Receiver): string => name.replace(/ \(\d+\)$/, '')

/** Exit code of `thru host` after `signal` stopped the share. */
export function exitCodeOfShare(share: Share, signal: StopSignal): ExitCode {
  const complete = share.receivers.filter(({ outcome }) => outcome?.problems === 0)
  const later = (at: number): readonly Receiver[] =>
    complete.filter((other) => share.receivers.indexOf(other) > at)
  const missing = share.receivers.filter(
    (one, at) =>
      one.outcome?.problems !== 0 &&
      (one.error === null || exitCodeOf(one.error) !== exitCodes.declined) &&
      !(isLost(one) && later(at).some((other) => hasReturned(one, other))),
  )
  if (complete.length === 0 && missing.every(({ outcome }) => outcome === null)) {
    return exitCodeOfSignal(signal)
  }
  const isComplete = missing.length === 0 && share.problems.length === 0
  return isComplete ? exitCodes.complete : exitCodes.problems
}

function exitCodeOfReceiver({ error, outcome }: Receiver): ExitCode {
  if (error !== null) return exitCodeOf(error)
  if (outcome === null) return exitCodes.declined
  return outcome.problems === 0 ? exitCodes.complete : exitCodes.problems
}

/** Results of calls that led to no receiver. */
const codeOfCall: { readonly [phase in Exclude<NearbyCall['phase'], 'joining'>]: ExitCode } = {
  calling: exitCodes.peer,
  asked: exitCodes.declined,
  confirmed: exitCodes.declined,
  accepted: exitCodes.declined,
  declined: exitCodes.declined,
  busy: exitCodes.declined,
  refused: exitCodes.declined,
  gone: exitCodes.peer,
  differs: exitCodes.unverified,
}

/**
 * Exit code of `thru host --to`. `signal` ended it before everyone had answered; otherwise those who have not answered
 * count as declined.
 */
export function exitCodeOfInvited(share: Share, signal?: StopSignal): ExitCode {
  const { receivers, invited = [], calls = [], problems } = share
  const latest = receivers.filter(
    (one, index) =>
      !receivers
        .slice(index + 1)
        .some(({ contact }) => contact !== undefined && contact === one.contact),
  )
  const missing = invited.filter(
    ({ contact, phase }) => phase !== 'joined' && !latest.some((one) => one.contact === contact),
  )
  const isCut =
    signal !== undefined &&
    (missing.some(({ phase }) => phase !== 'removed') ||
      latest.some(isRunning) ||
      !calls.every(isSettled))
  const codes: readonly ExitCode[] = [
    ...latest.map(exitCodeOfReceiver),
    ...calls.flatMap(({ phase }) => (phase === 'joining' ? [] : [codeOfCall[phase]])),
    ...missing.map(({ phase }) => (phase === 'removed' ? exitCodes.code : exitCodes.declined)),
  ]
  const failed = codes.find((code) => code !== exitCodes.complete)
  if (failed === undefined) return problems.length === 0 ? exitCodes.complete : exitCodes.problems
  if (codes.includes(exitCodes.complete)) return exitCodes.problems
  return isCut ? exitCodeOfSignal(signal) : failed
}

/** Exit code of `thru host --once` once its one receiver has ended. */
export function exitCodeOfOne({ receivers: all, problems }: Share): ExitCode {
  // Others may have asked to join and been refused.
  const accepted = all.filter(({ acceptedAtMs }) => acceptedAtMs !== undefined)
  const receivers = accepted.length > 0 ? accepted : all
  const failed = receivers.find(({ error }) => error !== null)?.error
  if (failed !== undefined && failed !== null) return exitCodeOf(failed)
  const isComplete = receivers.every(({ outcome }) => outcome?.problems === 0)
  return isComplete && problems.length === 0 ? exitCodes.complete : exitCodes.problems
}
