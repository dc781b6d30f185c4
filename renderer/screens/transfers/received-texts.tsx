import { Download } from 'lucide-react'
import { useMemo } from 'react'
import type { Receive, ReceivedText } from '#shared/app-state'
import { visibleLines, visibleText } from '#shared/visible-text'
import { saveText } from '../../actions'
import { Button } from '../../components/button'
import { CopyButton } from '../../components/copy-button'
import { useCopied } from '../../components/use-copied'
import { text } from '../../text'

/** Texts that came with a share, to read, to copy, or to keep as a file. */
export function ReceivedTexts({ receive: { id, texts } }: { readonly receive: Receive }) {
  if (texts.length === 0) return null
  return (
    <section className="texts" aria-label={text.receivedTexts.title(texts.length)}>
      {texts.map((one, index) => (
        <TextCard
          key={index}
          received={one}
          onSave={() => {
            void saveText(id, one.name, one.text)
          }}
        />
      ))}
    </section>
  )
}

type Props = { readonly received: ReceivedText; readonly onSave: () => void }

function TextCard({ received, onSave }: Props) {
  const [copyState, copy] = useCopied()
  const shown = useMemo(() => visibleLines(received.text), [received.text])
  return (
    <div className="text-card">
      <header>
        <h3 className="label grow trunc">{visibleText(received.name)}</h3>
        <CopyButton
          state={copyState}
          words={text.actions.copy}
          variant="ghost"
          size="small"
          onClick={() => {
            copy(received.text)
          }}
        />
        <Button variant="ghost" size="small" icon={Download} onClick={onSave}>
          {text.actions.save}
        </Button>
      </header>
      <pre tabIndex={0}>{shown}</pre>
    </div>
  )
}
