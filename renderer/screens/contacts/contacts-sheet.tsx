import * as Dialog from '@radix-ui/react-dialog'
import { closeContacts } from '../../contact-actions'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { ContactList } from './contact-list'
import { SendTo } from './send-to'

/** A sheet with the list of contacts, or with the choice of contacts to send a share to. */
export function ContactsSheet() {
  const opened = useUiStore((ui) => ui.contacts)
  const share = useAppStore(({ state }) => state?.shares.find(({ id }) => id === opened?.share))
  // A share that has ended meanwhile can't be sent any longer.
  const isOpen = opened !== null && (opened.share === null || share !== undefined)
  return (
    <Dialog.Root open={isOpen} onOpenChange={closeContacts}>
      <Dialog.Portal>
        <div className="scrim">
          {isOpen && (
            <Dialog.Content className="sheet narrow contacts-sheet">
              {share === undefined ? <ContactList /> : <SendTo share={share} />}
            </Dialog.Content>
          )}
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
