import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import { serverName } from '#shared/signaling/server-url'
import { editCode, joinCode, resumeWithCode } from '../../actions/actions'
import { Button } from '../../components/button'
import { RemedyButton } from '../../components/remedy-button'
import { SentenceLine } from '../../components/sentence-line'
import { text } from '../../text'
import { useNow } from '../../use-now'
import { receiveSentence } from '../../view/receive-view'
import { ReviewButton } from '../transfers/review-button'
import { codeNoteId } from './code-input'
import { CodeWords } from './code-words'
import type { CodeEntry } from './use-code-entry'

/** The state of the code: found, pending, or why it failed and what to do. */
export function CodeNote({ entry }: { readonly entry: CodeEntry }) {
  const { pending, error, resumes, hints, words } = entry
  const nowMs = useNow(pending !== null)
  if (hints.wrong !== null && pending === null) {
    return (
      <div id={codeNoteId} role="status">
        <p className="note-error">{text.codeField.wrongWord(hints.wrong.word)}</p>
        {words.length === 0 ? (
          <p>{text.codeField.checkWord}</p>
        ) : (
          <div className="code-fix">
            {text.codeField.didYouMean} <CodeWords entry={entry} isShown />
          </div>
        )}
      </div>
    )
  }
  if (entry.asksServer && error !== null) return <NewServer error={error} code={entry.value} />
  if (error !== null) {
    const { what, remedy } = describeError(error)
    return (
      <div id={codeNoteId} role="alert">
        <p className="note-error">{what}</p>
        <p>{remedy}</p>
        <RemedyButton error={error} size="small" except={['enter-code']} />
      </div>
    )
  }
  if (pending === null && resumes !== null) {
    return (
      <div id={codeNoteId}>
        <p>{text.codeField.resumes(resumes.title)}</p>
        <Button variant="ghost" size="small" onClick={() => resumeWithCode(null)}>
          {text.codeField.startOver}
        </Button>
      </div>
    )
  }
  if (pending === null && entry.isFromLink) {
    return (
      <p id={codeNoteId} role="status">
        {entry.server === null
          ? text.codeField.fromLink
          : text.codeField.fromLinkVia(serverName(entry.server))}
      </p>
    )
  }
  return (
    <div id={codeNoteId}>
      {pending && <SentenceLine of={receiveSentence(pending, nowMs)} />}
      {pending && <ReviewButton receive={pending} />}
    </div>
  )
}

/** A link can lead to any server, so this question names it before anything connects to it. */
function NewServer({ error, code }: { readonly error: AppError; readonly code: string }) {
  const { newServer, newServerNearby } = text.codeField
  return (
    <div id={codeNoteId} role="alert">
      <p className="note-strong">{describeError(error).what}</p>
      <p>{error.detail === 'public' ? newServer : newServerNearby}</p>
      <div className="code-fix">
        <Button size="small" onClick={() => void joinCode(code, true)}>
          {text.codeField.useServer}
        </Button>
        <Button variant="ghost" size="small" onClick={() => editCode('')}>
          {text.actions.cancel}
        </Button>
      </div>
    </div>
  )
}
