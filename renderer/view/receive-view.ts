/** Texts about a receive. Pure: state and a time in, words out. */
import { describeSenderEnd } from '#shared/describe-peer'
import type { AppError } from '#shared/errors'
import { formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { receiveLabel, stallLabel } from '#shared/labels'
import {
  type AppState,
  isRunning,
  type Receive,
  type ReceiveId,
  resumable,
  type ResumableReceive,
} from '#shared/state/app-state'
import { text } from '../text'
import {
  doneSentence,
  flowTone,
  progressFigures,
  type Sentence,
  sentence,
  withoutStop,
} from './sentence'

/** True until the user has decided about the offer; no file has been touched then. */
export const isUndecided = ({ phase }: Receive): boolean =>
  phase === 'looking-up' ||
  phase === 'connecting' ||
  phase === 'approving' ||
  phase === 'listing' ||
  phase === 'offered'

/** True for a receive declined before anything was written: it disappears from the screen. */
export const wasDeclined = (receive: Receive): boolean =>
  receive.phase === 'failed' && receive.directory === null && endedByChoice(receive)

/** The receive whose preview is open: the first of those that wait for a decision and aren't in `later`. */
export const offered = ({ receives }: AppState, later: readonly ReceiveId[] = []): Receive | null =>
  receives.filter(({ id, phase }) => phase === 'offered' && !later.includes(id)).at(-1) ?? null

/** A title, or the code while only that is known; the offer of a contact or a nearby computer has no code. */
export const receiveTitle = ({ title, code, contact, nearby }: Receive): string => {
  if (title !== '') return title
  if (nearby !== undefined) return text.nearby.unnamedOffer
  return contact === undefined ? code : text.contacts.unnamedOffer
}

/** The reason to believe that the offer is the sender's. */
export const verifiedBy = ({ contact, nearby }: Receive): string => {
  if (nearby !== undefined) return text.preview.verifiedByNumber
  return contact === undefined ? text.preview.verifiedByCode : text.preview.verifiedByContact
}

/** True for a deliberate end, which needs no card, color or remedy. */
export const endedByChoice = ({ error }: Pick<Receive, 'error'>): boolean =>
  error?.code === 'E_CANCELLED' || error?.code === 'E_DECLINED'

/** True when it can be paused or resumed; a pause outlasts a lost connection. */
export const canPause = (receive: Receive): boolean =>
  isRunning(receive) || receive.phase === 'reconnecting'

/** Interrupted receives that have no other place on the screen. */
export const interrupted = (state: AppState): readonly ResumableReceive[] =>
  resumable(state).filter(
    ({ transfer }) => !state.receives.some((receive) => receive.transfer === transfer),
  )

/** The unfinished receive that this one resumes. */
export const continued = (
  { resumableReceives }: AppState,
  { transfer }: Receive,
): ResumableReceive | null => resumableReceives.find((entry) => entry.transfer === transfer) ?? null

/** A receive in one sentence, for a row and the code field. */
export function receiveSentence(receive: Receive, nowMs: number): Sentence {
  const words = receiveLabel(receive)
  if (isRunning(receive)) {
    const figures = progressFigures(receive, nowMs, { withSpeed: true, withFiles: true })
    return sentence(words, flowTone(receive), figures)
  }
  const why = stallLabel(receive.stall)
  const waiting = stillSentence(receive, words)
  return why === null ? waiting : { ...waiting, tone: 'warning', rest: [...waiting.rest, why] }
}

function stillSentence(receive: Receive, words: string): Sentence {
  switch (receive.phase) {
    case 'looking-up':
      return sentence(words, 'accent', [text.receive.finding])
    case 'connecting':
      return sentence(words, 'accent', [text.progress.tryingDirect])
    case 'approving':
      return sentence(words, 'accent', comparable(receive))
    case 'listing':
      return sentence(words, 'accent', listed(receive))
    case 'offered':
      return sentence(words, 'accent')
    case 'preparing':
      return sentence(words, 'accent', [text.receive.checkingFolder])
    case 'reconnecting':
      return sentence(words, 'warning', [text.receive.nothingLost, receivedFact(receive)])
    case 'in-step':
      return sentence(words, 'success')
    case 'interrupted':
      return sentence(words, 'warning', [receivedFact(receive)])
    case 'done':
      return doneSentence(words, receive.outcome, 'receiver')
    default:
      return failedSentence(receive)
  }
}

/** The safety number, which the sender is asked to compare. */
const comparable = ({ safety }: Receive): readonly string[] =>
  safety === null ? [] : [text.receivers.safety(formatSafety(safety)), text.receive.senderSeesSame]

const listed = ({ totals }: Receive): readonly string[] =>
  totals === null
    ? [text.receive.readingList]
    : [text.receive.readingList, text.receive.filesSoFar(totals.files)]

function failedSentence(receive: Receive): Sentence {
  const { error } = receive
  const words = receiveLabel(receive)
  if (endedByChoice(receive)) return sentence(words, 'plain', [receivedFact(receive)])
  const why = error === null ? [] : [withoutStop(describeSenderEnd(error, receive.from).what)]
  return sentence(words, 'danger', [...why, receivedFact(receive)])
}

/** The amount received before a receive ended early. */
export const receivedFact = ({ progress }: Receive): string =>
  progress === null || progress.bytes === 0
    ? text.receive.nothingSaved
    : text.progress.received(progress)

/** An error as the lines of a Details panel, one fact each. */
export function errorDetails(error: AppError): string {
  const names = text.error.rows
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
