/** The words of each state, the same in the window and in the terminal. */
import type {
  CodeEnd,
  FlowState,
  Guesses,
  Receive,
  Receiver,
  Share,
  StallReason,
  StorageTrouble,
} from '#shared/app-state'
import { isRunning } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import type { AppError } from '#shared/errors'
import { formatBytes, formatCounted } from '#shared/format'
import { limits } from '#shared/limits'

/** `Waiting`, `Sending`, `Paused by you`: what a share does. */
export function shareWords(share: Share): string {
  switch (share.phase) {
    case 'opening':
      return 'Preparing'
    case 'open':
      if (share.paused) return 'Paused by you'
      return share.receivers.some(isRunning) ? 'Sending' : 'Waiting'
    case 'reconnecting':
      return 'Reconnecting'
    case 'stopped':
      return 'Stopped'
    case 'failed':
      return endWords(share.error)
    default:
      return assertNever(share.phase)
  }
}

/** What one receiver of a share does, seen by the sender. */
export function receiverWords(receiver: Receiver): string {
  switch (receiver.phase) {
    case 'connecting':
      return 'Connecting'
    case 'deciding':
      return receiver.returns > 0 ? 'Reconnected' : 'Deciding'
    case 'receiving':
      return 'Sending'
    case 'verifying':
    case 'paused':
    case 'paused-by-peer':
    case 'disk-full':
    case 'peer-disk-full':
      return flowWords(receiver.flow)
    case 'interrupted':
      return 'Interrupted'
    case 'done':
      return doneWords(receiver.outcome)
    case 'failed':
      return endWords(receiver.error)
    default:
      return assertNever(receiver.phase)
  }
}

/** What a receive does. */
export function receiveWords(receive: Receive): string {
  switch (receive.phase) {
    case 'looking-up':
    case 'listing':
    case 'preparing':
      return 'Preparing'
    case 'connecting':
      return 'Connecting'
    case 'offered':
      return 'Waiting'
    case 'receiving':
      return 'Receiving'
    case 'verifying':
    case 'paused':
    case 'paused-by-peer':
    case 'disk-full':
    case 'peer-disk-full':
      return flowWords(receive.flow)
    case 'reconnecting':
      return `Reconnecting (try ${receive.attempt})`
    case 'interrupted':
      return 'Interrupted'
    case 'done':
      return doneWords(receive.outcome)
    case 'failed':
      return endWords(receive.error)
    default:
      return assertNever(receive.phase)
  }
}

/** What wrong words mean for a share; `null` as long as it may just be a slip. */
export function guessWords({ wrong, locked, spent }: Guesses): string | null {
  if (spent) {
    return 'Too many wrong attempts at the codes of this share: nobody new comes in. Share again to go on; who is connected stays.'
  }
  if (locked) return `${wrong} wrong attempts: make a new code. Who is connected goes on.`
  return wrong <= limits.guessesUnnoticed
    ? null
    : `${wrong} wrong attempts at the words of this code: somebody may be guessing.`
}

/** What it means for a share that many strangers knock. */
export const crowdWords =
  'Many strangers are knocking: receivers may have to wait or try again. A new code helps, it has another number.'

/** Why the code is another one although nobody asked for that. */
export const movedWords =
  'The server gave this share another number, so there is a new code: the old one is void.'

/** Why nobody new comes in by a code. */
export function codeEndWords(why: CodeEnd): string {
  switch (why) {
    case 'one-receiver':
      return 'The one receiver is here: nobody else comes in by this code.'
    case 'expired':
      return "The code's time is over: nobody new comes in. Who is connected goes on."
    default:
      return assertNever(why)
  }
}

/** What trouble with a file means. */
export function storageWords({ kind, file }: StorageTrouble): string {
  switch (kind) {
    case 'damaged':
      return `${file} was damaged: a new one takes its place, the old one is kept beside it.`
    case 'newer':
      return `${file} is of a newer version of Thruflux: it is left as it is, and nothing is remembered.`
    case 'unsafe':
      return `${file} is not used: other accounts could read or change it. Nothing is remembered.`
    case 'inaccessible':
      return `${file} can't be read or written: nothing is remembered.`
    default:
      return assertNever(kind)
  }
}

/** `482 913`, as two people read it to each other. */
export const safetyWords = (safety: string): string => `${safety.slice(0, 3)} ${safety.slice(3)}`

/** Why nothing moves although it should; `null` when it moves. */
export function stallWords(reason: StallReason): string | null {
  switch (reason) {
    case 'none':
      return null
    case 'network':
      return 'nothing comes through the network'
    case 'peer':
      return 'the other computer says nothing'
    case 'no-route':
      return 'there is no way through yet, trying once more'
    case 'own-disk':
      return "this computer's disk is busy"
    case 'peer-disk':
      return "the other computer's disk is busy"
    case 'source':
      return 'the files can only be read slowly'
    case 'limit':
      return 'held back by a speed limit'
    default:
      return assertNever(reason)
  }
}

function flowWords(flow: FlowState): string {
  switch (flow.kind) {
    case 'flowing':
      return 'Transferring'
    case 'settling':
      return 'Verifying'
    case 'paused':
      return 'Paused by you'
    case 'paused-by-peer':
      return 'Paused by them'
    case 'disk-full':
      return fullWords(flow)
    case 'peer-disk-full':
      return flow.need > 0
        ? `Waiting for disk space there (${formatBytes(flow.need)})`
        : 'Waiting for disk space there'
    default:
      return assertNever(flow)
  }
}

const fullWords = ({ need, full }: Extract<FlowState, { kind: 'disk-full' }>): string => {
  switch (full) {
    case 'quota':
      return 'Waiting: your share of this disk is used up'
    case 'files':
      return 'Waiting: this disk holds no more files'
    case undefined:
      return `Waiting for disk space (${formatBytes(need)})`
    default:
      return assertNever(full)
  }
}

const doneWords = (outcome: { readonly problems: number } | null): string =>
  outcome === null || outcome.problems === 0
    ? 'Done - verified'
    : `Done with ${formatCounted(outcome.problems, 'problem')}`

/** An end that somebody chose is no failure. */
function endWords(error: AppError | null): string {
  switch (error?.code) {
    case 'E_DECLINED':
      return 'Declined'
    case 'E_UNDECIDED':
      return 'Waits to be looked at'
    case 'E_CANCELLED':
      return 'Cancelled'
    case 'E_STOPPED':
      return 'Stopped by them'
    default:
      return 'Failed'
  }
}
