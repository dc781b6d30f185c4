import { codeFieldId, editCode } from '../../actions'
import { text } from '../../text/en'
import type { CodeEntry } from './use-code-entry'

type Props = { readonly entry: CodeEntry; readonly placeholder: string }

export const codeNoteId = 'code-note'

export const CodeInput = ({ entry, placeholder }: Props) => (
  <input
    id={codeFieldId}
    type="text"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={200}
    aria-label={text.codeField.name}
    aria-invalid={entry.isWrong}
    aria-describedby={codeNoteId}
    placeholder={placeholder}
    readOnly={entry.pending !== null}
    value={entry.value}
    onChange={(event) => {
      editCode(event.target.value)
    }}
  />
)
