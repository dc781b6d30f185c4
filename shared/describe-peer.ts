/**
 * Errors as the other side's person needs them: `describeError` speaks to whoever met the error,
 * these speak about them.
 */
import type { Receiver } from '#shared/app-state'
import { describeError, type ErrorText, namedSubject } from '#shared/describe-error'
import type { AppError, ErrorCode } from '#shared/errors'
import { formatPercent } from '#shared/format'

type Ended = Pick<Receiver, 'name' | 'progress'>
type Describe = (name: string, ended: Ended) => ErrorText

const canReconnect = 'The same code still works for them: finished files are kept.'

/** Ends that a receiver's side chose or met. */
const ofReceiver: { readonly [code in ErrorCode]?: Describe } = {
  E_DECLINED: (name) => ({
    what: `${name} declined.`,
    remedy: 'Nothing was sent. The same code works if they change their mind.',
  }),
  E_UNDECIDED: (name) => ({
    what: `Waiting for ${name} to look at it.`,
    remedy: "Keep sharing: they've been notified.",
  }),
  E_CANCELLED: (name, { progress }) => ({
    what:
      progress === null || progress.totalBytes === 0
        ? `${name} canceled.`
        : `${name} canceled at ${formatPercent(progress.bytes, progress.totalBytes)}.`,
    remedy: canReconnect,
  }),
  E_DISK_FULL: (name) => ({
    what: `${name} has too little disk space.`,
    remedy: 'They can make room or choose another folder, and enter the code again.',
  }),
  E_TARGET_NOT_WRITABLE: (name) => ({
    what: `${name} can't write to the chosen folder.`,
    remedy: 'They can choose another one and enter the code again.',
  }),
  E_TARGET_GONE: (name) => ({
    what: `The folder that ${name} chose is no longer there.`,
    remedy: 'They can reconnect its drive and enter the code again.',
  }),
  E_FILE_TOO_LARGE: (name) => ({
    what: `A file is too large for the file system of ${name}'s disk.`,
    remedy: 'They can choose a folder on a disk with another file system.',
  }),
  E_DISK_IO: (name) => ({
    what: `${name}'s disk reported an error.`,
    remedy: 'They can choose a folder on another disk and enter the code again.',
  }),
  E_HASH_MISMATCH: (name) => ({
    what: `What ${name} received was damaged on the way.`,
    remedy: 'They can enter the code again: finished files are kept.',
  }),
  E_BAD_MANIFEST: (name) => ({
    what: `${name} refused the list of files because it is inconsistent.`,
    remedy: 'Update Thruflux on both computers and share again.',
  }),
  E_PEER_GONE: (name) => ({
    what: `${name} stopped responding.`,
    remedy: canReconnect,
  }),
}

/** Why it ended for a receiver, as the sender reads it. */
export function describeReceiverEnd(error: AppError, receiver: Ended): ErrorText {
  const name = receiver.name === '' ? 'The receiver' : receiver.name
  return ofReceiver[error.code]?.(name, receiver) ?? describeError(error)
}

/** Why it ended, as the receiver reads it; the name of the sender `from` may not be known. */
export function describeSenderEnd(error: AppError, from: string): ErrorText {
  const name = from === '' ? 'The sender' : from
  if (error.code === 'E_STOPPED') {
    return {
      what: `${name} stopped sharing.`,
      remedy: 'Ask them for a new code to resume: finished files are kept.',
    }
  }
  if (error.code === 'E_PEER_GONE') {
    return {
      what: `${name} stopped responding.`,
      remedy:
        'Check that their computer is on and connected, then resume: finished files are kept.',
    }
  }
  return describeError(error)
}

/** Why something that this side shares is left out. */
export function describeUnsent(error: AppError): ErrorText {
  const said = describeError(error)
  switch (error.code) {
    case 'E_NAME_NOT_ALLOWED':
      return {
        what:
          error.subject === undefined
            ? "An item has a name that can't be sent."
            : `${namedSubject(error.subject, '')} has a name that can't be sent.`,
        remedy: 'Rename it, then share again.',
      }
    case 'E_PATH_UNREADABLE':
      return { ...said, remedy: 'Give your account permission to read it, then share again.' }
    default:
      return said
  }
}

/** Why a file of an offer is missing, as the receiver reads it: only the sender can do something about its files. */
export function describeMissing(error: AppError): ErrorText {
  const file = namedSubject(error.subject, 'A file')
  switch (error.code) {
    case 'E_PATH_NOT_FOUND':
      return {
        what: `${file} no longer exists on the sender's computer.`,
        remedy: 'Ask the sender to share it again.',
      }
    case 'E_PATH_UNREADABLE':
      return {
        what: `${file} can't be read on the sender's computer.`,
        remedy: 'Ask the sender to check its permissions and share it again.',
      }
    case 'E_SOURCE_CHANGED':
      return {
        ...describeError(error),
        remedy: 'Ask the sender to share it again when no program is writing to it.',
      }
    default:
      return describeError(error)
  }
}
