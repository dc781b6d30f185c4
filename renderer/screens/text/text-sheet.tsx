import * as Dialog from '@radix-ui/react-dialog'
import { limits } from '#shared/limits'
import type { ShareId } from '#shared/state/app-state'
import { closeText, editText, sendText } from '../../actions/share-actions'
import { Button } from '../../components/button'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { modName } from '../../use-shortcuts'

/** A text instead of a file: typed or pasted, for a new share or a running one. */
export function TextSheet() {
  const writing = useUiStore((ui) => ui.writing)
  return (
    <Dialog.Root open={writing !== null} onOpenChange={closeText}>
      <Dialog.Portal>
        <div className="scrim">{writing && <Sheet {...writing} />}</div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Sheet({ into, words }: { readonly into: ShareId | null; readonly words: string }) {
  const bytes = new TextEncoder().encode(words).length
  const isTooLong = bytes > limits.textBytes
  const canSend = words.trim() !== '' && !isTooLong
  const send = (): void => {
    if (canSend) void sendText(words, into)
  }
  return (
    <Dialog.Content className="sheet narrow">
      <header className="sheet-head">
        <div className="grow">
          <Dialog.Title className="title large">{text.textSheet.title}</Dialog.Title>
          <Dialog.Description className="sub">{text.textSheet.about}</Dialog.Description>
        </div>
      </header>
      <textarea
        className="text-input"
        autoFocus
        aria-label={text.textSheet.name}
        aria-invalid={isTooLong}
        placeholder={text.textSheet.placeholder}
        value={words}
        onChange={({ target }) => editText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
      />
      <footer className="sheet-foot">
        <p className="grow sub danger" role="status">
          {isTooLong && text.textSheet.tooLong({ bytes, maxBytes: limits.textBytes })}
        </p>
        <Button variant="ghost" hint={text.keys.escape} onClick={closeText}>
          {text.actions.cancel}
        </Button>
        <Button
          variant="primary"
          hint={text.keys.modEnter(modName)}
          isDisabled={!canSend}
          onClick={send}
        >
          {into === null ? text.textSheet.share : text.textSheet.add}
        </Button>
      </footer>
    </Dialog.Content>
  )
}
