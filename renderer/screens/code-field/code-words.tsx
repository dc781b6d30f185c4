import { text } from '../../text'
import type { CodeEntry } from './use-code-entry'

type Props = {
  readonly entry: CodeEntry
  /** False if the field shows the word itself: the list is then for screen readers. */
  readonly isShown: boolean
}

export const codeWordsId = 'code-words'

export const wordId = (index: number): string => `code-word-${index}`

/** The matching words, chosen by a click or by arrow keys and Enter. */
export function CodeWords({ entry: { words, active, take }, isShown }: Props) {
  if (words.length === 0) return null
  return (
    <ul
      id={codeWordsId}
      className={isShown ? 'code-words' : 'sr-only'}
      role="listbox"
      aria-label={text.codeField.suggestions}
    >
      {words.map((word, index) => (
        <li
          key={word}
          id={wordId(index)}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => {
            // The field keeps the focus.
            event.preventDefault()
          }}
          onClick={() => take(index)}
        >
          {word}
        </li>
      ))}
    </ul>
  )
}
