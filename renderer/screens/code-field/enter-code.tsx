import { ArrowRight } from 'lucide-react'
import { codeFieldId, declineOffer } from '../../actions/actions'
import { Button } from '../../components/button'
import { text } from '../../text'
import { CodeInput } from './code-input'
import { CodeNote } from './code-note'
import { useCodeEntry } from './use-code-entry'

/** The code field at home, with the state of the code below it. */
export function EnterCode() {
  const entry = useCodeEntry()
  const { pending } = entry
  return (
    <section className="enter" aria-label={text.home.receive}>
      <label htmlFor={codeFieldId}>{text.codeField.label}</label>
      <form className={entry.isWrong ? 'enter-box wrong' : 'enter-box'} onSubmit={entry.onSubmit}>
        <CodeInput entry={entry} placeholder={text.codeField.example} />
        {pending ? (
          <Button
            variant="ghost"
            onClick={() => {
              void declineOffer(pending.id)
            }}
          >
            {text.actions.cancel}
          </Button>
        ) : (
          <button
            className={entry.value === '' ? 'enter-go' : 'enter-go ready'}
            aria-label={text.codeField.join}
          >
            <ArrowRight className="points-on" size={18} strokeWidth={1.75} aria-hidden />
          </button>
        )}
      </form>
      <div className="enter-note">
        <CodeNote entry={entry} />
      </div>
    </section>
  )
}
