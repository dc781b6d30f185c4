/** The label of each state, the same in the window and in the terminal, and notes about codes and files. */
import { assertNever } from '#shared/assert-never'
import type { AppError, ErrorCode } from '#shared/errors'
import { formatBytes } from '#shared/format/format'
import { limits } from '#shared/limits'
import type {
  CodeEnd,
  FlowState,
  Guesses,
  Receive,
  Receiver,
  Share,
  StallReason,
  TransferOutcome,
} from '#shared/state/app-state'
import { isRunning } from '#shared/state/app-state'
import type { StorageError } from '#shared/state/storage-error'
import { text } from '#shared/text/current'

/** The state of a share: `Waiting`, `Sending`, `Paused by you`. */
export function shareLabel(share: Share): string {
  switch (share.phase) {
    case 'opening':
      return text.states.preparing
    case 'open':
      if (share.paused) return text.states.paused
      return share.receivers.some(isRunning) ? text.states.sending : text.states.waiting
    case 'reconnecting':
      return text.states.reconnecting
    case 'stopped':
      return text.states.stopped
    case 'failed':
      return endLabel(share.error)
    default:
      return assertNever(share.phase)
  }
}

/** States that both sides call the same. */
const commonLabels = (transfer: Receiver | Receive) => ({
  connecting: text.states.connecting,
  finishing: flowLabel(transfer.flow),
  paused: flowLabel(transfer.flow),
  'paused-by-peer': flowLabel(transfer.flow),
  'disk-full': flowLabel(transfer.flow),
  'peer-disk-full': flowLabel(transfer.flow),
  'in-step': text.states.inStep,
  interrupted: text.states.interrupted,
  done: doneLabel(transfer.outcome),
  failed: endLabel(transfer.error),
})

/** The state of one receiver of a share, for the sender. */
export function receiverLabel(receiver: Receiver): string {
  const labels: { readonly [P in Receiver['phase']]: string } = {
    ...commonLabels(receiver),
    approving: text.states.asksToReceive,
    deciding: receiver.reconnections > 0 ? text.states.reconnected : text.states.deciding,
    receiving: text.states.sending,
  }
  return labels[receiver.phase]
}

/** The state of a receive. */
export function receiveLabel(receive: Receive): string {
  const labels: { readonly [P in Receive['phase']]: string } = {
    ...commonLabels(receive),
    'looking-up': text.states.preparing,
    listing: text.states.preparing,
    preparing: text.states.preparing,
    approving: text.states.waitingToBeLetIn(receive.from === '' ? text.peers.sender : receive.from),
    offered: text.states.waitingForYou,
    receiving: text.states.receiving,
    reconnecting: text.states.reconnectingAgain(receive.attempt),
  }
  return labels[receive.phase]
}

/** `2 files and 1 text`: `files` includes the texts. */
export const contentLabel = (files: number, texts: number): string =>
  text.counted.filesAndTexts({
    files: Math.max(0, files - texts),
    texts: Math.min(files, texts),
  })

/** The side that describes a transfer. */
export type Side = 'sender' | 'receiver'

/** The figures of an ended transfer that `endNotes` uses. */
export type EndFigures = Pick<
  TransferOutcome,
  | 'files'
  | 'bytes'
  | 'identical'
  | 'identicalBytes'
  | 'uncompared'
  | 'offeredFiles'
  | 'unwantedFiles'
>

/** The part of an ended transfer that was received, and therefore hashed. */
export const receivedOf = ({ files, bytes, identical, identicalBytes }: EndFigures) => ({
  files: files - identical,
  bytes: bytes - identicalBytes,
})

/** True when all files are wanted, and each was received or compared by its content. */
export const isWhole = ({ uncompared, unwantedFiles }: EndFigures): boolean =>
  uncompared === 0 && unwantedFiles === 0

/** True when the receiver has the whole offer, exactly as the sender has it. */
export const hasAll = (outcome: EndFigures & Pick<TransferOutcome, 'problems'>): boolean =>
  outcome.problems === 0 && isWhole(outcome)

