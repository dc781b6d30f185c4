/** Errors for the person at the other side, about someone whose name is given if it is known. */
import type { ReceiverEnds } from '#shared/text/error-text'

export const receiverEnds: ReceiverEnds = {
  E_DECLINED: (name) => ({
    what: `${name} declined.`,
    remedy: 'Nothing was sent. The same code works if they change their mind.',
  }),
  E_BAD_ARGUMENT: (name) => ({
    what: `${name} chose files in a way that doesn't fit this share.`,
    remedy: 'Nothing was sent. They can choose again with the same code.',
  }),
  E_UNDECIDED: (name) => ({
    what: `Waiting for ${name} to look at it.`,
    remedy: "Keep sharing: they've been notified.",
  }),
  E_NO_BROWSERS: (name) => ({
    what: `${name} tried to receive in a browser.`,
    remedy: 'They can enter the same code in Thruflux. Settings > Sharing lets browsers receive.',
  }),
  E_REFUSED: (name) => ({
    what: `You didn't let ${name} in.`,
    remedy: 'If that was a mistake, they can enter the same code again.',
  }),
  E_UNANSWERED: (name) => ({
    what: `${name} waited too long to be let in.`,
    remedy: 'They can enter the same code again.',
  }),
  E_STREAM_STARTED: (name) => ({
    what: `${name} joined after the stream had started.`,
    remedy: 'Stream it again, and wait for everyone with --receivers.',
  }),
  E_OUTPUT_CLOSED: (name) => ({
    what: `${name} sent the output to a program that stopped reading.`,
    remedy: 'They can enter the same code again, but a stream has to be shared again.',
  }),
  E_CANCELLED: (name, percent) => ({
    what: percent === null ? `${name} canceled.` : `${name} canceled at ${percent}.`,
    remedy: 'The same code still works for them: finished files are kept.',
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
    what: `Data for ${name} was damaged in transit.`,
    remedy: 'They can enter the code again: finished files are kept.',
  }),
  E_BAD_MANIFEST: (name) => ({
    what: `${name} refused the list of files because it is inconsistent.`,
    remedy: 'Install the newest version of Thruflux on both computers and share again.',
  }),
  E_PEER_GONE: (name) => ({
    what: `${name} stopped responding.`,
    remedy: 'The same code still works for them: finished files are kept.',
  }),
}

export const peers = {
  /** Subjects of sentences while the name isn't known. */
  receiver: 'The receiver',
  sender: 'The sender',

  senderStopped: (name: string) => ({
    what: `${name} stopped sharing.`,
    remedy: 'Resume when they share it again, or ask for a new code: finished files are kept.',
  }),
  senderGone: (name: string) => ({
    what: `${name} stopped responding.`,
    remedy:
      'Check that their computer is on and connected, then try again: finished files, if any, are kept.',
  }),

  badNameToSend: (item: string) => `${item} has a name that can't be sent.`,
  badUnnamedToSend: "An item has a name that can't be sent.",
  rootNotSent: (disk: string) => ({
    what: `${disk} is a whole disk, which can't be sent.`,
    remedy: 'Share the files and folders in it instead.',
  }),
  renameAndShare: 'Rename it, then share again.',
  permitAndShare: 'Give your account permission to read it, then share again.',
  tooManyToSend: 'There are more files and folders than a share can hold, so the rest is left out.',

  /** Replaces the name of a nameless file at the beginning of a sentence. */
  file: 'A file',
  missingAtSender: (file: string) => ({
    what: `${file} no longer exists on the sender's computer.`,
    remedy: 'Ask the sender to share it again.',
  }),
  unreadableAtSender: (file: string) => ({
    what: `${file} can't be read on the sender's computer.`,
    remedy: 'Ask the sender to check its permissions and share it again.',
  }),
  askForNew: 'Ask the sender to share it again.',
} as const
