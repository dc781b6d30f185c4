import * as Dialog from '@radix-ui/react-dialog'
import { Button } from '../../components/button'
import { closeLicenses } from '../../license-actions'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'

/** The works of others in the product, with the texts of their licenses, which are English. */
export function LicenseSheet() {
  const notices = useUiStore((ui) => ui.licenses)
  return (
    <Dialog.Root open={notices !== null} onOpenChange={closeLicenses}>
      <Dialog.Portal>
        <div className="scrim">
          <Dialog.Content className="sheet license-sheet" aria-describedby={undefined}>
            <header className="sheet-head">
              <Dialog.Title className="title large grow">{text.licenses.title}</Dialog.Title>
              <Button variant="ghost" hint={text.keys.escape} onClick={closeLicenses}>
                {text.actions.close}
              </Button>
            </header>
            <pre className="license-text" lang="en" dir="ltr" tabIndex={0}>
              {notices}
            </pre>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
