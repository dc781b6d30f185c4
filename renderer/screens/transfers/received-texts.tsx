import { Download } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { partsOf } from '#shared/format/text-links'
import { visibleLines, visibleText } from '#shared/format/visible-text'
import type { Receive, ReceivedText, ReceiveId } from '#shared/state/app-state'
import { openLink, saveText } from '../../actions/actions'
import { Button } from '../../components/button'
import { CopyButton } from '../../components/copy-button'
import { useCopied } from '../../components/use-copied'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'

/** Received texts, to read, to copy, or to save as a file. */
export function ReceivedTexts({ receive: { id, texts } }: { readonly receive: Receive }) {
  if (texts.length === 0) return null
  return (
    <section className="texts" aria-label={text.receivedTexts.title(texts.length)}>
      {texts.map((one, index) => (
        <TextCard
          key={index}
          receive={id}
          received={one}
          onSave={() => {
            void saveText(id, one.name, one.text)
          }}
        />
      ))}
    </section>
  )
}

type Props = {
  readonly receive: ReceiveId
  readonly received: ReceivedText
  readonly onSave: () => void
}

function TextCard({ receive, received, onSave }: Props) {
  const [copyState, copy] = useCopied()
  const isAwaited = useUiStore(({ copying }) => copying === receive)
  const parts = useMemo(() => partsOf(received.text), [received.text])
  useEffect(() => {
    if (!isAwaited) return
    useUiStore.setState({ copying: null })
    copy(received.text)
  })
  return (
    <div className="text-card">
      <header>
        <h3 className="label grow trunc">{visibleText(received.name)}</h3>
        <CopyButton
          state={copyState}
          words={text.actions.copy}
          variant="ghost"
          size="small"
          onClick={() => copy(received.text)}
        />
        <Button variant="ghost" size="small" icon={Download} onClick={onSave}>
          {text.actions.save}
        </Button>
      </header>
      <pre tabIndex={0}>
        {parts.map((part, index) =>
          part.isLink ? (
            <button
              key={index}
              type="button"
              role="link"
              className="text-link"
              onClick={() => {
                void openLink(receive, part.text)
              }}
            >
              {part.text}
            </button>
          ) : (
            visibleLines(part.text)
          ),
        )}
      </pre>
    </div>
  )
}
