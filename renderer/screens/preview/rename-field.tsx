import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { visibleText } from '#shared/format/visible-text'
import { nameProblem } from '#shared/settings/renames'
import { text } from '../../text'

/** Longer names are refused with a reason. */
const maxCharacters = 1000

type Props = {
  readonly item: string
  readonly name: string
  readonly isFolder: boolean
  /** The names of the other items. */
  readonly others: readonly string[]
  /** Called once: with the new name, or `null` to keep the present one. `byKey`: focus returns to the row. */
  readonly onDone: (name: string | null, byKey: boolean) => void
}

/** Edits the name of an item in its row. Enter takes it, Esc doesn't; leaving the field takes a valid one. */
export function RenameField({ item, name, isFolder, others, onDone }: Props) {
  const [draft, setDraft] = useState(name)
  const isDone = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const dot = isFolder ? -1 : name.lastIndexOf('.')
    field.current?.focus({ preventScroll: true })
    field.current?.setSelectionRange(0, dot > 0 ? dot : name.length)
  }, [name, isFolder])
  const problem = draft === name ? null : nameProblem(draft, others)
  const done = (next: string | null, byKey: boolean): void => {
    if (isDone.current) return
    isDone.current = true
    onDone(next, byKey)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys of the tree don't apply.
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') done(null, true)
    else if (event.key === 'Enter' && problem === null) done(draft, true)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        ref={field}
        className="text-field node-name"
        aria-label={text.preview.rename.label(visibleText(item))}
        aria-invalid={problem !== null}
        spellCheck={false}
        autoComplete="off"
        maxLength={maxCharacters}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={onKeyDown}
        onBlur={() => done(problem === null ? draft : null, false)}
      />
      {problem !== null && (
        <span className="meta danger" role="alert">
          {text.preview.rename.problems[problem]}
        </span>
      )}
    </>
  )
}
