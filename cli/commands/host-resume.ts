/** `thru host --resume`: interrupted shares, by their number in the list. */
import { systemClock } from '#client/clock'
import type { RememberedShare } from '#client/state/remembered-share'
import { ShareFile } from '#client/state/share-file'
import { stateDirectory } from '#client/state/state-directory'
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import type { StorageError } from '#shared/state/storage-error'
import { jsonText } from '../report/json-reporter'
import { text } from '../text'

/** The result of `--resume`: a share to reopen, or lines to print. */
export type Choice = { readonly share: RememberedShare } | { readonly lines: readonly string[] }

/** Chooses a share; `number` is `true` if none was given. Error: `E_BAD_ARGUMENT`. */
export function chooseShare(
  number: string | true,
  isJson: boolean,
  hasOthers: boolean,
  onError: (error: StorageError) => void,
): Result<Choice, AppError> {
  const { argument } = text
  if (hasOthers) return bad(argument.resumeTakesNoPaths)
  const directory = stateDirectory()
  const shares = new ShareFile({ directory, clock: systemClock, onError }).interrupted()
  const [only] = shares
  if (only === undefined) return bad(argument.nothingInterrupted)
  if (number === true) {
    return ok(shares.length === 1 ? { share: only } : { lines: listLines(shares, isJson) })
  }
  const share = /^\d{1,4}$/.test(number) ? shares[Number(number) - 1] : undefined
  return share === undefined ? bad(argument.noSuchShare(visibleText(number))) : ok({ share })
}

const bad = (detail: string) => err(appError('E_BAD_ARGUMENT', detail, '--resume'))

const listLines = (shares: readonly RememberedShare[], isJson: boolean): readonly string[] =>
  isJson ? shares.map(entryJson) : [...shares.map(entryText), text.receive.interruptedShares.howTo]

/** One line of JSON; it leaves the code out, because people don't expect a secret in a list. */
const entryJson = (share: RememberedShare, index: number): string => {
  const { title, texts, returning, endsAtMs, lastSeenMs } = share
  const number = index + 1
  const receivers = returning.length
  const times = { endsAtMs, lastSeenMs }
  return jsonText({ type: 'interrupted-share', number, title, texts, receivers, ...times })
}

const entryText = ({ title, returning, lastSeenMs }: RememberedShare, index: number): string => {
  const when = new Date(lastSeenMs).toISOString().slice(0, 16).replace('T', ' ')
  const receivers = text.receive.interruptedShares.receivers(returning.length)
  return text.receive.interruptedShares.entry({ number: index + 1, title, receivers, when })
}
