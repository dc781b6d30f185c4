/** The label of each state, the same in the window and in the terminal, and notes about codes and files. */
import type {
  CodeEnd,
  FlowState,
  Guesses,
  Receive,
  Receiver,
  Share,
  StallReason,
  StorageTrouble,
  TransferOutcome,
} from '#shared/app-state'
import { isRunning } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import type { AppError } from '#shared/errors'
import { formatBytes, formatCount } from '#shared/format'
import { limits } from '#shared/limits'
import { plural } from '#shared/plural'

/** What a share does: `Waiting`, `Sending`, `Paused by you`. */
export function shareLabel(share: Share): string {
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
      return endLabel(share.error)
    default:
      return assertNever(share.phase)
  }
}

/** What one receiver of a share does, as the sender sees it. */
export function receiverLabel(receiver: Receiver): string {
  switch (receiver.phase) {
    case 'connecting':
      return 'Connecting'
    case 'deciding':
      return receiver.reconnections > 0 ? 'Reconnected' : 'Deciding'
    case 'receiving':
      return 'Sending'
    case 'finishing':
    case 'paused':
    case 'paused-by-peer':
    case 'disk-full':
    case 'peer-disk-full':
      return flowLabel(receiver.flow)
    case 'interrupted':
      return 'Interrupted'
    case 'done':
      return doneLabel(receiver.outcome)
    case 'failed':
      return endLabel(receiver.error)
    default:
      return assertNever(receiver.phase)
  }
}

/** What a receive does. */
export function receiveLabel(receive: Receive): string {
  switch (receive.phase) {
    case 'looking-up':
    case 'listing':
    case 'preparing':
      return 'Preparing'
    case 'connecting':
      return 'Connecting'
    case 'offered':
      return 'Waiting for you'
    case 'receiving':
      return 'Receiving'
    case 'finishing':
    case 'paused':
    case 'paused-by-peer':
    case 'disk-full':
    case 'peer-disk-full':
      return flowLabel(receive.flow)
    case 'reconnecting':
      return `Reconnecting (attempt ${receive.attempt})`
    case 'interrupted':
      return 'Interrupted'
    case 'done':
      return doneLabel(receive.outcome)
    case 'failed':
      return endLabel(receive.error)
    default:
      return assertNever(receive.phase)
  }
}

/** What wrong attempts mean for a share; `null` as long as they may just be typing errors. */
export function guessNote({ wrong, locked, spent }: Guesses): string | null {
  if (spent) {
    return 'Too many wrong attempts, so no one new can join this share. Create a new share to let more people in. Current transfers continue.'
  }
  const attempts = formatCount(wrong)
  if (locked) {
    return `Locked after ${attempts} wrong attempts. Create a new code. Current transfers continue.`
  }
  if (wrong <= limits.guessesUnnoticed) return null
  return plural(wrong, {
    one: `${attempts} wrong attempt to enter this code. Someone may be guessing.`,
    other: `${attempts} wrong attempts to enter this code. Someone may be guessing.`,
  })
}

/** What it means for a share that many strangers try to join it. */
export const crowdNote =
  'Many strangers are trying to join, so receivers may have to wait or try again. Creating a new code helps.'

/** Why a share has another code although no one asked for it. */
export const movedNote =
  'The server gave this share a different number, so it has a new code. The old one no longer works.'

/** Why no one new can join by a code. */
export function codeEndNote(why: CodeEnd): string {
  switch (why) {
    case 'one-receiver':
      return 'Someone has joined. This one-time code no longer works.'
    case 'expired':
      return 'This code has expired. Current transfers continue.'
    default:
      return assertNever(why)
  }
}

/** What trouble with a file of the application means. */
export function storageNote({ kind, file }: StorageTrouble): string {
  switch (kind) {
    case 'damaged':
      return `${file} was damaged and has been replaced by a new one. The old file is kept next to it.`
    case 'newer':
      return `${file} is from a newer version of Thruflux. It is left unchanged; changes won't be saved.`
    case 'unsafe':
      return `${file} isn't used because other accounts could read or change it. Changes won't be saved.`
    case 'inaccessible':
      return `${file} can't be read or written. Changes won't be saved.`
    default:
      return assertNever(kind)
  }
}

/** Why no data moves although it should, to follow a label; `null` when it moves. */
export function stallLabel(reason: StallReason): string | null {
  switch (reason) {
    case 'none':
      return null
    case 'network':
      return 'no data is getting through'
    case 'peer':
      return "the other computer isn't responding"
    case 'no-route':
      return 'no connection yet, trying again'
    case 'own-disk':
      return "this computer's disk is busy"
    case 'peer-disk':
      return "the other computer's disk is busy"
    case 'source':
      return 'reading the files is slow'
    case 'limit':
      return 'slowed by a speed limit'
    default:
      return assertNever(reason)
  }
}

function flowLabel(flow: FlowState): string {
  switch (flow.kind) {
    case 'flowing':
      return 'Transferring'
    case 'finishing':
      return 'Finishing'
    case 'paused':
      return 'Paused by you'
    case 'paused-by-peer':
      return 'Paused by the other side'
    case 'disk-full':
      return fullLabel(flow)
    case 'peer-disk-full':
      return flow.need > 0
        ? `Waiting for ${formatBytes(flow.need)} of space on their disk`
        : 'Waiting for space on their disk'
    default:
      return assertNever(flow)
  }
}

const fullLabel = ({ need, full }: Extract<FlowState, { kind: 'disk-full' }>): string => {
  switch (full) {
    case 'quota':
      return 'Waiting: your disk quota is used up'
    case 'files':
      return "Waiting: this disk can't hold more files"
    case undefined:
      return `Waiting for ${formatBytes(need)} of disk space`
    default:
      return assertNever(full)
  }
}

function doneLabel(outcome: Pick<TransferOutcome, 'problems'> | null): string {
  if (outcome === null || outcome.problems === 0) return 'Received and verified'
  const problems = formatCount(outcome.problems)
  return plural(outcome.problems, {
    one: `Done with ${problems} problem`,
    other: `Done with ${problems} problems`,
  })
}

/** An end that someone chose is no failure. */
function endLabel(error: AppError | null): string {
  switch (error?.code) {
    case 'E_DECLINED':
      return 'Declined'
    case 'E_UNDECIDED':
      return 'Waiting for approval'
    case 'E_CANCELLED':
      return 'Canceled'
    case 'E_STOPPED':
      return 'Stopped by the other side'
    default:
      return 'Failed'
  }
}
