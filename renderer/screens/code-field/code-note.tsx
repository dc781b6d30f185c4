import { describeError } from '#shared/describe-error'
import { SentenceLine } from '../../components/sentence-line'
import { useNow } from '../../use-now'
import { receiveSentence } from '../../view/receive-view'
import { codeNoteId } from './code-input'
import type { CodeEntry } from './use-code-entry'

/** What becomes of the code: found, on the way, or why not and what to do. */
export function CodeNote({ entry: { pending, error } }: { readonly entry: CodeEntry }) {
  const nowMs = useNow(pending !== null)
  if (error !== null) {
    const { what, remedy } = describeError(error)
    return (
      <div id={codeNoteId} role="alert">
        <p className="note-error">{what}</p>
        <p>{remedy}</p>
      </div>
    )
  }
  return (
    <div id={codeNoteId}>{pending && <SentenceLine of={receiveSentence(pending, nowMs)} />}</div>
  )
}
