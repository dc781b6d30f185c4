/**
 * The one place where an error becomes words for people: what happened, and what to do about it.
 * A subject may be a name that a peer chose: it is shown as `visibleText` has it.
 */
import { nearestWords } from '#shared/code-words'
import type { AppError, ErrorCode } from '#shared/errors'
import { joinLinkSubject } from '#shared/join-link'
import { visibleText } from '#shared/visible-text'

/** One sentence each. */
export type ErrorText = { readonly what: string; readonly remedy: string }

type Describe = (subject: string | undefined, detail: string) => ErrorText

/** `"notes.txt"`, or what stands for something without a name. */
export const namedSubject = (subject: string | undefined, otherwise: string): string =>
  subject === undefined || subject === '' ? otherwise : `"${visibleText(subject)}"`

const fixed =
  (what: string, remedy: string): Describe =>
  () => ({ what, remedy })

/** The subject is a word that is in no code, or says that it was a link; else nothing fits. */
function describeBadCode(subject: string | undefined): ErrorText {
  if (subject === undefined) {
    return {
      what: 'This is not a join code.',
      remedy: 'Enter it like 4821-apple-kayak-onion: a number and three words.',
    }
  }
  if (subject === joinLinkSubject) {
    return {
      what: 'This is not a join link that Thruflux understands.',
      remedy: 'Ask the sender for the code and type it.',
    }
  }
  const nearest = nearestWords(subject)
  return {
    what: `"${subject}" is no word of join codes.`,
    remedy:
      nearest.length === 0
        ? 'Check it with the sender.'
        : `Check it with the sender: it may be ${nearest.join(' or ')}.`,
  }
}

/**
 * The detail is what is wrong: a sentence of its own, or something to say of the subject, which
 * then stands in front of it.
 */
function describeBadArgument(subject: string | undefined, detail: string): ErrorText {
  if (detail === '') {
    return {
      what: `${namedSubject(subject, 'This request')} is not valid.`,
      remedy: 'Correct it and try again.',
    }
  }
  const remedy = 'Correct it and try again.'
  if (/^[A-Z].*\.$/su.test(detail)) return { what: detail, remedy }
  const isNamed = subject !== undefined && subject !== ''
  const said = isNamed ? `${visibleText(subject)}: ${detail}` : detail
  return { what: `${said.charAt(0).toUpperCase()}${said.slice(1)}.`, remedy }
}

