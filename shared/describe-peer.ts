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

const keepsTheCode = 'With the same code they can go on: complete files stay.'

/** Ends that a receiver's side chose or met. */
const ofReceiver: { readonly [code in ErrorCode]?: Describe } = {
  E_DECLINED: (name) => ({
    what: `${name} declined.`,
    remedy: 'Nothing was sent. The same code works if they want it after all.',
  }),
  E_UNDECIDED: (name) => ({
    what: `It waits for ${name} to look at it.`,
    remedy: 'Keep sharing: they are asked.',
  }),
  E_CANCELLED: (name, { progress }) => ({
    what:
      progress === null || progress.totalBytes === 0
        ? `${name} cancelled.`
        : `${name} cancelled at ${formatPercent(progress.bytes, progress.totalBytes)}.`,
    remedy: keepsTheCode,
  }),
  E_DISK_FULL: (name) => ({
    what: `${name} has too little disk space.`,
    remedy: 'They can make room or choose another folder, and enter the code again.',
  }),
  E_TARGET_NOT_WRITABLE: (name) => ({
    what: `${name} can't write to the folder that they chose.`,
    remedy: 'They can choose another one and enter the code again.',
  }),
  E_TARGET_GONE: (name) => ({
    what: `The folder that ${name} chose is not there any more.`,
    remedy: 'They can connect its drive again and enter the code again.',
  }),
  E_FILE_TOO_LARGE: (name) => ({
    what: `A file is larger than the disk of ${name} can hold.`,
    remedy: 'They can choose a folder on a disk with another file system.',
  }),
  E_DISK_IO: (name) => ({
    what: `The disk of ${name} reported a fault.`,
    remedy: 'They can choose a folder on another disk and enter the code again.',
  }),
  E_HASH_MISMATCH: (name) => ({
    what: `What ${name} received was damaged on the way.`,
    remedy: 'They can enter the code again: complete files stay.',
  }),
  E_BAD_MANIFEST: (name) => ({
    what: `${name} refused the list of files: it contradicts itself.`,
    remedy: 'Update Thruflux on both computers and share again.',
  }),
  E_PEER_GONE: (name) => ({
    what: `${name} does not answer any more.`,
    remedy: keepsTheCode,
  }),
}

/** Why it ended for a receiver, told to the sender. */
export function describeReceiverEnd(error: AppError, receiver: Ended): ErrorText {
  const name = receiver.name === '' ? 'The receiver' : receiver.name
  return ofReceiver[error.code]?.(name, receiver) ?? describeError(error)
}

/** Why it ended, told to the receiver of `from`, who may not be known by name. */
export function describeSenderEnd(error: AppError, from: string): ErrorText {
  const name = from === '' ? 'The sender' : from
  if (error.code === 'E_STOPPED') {
    return {
      what: `${name} stopped sharing.`,
      remedy: 'Ask them for a new code to go on: complete files stay.',
    }
  }
  if (error.code === 'E_PEER_GONE') {
    return {
      what: `${name} does not answer any more.`,
      remedy: 'Check that their computer is on and connected, then go on: complete files stay.',
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
        what: `${namedSubject(error.subject, 'Something')} has a name that can't be sent.`,
        remedy: 'Rename it, then share again.',
      }
    case 'E_PATH_UNREADABLE':
      return { ...said, remedy: 'Allow this account to read it, then share again.' }
    default:
      return said
  }
}
