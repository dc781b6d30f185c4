import { Folder } from 'lucide-react'
import {
  describeMissing,
  describeReceiverEnd,
  describeSenderEnd,
  describeUnsent,
} from '#shared/describe-peer'
import { appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import type { HistoryEntry } from '#shared/state/history'
import { showInFolder } from '../../actions/history-actions'
import { Button } from '../../components/button'
import { text } from '../../text'
import { isolatedPath } from '../../text/names'
import { ProblemList } from '../transfers/problem-list'

type Props = { readonly entry: HistoryEntry; readonly isThere: boolean }

/** The reason why a transfer failed, its problems, and its places. */
export function HistoryDetails({ entry, isThere }: Props) {
  const { id, direction, person, error, problems, problemCount, folder, paths, target } = entry
  const isSent = direction === 'sent'
  const places = isSent ? paths : folder === null ? [] : [folder]
  return (
    <div className="history-details">
      {error !== null && <p>{failureWords(isSent, person, error)}</p>}
      {problems.length > 0 && (
        <ProblemList
          problems={problems.map(({ path, code }) => ({ path, error: appError(code) }))}
          describe={isSent ? describeUnsent : describeMissing}
        />
      )}
      {problemCount > problems.length && problems.length > 0 && (
        <p className="sub">{text.result.moreProblems(problemCount - problems.length)}</p>
      )}
      {places.map((place) => (
        <p key={place} className="sub history-place">
          {isolatedPath(visibleText(place))}
        </p>
      ))}
      {isThere && target !== null && (
        <Button size="small" icon={Folder} onClick={() => void showInFolder(id)}>
          {text.history.show}
        </Button>
      )}
    </div>
  )
}

/** True if there is more to say than the row says. */
export const hasDetails = ({ error, problemCount, folder, paths }: HistoryEntry): boolean =>
  error !== null || problemCount > 0 || folder !== null || paths.length > 0

function failureWords(isSent: boolean, person: string, code: NonNullable<HistoryEntry['error']>) {
  const error = appError(code)
  const { what, remedy } = isSent
    ? describeReceiverEnd(error, { name: person, progress: null })
    : describeSenderEnd(error, person)
  return `${what} ${remedy}`
}
