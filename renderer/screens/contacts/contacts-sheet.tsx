import * as Dialog from '@radix-ui/react-dialog'
import { closeContacts } from '../../actions/contact-actions'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { SendTo } from './send-to'

/** A sheet with the choice of contacts to send a share to. */
export function ContactsSheet() {
  const sending = useUiStore((ui) => ui.sending)
  // A share that has ended meanwhile can no longer be sent.
  const share = useAppStore(({ state }) => state?.shares.find(({ id }) => id === sending))
  return (
    <Dialog.Root open={share !== undefined} onOpenChange={closeContacts}>
      <Dialog.Portal>
        <div className="scrim">
          {share !== undefined && (
            <Dialog.Content className="sheet narrow contacts-sheet">
              <SendTo share={share} />
            </Dialog.Content>
          )}
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