/** Facts about files that the receiver had before, and the part of the offer that it wanted. */
export const endNotes = (figures: EndFigures, side: Side): readonly string[] => {
  const { identical, uncompared } = figures
  const before =
    identical === 0 ? [] : [text.ends[side].identical({ files: identical, uncompared })]
  return [...before, ...choiceNotes(figures, side)]
}

/** `2,900 of 3,000 files, their choice`, unless all of them are wanted. */
export const choiceNotes = (
  { offeredFiles, unwantedFiles }: Pick<EndFigures, 'offeredFiles' | 'unwantedFiles'>,
  side: Side,
): readonly string[] =>
  unwantedFiles === 0
    ? []
    : [text.ends[side].chosen({ files: offeredFiles - unwantedFiles, offeredFiles })]

/** The consequence of wrong attempts for a share; `null` while they may be typing errors. */
export function guessNote({ wrong, locked, spent }: Guesses): string | null {
  if (spent) return text.notes.tooManyGuesses
  if (locked) return text.notes.locked(wrong)
  return wrong <= limits.guessesUnnoticed ? null : text.notes.guessed(wrong)
}

/** The consequence for a share when many strangers try to join it. */
export const loadNote = (): string => text.notes.highLoad

/** The reason why a share's code has changed without a request. */
export const movedNote = (): string => text.notes.moved

/** The reason why a code admits no new receivers. */
export const codeEndNote = (why: CodeEnd, invitedOnly = false): string =>
  why === 'expired' && invitedOnly ? text.invitationsExpired : text.codeEnds[why]

/** The consequence of a problem with one of the application's files. */
export const storageNote = ({ kind, file }: StorageError): string => text.storage[kind](file)

/** The reason for a stall, to follow a label; `null` while data moves. */
export const stallLabel = (reason: StallReason): string | null =>
  reason === 'none' ? null : text.stalls[reason]

function flowLabel(flow: FlowState): string {
  switch (flow.kind) {
    case 'flowing':
      return text.states.transferring
    case 'finishing':
      return text.states.finishing
    case 'paused':
      return text.states.paused
    case 'paused-by-peer':
      return text.states.pausedByPeer
    case 'disk-full':
      return fullLabel(flow)
    case 'peer-disk-full':
      return flow.need > 0
        ? text.states.waitingForTheirSpace(formatBytes(flow.need))
        : text.states.waitingForTheirDisk
    default:
      return assertNever(flow)
  }
}

const fullLabel = ({ need, full }: Extract<FlowState, { kind: 'disk-full' }>): string => {
  if (full === undefined) return text.states.waitingForSpace(formatBytes(need))
  return { quota: text.states.quotaUsedUp, files: text.states.tooManyFiles }[full]
}

/** True when no file had to be sent: all existed before, weren't wanted, or none was offered. */
export const isNothingNew = ({ files, identical }: EndFigures): boolean => files === identical

/** True when no file was offered: folders and links have no content to verify. */
export const hasNoFiles = ({ files, offeredFiles }: EndFigures): boolean =>
  files + offeredFiles === 0

function doneLabel(outcome: TransferOutcome | null): string {
  if (outcome === null) return text.states.verified
  if (outcome.problems > 0) return text.states.doneWithProblems(outcome.problems)
  if (hasNoFiles(outcome)) return text.states.withoutFiles
  return isNothingNew(outcome) ? text.states.nothingNew : text.states.verified
}

/** An end that someone chose is no failure. */
function endLabel(error: AppError | null): string {
  const chosen: { readonly [C in ErrorCode]?: string } = {
    E_DECLINED: text.states.declined,
    E_UNDECIDED: text.states.undecided,
    E_CANCELLED: text.states.canceled,
    E_REFUSED: text.states.refused,
    E_UNANSWERED: text.states.unanswered,
    E_STOPPED: text.states.stoppedByPeer,
  }
  return chosen[error?.code as ErrorCode] ?? text.states.failed
}
