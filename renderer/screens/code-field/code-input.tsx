import { codeFieldId, declineOffer, editCode } from '../../actions'
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
    onKeyDown={(event) => {
      if (event.key === 'Escape') giveUp(entry)
    }}
    onChange={(event) => {
      editCode(event.target.value)
    }}
  />
)

/** Esc takes a code back: the one on its way, else the one in the field. */
function giveUp({ pending }: CodeEntry): void {
  if (pending === null) editCode('')
  else void declineOffer(pending.id)
}