const texts: { readonly [code in ErrorCode]: Describe } = {
  E_BAD_ARGUMENT: describeBadArgument,
  E_BAD_CODE: describeBadCode,
  E_NO_SUCH_CODE: fixed(
    'No share with this number is open now.',
    'Check it with the sender: it may have ended.',
  ),
  E_CODE_MISMATCH: fixed(
    "The code's words do not match this share.",
    'Check each word with the sender and enter the code again.',
  ),
  E_CODE_LOCKED: fixed(
    'This code was locked after 50 wrong attempts.',
    'The sender must make a new code.',
  ),
  E_OWN_CODE: fixed(
    'This is your own share.',
    'Enter the code on the computer that is to receive.',
  ),
  E_CONTACT_UNKNOWN: fixed(
    'The other side does not have you among its contacts any more.',
    'Ask for a code, and keep each other again if both want to.',
  ),
  E_SIGNALING_ALTERED: fixed(
    'What the signaling server passed on was altered.',
    'Try again; if it happens again, use another server.',
  ),
  E_SERVER_UNREACHABLE: (subject) => ({
    what: `The signaling server${subject === undefined ? '' : ` at ${subject}`} does not answer.`,
    remedy: "Check this computer's network and the server's address.",
  }),
  E_SERVER_BUSY: fixed(
    'The signaling server has no room for another share or connection.',
    'Try again in a few minutes, or use another server.',
  ),
  E_SERVER_PROTOCOL: (subject) => ({
    what: `${namedSubject(subject, 'The server')} does not speak the protocol of a Thruflux server.`,
    remedy: "Check the server's address, and update the older side.",
  }),
  E_RATE_LIMITED: fixed(
    'There were too many attempts in a short time.',
    'Wait a minute and try again.',
  ),
  E_PATH_NOT_FOUND: (subject) => ({
    what: `${namedSubject(subject, 'A file or folder')} does not exist.`,
    remedy: 'Check its name and that its drive is connected.',
  }),
  E_PATH_UNREADABLE: (subject) => ({
    what: `${namedSubject(subject, 'A file or folder')} can't be read.`,
    remedy: 'Allow this account to read it, or leave it out.',
  }),
  E_PATH_UNSUPPORTED: (subject) => ({
    what: `${namedSubject(subject, 'Something that was chosen')} is neither a file nor a folder.`,
    remedy: 'Choose files and folders; devices, sockets and the like stay behind.',
  }),
  E_LINK_OUTSIDE: (subject) => ({
    what: `${namedSubject(subject, 'A link')} is a link that leads outside what is shared.`,
    remedy: 'Share what it leads to as well, or leave it out.',
  }),
  E_NAME_NOT_ALLOWED: (subject) => ({
    what: `${namedSubject(subject, 'A name')} can't be used as a file name here.`,
    remedy: 'Ask the sender to rename it and share it again.',
  }),
  E_NOTHING_TO_SEND: fixed(
    'There is nothing that could be sent.',
    'Choose at least one file or folder that exists and can be read.',
  ),
  E_SOURCE_CHANGED: (subject) => ({
    what: `${namedSubject(subject, 'A file')} was changed while it was being sent.`,
    remedy: 'Share it again when nothing writes to it.',
  }),
  E_TARGET_NOT_WRITABLE: (subject) => ({
    what: `${namedSubject(subject, 'The chosen folder')} can't be written to.`,
    remedy: 'Choose another folder, or allow this account to write there.',
  }),
  E_DISK_FULL: fixed(
    "The receiver's disk is full.",
    'Make room or choose a folder on another disk; what is complete stays.',
  ),
  E_DISK_IO: (subject) => ({
    what: `The disk reported a fault${subject === undefined ? '' : ` at "${visibleText(subject)}"`}.`,
    remedy: 'Check the disk and its cable, then try again.',
  }),
  E_FILE_TOO_LARGE: (subject) => ({
    what: `${namedSubject(subject, 'A file')} is larger than the receiver's disk can hold in one file.`,
    remedy: 'Choose a folder on a disk with another file system, such as NTFS, APFS or ext4.',
  }),
  E_TARGET_GONE: (subject) => ({
    what: `${namedSubject(subject, 'The chosen folder')} is not there any more.`,
    remedy: 'Connect its drive again and continue: complete files stay.',
  }),
  E_NO_ROUTE: fixed(
    'There is no way through to the other computer: a network between blocks direct connections.',
    'Use a relay (a TURN server), or bring both computers into another network.',
  ),
  E_PEER_GONE: fixed(
    'The other computer does not answer any more.',
    'Check that it is on and connected, then start again: complete files stay.',
  ),
  E_PEER_PROTOCOL: fixed(
    'The other side sent something that makes no sense.',
    'Update Thruflux on both computers and try again.',
  ),
  E_PEER_VERSION: fixed(
    'The two computers run versions of Thruflux that do not fit together.',
    'Update Thruflux on both computers.',
  ),
  E_PEER_IDENTITY: fixed(
    'The other side could not be verified: somebody may be interfering.',
    'Make a new code and tell it over a way that you trust.',
  ),
  E_HASH_MISMATCH: (subject) => ({
    what: `${namedSubject(subject, 'A file')} arrived damaged and was not kept.`,
    remedy: "Transfer it again; if it happens twice, check the sender's disk and memory.",
  }),
  E_BAD_MANIFEST: fixed(
    'The list of files that the sender offers contradicts itself.',
    'Update Thruflux on both computers and ask for the files again.',
  ),
  E_TOO_MANY_RECEIVERS: fixed(
    'This share has as many receivers as it can serve at a time.',
    'Try again when one of them has finished.',
  ),
  E_DECLINED: fixed('The offer was declined.', 'To receive it after all, enter the code again.'),
  E_UNDECIDED: fixed(
    'Somebody has to look at this before it is received.',
    'Accept the invitation, or share it again.',
  ),
  E_STOPPED: fixed(
    'The other side stopped the transfer.',
    'Ask for a new code to go on: complete files stay.',
  ),
  E_CANCELLED: fixed(
    'The transfer was cancelled.',
    'Start it again whenever you want: complete files stay.',
  ),
  E_LIMIT_EXCEEDED: (subject) => ({
    what: `${namedSubject(subject, 'Something')} is larger than Thruflux allows.`,
    remedy: 'Share less at a time, for example one folder after another.',
  }),
  E_ENGINE_BUSY: fixed(
    'The transfer engine has more to do than it can take on.',
    'Wait a moment and try again.',
  ),
  E_ENGINE_CLOSED: fixed('The transfer engine has ended.', 'Start Thruflux again.'),
  E_INTERNAL: fixed(
    'Thruflux met a fault of its own.',
    'Start it again; if that does not help, report it with the details.',
  ),
}

/** Text for every code; `detail` is part of it for E_BAD_ARGUMENT alone. */
export const describeError = ({ code, detail, subject }: AppError): ErrorText =>
  texts[code](subject, detail)
