import * as Dialog from '@radix-ui/react-dialog'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { Contact, ContactId } from '#shared/contacts'
import { Avatar } from '../../components/avatar'
import { Button, IconButton } from '../../components/button'
import { closeContacts } from '../../contact-actions'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { contactSummary } from '../../view/contact-view'
import { ContactSettings } from './contact-settings'

/** All contacts, one of them open for editing. */
export function ContactList() {
  const contacts = useAppStore(({ state }) => state?.contacts ?? [])
  const reachability = useAppStore(({ state }) => state?.reachability)
  const [open, setOpen] = useState<ContactId | null>(null)
  return (
    <>
      <header className="sheet-head">
        <div className="grow">
          <Dialog.Title className="title large">{text.contacts.title}</Dialog.Title>
          <Dialog.Description className="sub">{text.contacts.about}</Dialog.Description>
        </div>
      </header>
      <ul className="contacts">
        {contacts.map((contact) => (
          <ContactEntry
            key={contact.id}
            contact={contact}
            isOpen={contact.id === open}
            onToggle={() => {
              setOpen(contact.id === open ? null : contact.id)
            }}
          />
        ))}
      </ul>
      <footer className="sheet-foot">
        <p className="grow sub" role="status">
          {reachability?.phase === 'on' && text.contacts.reachable}
          {reachability?.phase === 'trying' &&
            reachability.error !== null &&
            text.contacts.retrying}
        </p>
        <Button variant="primary" onClick={closeContacts}>
          {text.actions.done}
        </Button>
      </footer>
    </>
  )
}

type EntryProps = {
  readonly contact: Contact
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** Keeps an entry visible that opens at the end of the list. */
const bringIntoView = (entry: HTMLElement | null): void => {
  entry?.scrollIntoView({ block: 'nearest' })
}

const ContactEntry = ({ contact, isOpen, onToggle }: EntryProps) => (
  <li className={isOpen ? 'contact open' : 'contact'} ref={isOpen ? bringIntoView : null}>
    <div className="contact-row">
      <Avatar name={contact.name} size="medium" />
      <div className="grow">
        <h3 className="trunc">{contact.name}</h3>
        <p className="sub trunc">{contactSummary(contact)}</p>
      </div>
      <IconButton
        name={text.contacts.edit(contact.name)}
        icon={Pencil}
        expanded={isOpen}
        onClick={onToggle}
      />
    </div>
    {isOpen && <ContactSettings contact={contact} />}
  </li>
)
