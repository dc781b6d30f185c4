/** What a receive says about itself. Pure: state and a moment in, words out. */
import {
  type AppState,
  isRunning,
  type Receive,
  resumable,
  type Unfinished,
} from '#shared/app-state'
import { describeError, type ErrorText } from '#shared/describe-error'
import { describeSenderEnd } from '#shared/describe-peer'
import type { AppError, ErrorCode } from '#shared/errors'
import { formatBytesOf } from '#shared/format'
import { receiveWords, stallWords } from '#shared/phase-words'
import { visibleText } from '#shared/visible-text'
import { contactsText } from '../text/contacts'
import { text } from '../text/en'
import { flowTone, progressFigures, type Sentence, sentence, took } from './sentence'
import { withoutStop } from './share-view'

/** Failures of a code that was typed: the field where it stands tells them, not a card. */
const fieldErrors: ReadonlySet<ErrorCode> = new Set([
  'E_BAD_CODE',
  'E_NO_SUCH_CODE',
  'E_CODE_MISMATCH',
  'E_CODE_LOCKED',
  'E_RATE_LIMITED',
  'E_SERVER_UNREACHABLE',
  'E_SERVER_BUSY',
  'E_SERVER_PROTOCOL',
])

/** True until the share behind the code is found, and for good when it is not. */
export const belongsToField = ({ phase, from, error, contact }: Receive): boolean =>
  contact === undefined &&
  (phase === 'looking-up' ||
    (phase === 'failed' && from === '' && error !== null && fieldErrors.has(error.code)))

/** True while the person here has not decided yet, so that nothing is happening to files. */
export const isUndecided = ({ phase }: Receive): boolean =>
  phase === 'looking-up' || phase === 'connecting' || phase === 'listing' || phase === 'offered'

/** True for what was declined before anything was written: it leaves no trace on the screen. */
export const wasDeclined = (receive: Receive): boolean =>
  receive.phase === 'failed' && receive.directory === null && endedByChoice(receive)

/** The receive whose preview is open: the first of those that wait for a decision. */
export const offered = ({ receives }: AppState): Receive | null =>
  receives.filter(({ phase }) => phase === 'offered').at(-1) ?? null

/** A title, or the code while only that is known; a contact's offer has none. */
export const receiveTitle = ({ title, code, contact }: Receive): string => {
  if (title !== '') return title
  return contact === undefined ? code : contactsText.unnamed
}

/** True for an end that a person wanted: it needs no card, no colour and no remedy. */
export const endedByChoice = ({ error }: Pick<Receive, 'error'>): boolean =>
  error?.code === 'E_CANCELLED' || error?.code === 'E_DECLINED'

/** True when there is something to pause or to continue: a pause outlasts a broken line. */
export const canPause = (receive: Receive): boolean =>
  isRunning(receive) || receive.phase === 'reconnecting'

/** Interrupted receives that nothing else on the screen speaks of. */
export const interrupted = (state: AppState): readonly Unfinished[] =>
  resumable(state).filter(
    ({ transfer }) => !state.receives.some((receive) => receive.transfer === transfer),
  )

/** The unfinished receive that this one goes on with. */
export const continued = ({ unfinished }: AppState, { transfer }: Receive): Unfinished | null =>
  unfinished.find((entry) => entry.transfer === transfer) ?? null

/** A receive in one sentence, as a row and the code field say it. */
export function receiveSentence(receive: Receive, nowMs: number): Sentence {
  const words = receiveWords(receive)
  if (isRunning(receive)) {
    const figures = progressFigures(receive, nowMs, { withSpeed: true })
    return sentence(words, flowTone(receive), figures)
  }
  const why = stallWords(receive.stall)
  const waiting = stillSentence(receive, words)
  return why === null ? waiting : { ...waiting, tone: 'warning', rest: [...waiting.rest, why] }
}

function stillSentence(receive: Receive, words: string): Sentence {
  switch (receive.phase) {
    case 'looking-up':
      return sentence(words, 'accent', [text.receive.lookingUp])
    case 'connecting':
      return sentence(words, 'accent', [text.receiver.tryingDirect])
    case 'listing':
      return sentence(words, 'accent', listed(receive))
    case 'offered':
      return sentence(words, 'accent', [text.receive.offered])
    case 'preparing':
      return sentence(words, 'accent', [text.receive.lookingThroughFolder])
    case 'reconnecting':
      return sentence(words, 'warning', [text.receive.nothingLost, keptSentence(receive)])
    case 'interrupted':
      return sentence(words, 'warning', [keptSentence(receive)])
    case 'done':
      return doneSentence(receive)
    default:
      return failedSentence(receive)
  }
}

const listed = ({ totals }: Receive): readonly string[] =>
  totals === null
    ? [text.receive.readingList]
    : [text.receive.readingList, text.receive.soFar(totals.files)]

function doneSentence(receive: Receive): Sentence {
  const { outcome } = receive
  const figures = outcome === null ? [] : [text.receiver.amountIn(outcome.bytes, took(outcome))]
  const tone = outcome === null || outcome.problems === 0 ? 'success' : 'warning'
  return sentence(receiveWords(receive), tone, figures)
}

function failedSentence(receive: Receive): Sentence {
  const { error } = receive
  const words = receiveWords(receive)
  if (endedByChoice(receive)) return sentence(words, 'plain', [keptSentence(receive)])
  const why = error === null ? [] : [withoutStop(describeSenderEnd(error, receive.from).what)]
  return sentence(words, 'danger', [...why, keptSentence(receive)])
}

/** What stands on disk of a receive that did not finish. */
export const keptSentence = ({ progress }: Receive): string =>
  progress === null || progress.bytes === 0
    ? text.failure.nothingWritten
    : text.failure.safe(formatBytesOf(progress.bytes, progress.totalBytes))

/** An error's text as a short headline and what else there is to say. */
export function errorWords(
  error: AppError,
  { what, remedy }: ErrorText = describeError(error),
): {
  readonly headline: string
  readonly advice: string
} {
  const [headline = what, ...reason] = what.split(': ')
  const why = reason.join(': ')
  return {
    headline: withoutStop(headline),
    advice: why === '' ? remedy : `${why.charAt(0).toUpperCase()}${why.slice(1)} ${remedy}`,
  }
}

/** An error as the lines of a Details panel, one fact each. */
export function errorDetails(error: AppError): string {
  const names = text.failure.rowDetails
  const rows = [
    [names.error, error.code],
    [names.about, error.subject ?? ''],
    [names.detail, error.detail],
  ] as const
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.padEnd(8)} ${visibleText(value)}`)
    .join('\n')
}
