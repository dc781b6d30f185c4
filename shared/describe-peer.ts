/**
 * Errors for the person at the other side: `describeError` addresses the side that had the error, and these describe
 * that side.
 */
import { describeError, type ErrorText } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import { formatPercent } from '#shared/format/format'
import type { Receiver } from '#shared/state/app-state'
import { text } from '#shared/text/current'
import { quoted } from '#shared/text/error-text'

type Ended = Pick<Receiver, 'name' | 'progress'>

/** The reason why a receiver's transfer ended, for the sender. */
export function describeReceiverEnd(error: AppError, receiver: Ended): ErrorText {
  const name = receiver.name === '' ? text.peers.receiver : receiver.name
  const percent = receivedPercent(receiver)
  return text.receiverEnds[error.code]?.(name, percent) ?? describeError(error)
}

const receivedPercent = ({ progress }: Ended): string | null =>
  progress === null || progress.totalBytes === 0
    ? null
    : formatPercent(progress.bytes, progress.totalBytes)

/** The reason why a transfer ended, for the receiver; the sender's name `from` may be unknown. */
export function describeSenderEnd(error: AppError, from: string): ErrorText {
  const name = from === '' ? text.peers.sender : from
  switch (error.code) {
    case 'E_STOPPED':
      return text.peers.senderStopped(name)
    case 'E_PEER_GONE':
      return text.peers.senderGone(name)
    default:
      return describeError(error)
  }
}

/** True for the root of a disk, which has no name. */
const isRoot = (path: string): boolean => /^(?:\/+|[a-z]:[\\/]*)$/i.test(path)

/** The reason why this side can't send a file. */
export function describeUnsent(error: AppError): ErrorText {
  const said = describeError(error)
  switch (error.code) {
    case 'E_NAME_NOT_ALLOWED':
      if (error.subject !== undefined && isRoot(error.subject)) {
        return text.peers.rootNotSent(quoted(error.subject))
      }
      return {
        what:
          error.subject === undefined
            ? text.peers.badUnnamedToSend
            : text.peers.badNameToSend(quoted(error.subject)),
        remedy: text.peers.renameAndShare,
      }
    case 'E_PATH_UNREADABLE':
      return { ...said, remedy: text.peers.permitAndShare }
    case 'E_LIMIT_EXCEEDED':
      return (error.subject ?? '') === '' ? { ...said, what: text.peers.tooManyToSend } : said
    default:
      return said
  }
}

/** The reason why a file of an offer is missing, for the receiver: only the sender can do something about its files. */
export function describeMissing(error: AppError): ErrorText {
  const { subject } = error
  const file = subject === undefined || subject === '' ? text.peers.file : quoted(subject)
  switch (error.code) {
    case 'E_PATH_NOT_FOUND':
      return text.peers.missingAtSender(file)
    case 'E_PATH_UNREADABLE':
      return text.peers.unreadableAtSender(file)
    case 'E_SOURCE_CHANGED':
      return { ...describeError(error), remedy: text.peers.askForNew }
    default:
      return describeError(error)
  }
}
