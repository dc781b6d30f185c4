/** The label of each state, the same in the window and in the terminal, and notes about codes and files. */
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'
import type { CodeEnd, StallReason } from '#shared/state/app-state'
import type { StorageError } from '#shared/state/storage-error'

export const states = {
  preparing: 'Preparing',
  waiting: 'Waiting',
  waitingForYou: 'Waiting for your answer',
  undecided: 'Waiting for approval',
  connecting: 'Connecting',
  reconnecting: 'Reconnecting',
  reconnectingAgain: (attempt: number) => `Reconnecting (attempt ${formatCount(attempt)})`,
  reconnected: 'Reconnected',
  asksToReceive: 'Asks to receive',
  waitingToBeLetIn: (name: string) => `Waiting for ${name} to let you in`,
  deciding: 'Deciding',
  sending: 'Sending',
  receiving: 'Receiving',
  transferring: 'Transferring',
  finishing: 'Finishing',
  paused: 'Paused by you',
  pausedByPeer: 'Paused by the other side',
  quotaUsedUp: 'Waiting: your disk quota is used up',
  tooManyFiles: "Waiting: this disk can't hold more files",
  waitingForSpace: (size: string) => `Waiting for ${size} of disk space`,
  waitingForTheirSpace: (size: string) => `Waiting for ${size} of space on their disk`,
  waitingForTheirDisk: 'Waiting for room on their disk',
  inStep: 'Up to date: waiting for changes',
  interrupted: 'Interrupted',
  verified: 'Received and verified',
  withoutFiles: 'Done: no files were offered',
  nothingNew: 'Nothing new',
  doneWithProblems: (problems: number) =>
    plural(problems, {
      one: `Done with ${formatCount(problems)} problem`,
      other: `Done with ${formatCount(problems)} problems`,
    }),
  stopped: 'Stopped',
  stoppedByPeer: 'Stopped by the other side',
  declined: 'Declined',
  refused: 'Not let in',
  unanswered: 'No answer',
  canceled: 'Canceled',
  failed: 'Failed',
} as const

/** Reasons for a stall; these follow a label. */
export const stalls: { readonly [reason in Exclude<StallReason, 'none'>]: string } = {
  network: 'no data is getting through',
  relay: 'no answer through the relay, looking for another route',
  peer: "the other computer isn't responding",
  'no-route': 'no connection yet, trying again',
  'own-disk': "this computer's disk is busy",
  'peer-disk': "the other computer's disk is busy",
  source: 'reading the files is slow',
  limit: 'slowed by a speed limit',
}

export const notes = {
  tooManyGuesses:
    'Too many wrong attempts, so no one new can join this share. Create a new share to let more people in. Current transfers continue.',
  locked: (wrong: number) =>
    `Locked after ${formatCount(wrong)} wrong attempts. Create a new code. Current transfers continue.`,
  guessed: (wrong: number) =>
    plural(wrong, {
      one: `${formatCount(wrong)} wrong attempt to enter this code. Someone may be guessing.`,
      other: `${formatCount(wrong)} wrong attempts to enter this code. Someone may be guessing.`,
    }),
  highLoad:
    'Many strangers are trying to join, so receivers may have to wait or try again. Creating a new code helps.',
  moved:
    'The server gave this share a different number, so it has a new code. The old one no longer works.',
} as const

/** Reasons why a code admits no new receivers. */
export const codeEnds: { readonly [why in CodeEnd]: string } = {
  'one-receiver': 'Someone has joined. This one-time code no longer works.',
  expired: 'This code has expired. Current transfers continue.',
  everyone: 'Everyone has answered. This share ends shortly.',
}

/** The end of a share without a code that some of its people have not answered. */
export const invitationsExpired = 'The invitations have expired. Current transfers continue.'

type Identical = { readonly files: number; readonly uncompared: number }
type Chosen = { readonly files: number; readonly offeredFiles: number }

/** Says how existing files were compared with the sender's. */
const compared = ({ files, uncompared }: Identical): string => {
  if (uncompared === 0) return 'same content'
  if (uncompared === files) return 'same size and time, not compared'
  return `${formatCount(uncompared)} of them by size and time, not compared`
}

const ofOffered = ({ files, offeredFiles }: Chosen): string =>
  plural(offeredFiles, {
    one: `${formatCount(files)} of ${formatCount(offeredFiles)} file`,
    other: `${formatCount(files)} of ${formatCount(offeredFiles)} files`,
  })

/** Files of a share that did not have to be sent, or weren't wanted, in the words of each side. */
export const ends = {
  receiver: {
    identical: (of: Identical) =>
      plural(of.files, {
        one: `${formatCount(of.files)} file was already here (${compared(of)})`,
        other: `${formatCount(of.files)} files were already here (${compared(of)})`,
      }),
    chosen: (of: Chosen) => `${ofOffered(of)}, your choice`,
  },
  sender: {
    identical: (of: Identical) =>
      plural(of.files, {
        one: `${formatCount(of.files)} file was already there (${compared(of)})`,
        other: `${formatCount(of.files)} files were already there (${compared(of)})`,
      }),
    chosen: (of: Chosen) => `${ofOffered(of)}, their choice`,
  },
} as const

/** The reach of a code while its server can't be used. */
export const reach = {
  away: {
    network: 'Until the server answers, the code works on this network only.',
    computer: 'Until the server answers, the code works on this computer only.',
  },
  noMeeting: {
    network: 'Until a public meeting point answers, the code works on this network only.',
    computer: 'Until a public meeting point answers, the code works on this computer only.',
  },
  leftMeeting: {
    network:
      'Someone is guessing the code, so this share is no longer at the public meeting points. The code works on this network only. Make a new code to be found there again.',
    computer:
      'Someone is guessing the code, so this share is no longer at the public meeting points. Make a new code to be found there again.',
  },
  refused: {
    network: 'Until this computer can use the server, the code works on this network only.',
    computer: 'Until this computer can use the server, the code works on this computer only.',
  },
} as const

/** A number of things, as a title or a part of one. */
export const counted = {
  /** The title of a request for files. */
  request: 'Request for files',
  items: (count: number) =>
    plural(count, {
      one: `${formatCount(count)} item`,
      other: `${formatCount(count)} items`,
    }),
  filesAndTexts: ({ files, texts }: { readonly files: number; readonly texts: number }) => {
    const words = [
      plural(files, { one: `${formatCount(files)} file`, other: `${formatCount(files)} files` }),
      plural(texts, { one: `${formatCount(texts)} text`, other: `${formatCount(texts)} texts` }),
    ] as const
    if (texts === 0) return words[0]
    return files === 0 ? words[1] : words.join(' and ')
  },
  /** The name of every text. */
  text: 'Text',
} as const

/** The consequences of a problem with one of the application's files. */
export const storage: { readonly [kind in StorageError['kind']]: (file: string) => string } = {
  damaged: (file) =>
    `${file} is damaged. Its readable part is still used, and the damaged file is kept when a new one is saved.`,
  malformed: (file) =>
    `${file} isn't valid, so it isn't used. To share, receive or save changes, correct it or move it away.`,
  'bad-values': (file) =>
    `Some settings in ${file} aren't valid. They are replaced by defaults or safer values; the others apply.`,
  newer: (file) =>
    `${file} is from a newer version of Thruflux. It is left unchanged; changes won't be saved.`,
  unsafe: (file) =>
    `${file} isn't used because other accounts could read or change it. Changes won't be saved.`,
  inaccessible: (file) => `${file} can't be read or written. Changes won't be saved.`,
}
