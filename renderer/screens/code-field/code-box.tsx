import { ArrowDownToLine } from 'lucide-react'
import { codeFieldId } from '../../actions/actions'
import { Icon } from '../../components/icon'
import { text } from '../../text'
import { modName } from '../../use-shortcuts'
import { CodeInput } from './code-input'
import { CodeNote } from './code-note'
import { useCodeEntry } from './use-code-entry'

/** The code field in the top bar, shown unless home is. */
export function CodeBox() {
  const entry = useCodeEntry()
  const isBusy = entry.pending !== null
  return (
    <form className={entry.isWrong ? 'codebox wrong' : 'codebox'} onSubmit={entry.onSubmit}>
      {isBusy ? <span className="spinner" /> : <Icon of={ArrowDownToLine} />}
      <CodeInput entry={entry} placeholder={text.codeField.placeholder} />
      {entry.value === '' && (
        <label className="kbd" htmlFor={codeFieldId} aria-hidden>
          {text.keys.codeField(modName)}
        </label>
      )}
      {(entry.isWrong ||
        entry.asksServer ||
        isBusy ||
        entry.isFromLink ||
        entry.resumes !== null) && (
        <div className="codebox-note">
          <CodeNote entry={entry} />
        </div>
      )}
    </form>
  )
}
