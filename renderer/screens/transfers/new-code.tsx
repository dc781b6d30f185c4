import { type SubmitEvent, useState } from 'react'
import { readWords } from '#shared/code/chosen-words'
import { completed, hintsFor, typed } from '#shared/code/code-entry'
import { maxCodeInputLength, wordsOf } from '#shared/code/join-code'
import type { Share } from '#shared/state/app-state'
import { renewCode } from '../../actions/share-actions'
import { Button } from '../../components/button'
import { text } from '../../text'

type Props = {
  readonly share: Share
  /** A new code was requested. */
  readonly onDone: () => void
}

/** Replaces the code by one with random words or with the person's own. */
export function NewCode({ share, onDone }: Props) {
  const [isChoosing, setIsChoosing] = useState(false)
  const renew = (words?: string): void => {
    void renewCode(share.id, words)
    onDone()
  }
  if (isChoosing) return <OwnWords code={share.code ?? ''} onChosen={renew} />
  return (
    <div className="new-code">
      <Button size="small" onClick={() => renew()}>
        {text.share.newCode}
      </Button>
      <Button variant="ghost" size="small" onClick={() => setIsChoosing(true)}>
        {text.share.chooseWords}
      </Button>
    </div>
  )
}

type OwnWordsProps = { readonly code: string; readonly onChosen: (words: string) => void }

/** The field for own words; Tab or a separator after three letters completes a word, as in the code field. */
function OwnWords({ code, onChosen }: OwnWordsProps) {
  const [draft, setDraft] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const { wrong, completion } = hintsFor(draft)
  const read = readWords(draft, wordsOf(code))
  const fault = !read.ok && (isAsked || wrong !== null) ? read.error : null
  const edit = (value: string): void => {
    setDraft(value)
    setIsAsked(false)
  }
  const submit = (): void => {
    if (read.ok) onChosen(read.value)
    else setIsAsked(true)
  }
  return (
    <form
      className="own-words"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        submit()
      }}
    >
      <label className="setting-lines">
        {text.share.ownWords}
        <input
          className="text-field"
          type="text"
          dir="ltr"
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={maxCodeInputLength}
          placeholder={text.share.ownWordsExample}
          aria-invalid={fault !== null}
          aria-describedby={noteId}
          value={draft}
          onChange={({ target }) => edit(typed(draft, target.value))}
          onKeyDown={(event) => {
            if (event.key !== 'Tab' || event.shiftKey || completion === '') return
            event.preventDefault()
            edit(completed(draft))
          }}
        />
      </label>
      <div id={noteId} role="status">
        {fault === null ? (
          <p className="sub">{text.share.ownWordsAbout}</p>
        ) : (
          <>
            <p className="note-error">{fault.what}</p>
            <p className="sub">{fault.remedy}</p>
          </>
        )}
      </div>
      <Button size="small" onClick={submit}>
        {text.share.newCode}
      </Button>
    </form>
  )
}

const noteId = 'own-words-note'
