import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { typed } from '#shared/code/code-entry'
import { maxCodeInputLength } from '#shared/code/join-code'
import {
  codeFieldId,
  declineOffer,
  editCode,
  pasteOverDraft,
  prepareJoin,
} from '../../actions/actions'
import { text } from '../../text'
import { CodeWords, codeWordsId, wordId } from './code-words'
import type { CodeEntry } from './use-code-entry'

type Props = { readonly entry: CodeEntry; readonly placeholder: string }

export const codeNoteId = 'code-note'

/** The field itself: a combobox whose words complete or correct the typed text. */
export function CodeInput({ entry, placeholder }: Props) {
  const { value, words, active, hints } = entry
  const input = useRef<HTMLInputElement>(null)
  const shape = useRef<HTMLSpanElement>(null)
  // Tab takes a completion without choosing it first, so it counts as chosen.
  const chosen = active === -1 && hints.completion !== '' ? 0 : active
  const follow = (): void => {
    if (shape.current !== null) shape.current.scrollLeft = input.current?.scrollLeft ?? 0
  }
  useLayoutEffect(follow)
  return (
    <span className="code-input">
      <span className="code-shape" ref={shape} aria-hidden>
        <Shape entry={entry} />
      </span>
      <input
        id={codeFieldId}
        ref={input}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={words.length > 0}
        aria-controls={words.length > 0 ? codeWordsId : undefined}
        aria-activedescendant={chosen === -1 ? undefined : wordId(chosen)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={entry.isFromLink}
        maxLength={maxCodeInputLength}
        aria-label={text.codeField.name}
        aria-invalid={entry.isWrong}
        aria-describedby={codeNoteId}
        placeholder={placeholder}
        readOnly={entry.pending !== null}
        value={value}
        onScroll={follow}
        onKeyDown={(event) => {
          if (onKey(event, entry)) event.preventDefault()
        }}
        onPaste={(event) => {
          if (entry.pending === null && pasteOverDraft(event.clipboardData.getData('text/plain'))) {
            event.preventDefault()
          }
        }}
        onChange={(event) => {
          const draft = typed(value, event.target.value)
          editCode(draft)
          prepareJoin(draft)
        }}
      />
      {hints.wrong === null && <CodeWords entry={entry} isShown={false} />}
    </span>
  )
}

/** The layer under the typed text: a line under the wrong word, the rest of an unfinished one. */
function Shape({ entry: { value, hints, pending } }: { readonly entry: CodeEntry }) {
  const { wrong, completion } = hints
  if (pending !== null) return null
  if (wrong === null) {
    return (
      completion !== '' && (
        <>
          {value}
          <span className="code-rest">{completion}</span>
        </>
      )
    )
  }
  return (
    <>
      {value.slice(0, wrong.start)}
      <u>{value.slice(wrong.start, wrong.end)}</u>
    </>
  )
}

/** Returns true if the key was handled. */
function onKey(event: KeyboardEvent<HTMLInputElement>, entry: CodeEntry): boolean {
  const { words, active, activate, take, hints } = entry
  const { key, currentTarget: field } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return false
  const isAtEnd = field.selectionStart === field.value.length
  switch (key) {
    case 'ArrowDown':
    case 'ArrowUp':
      if (words.length === 0) return false
      activate(nextIndex(active, key === 'ArrowDown' ? 1 : -1, words.length))
      return true
    case 'Enter':
      if (active === -1) return false
      take(active)
      return true
    case 'Tab':
    case 'ArrowRight':
      if (hints.completion === '' || event.shiftKey || !isAtEnd) return false
      take(0)
      return true
    case 'Escape':
      if (active === -1) giveUp(entry)
      else activate(-1)
      return true
    default:
      return false
  }
}

/** Cycles through the words, from none to the first or the last. */
const nextIndex = (index: number, step: 1 | -1, count: number): number =>
  index === -1 ? (step === 1 ? 0 : count - 1) : (index + step + count) % count

/** Esc cancels a pending code, else clears the field. */
function giveUp({ pending }: CodeEntry): void {
  if (pending === null) editCode('')
  else void declineOffer(pending.id)
}
