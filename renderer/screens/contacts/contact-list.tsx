import { Pencil, Send } from 'lucide-react'
import { useState } from 'react'
import { type ContactGroup, groupsOf } from '#shared/state/contact-groups'
import type { Contact, ContactId } from '#shared/state/contacts'
import { pickAndSend } from '../../actions/share-actions'
import { Avatar } from '../../components/avatar'
import { Button, IconButton } from '../../components/button'
import { SentenceLine } from '../../components/sentence-line'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { contactSummary } from '../../view/contact-view'
import { ContactSettings } from './contact-settings'

/** All groups and contacts, one contact open for editing. */
export function ContactList() {
  const contacts = useAppStore(({ state }) => state?.contacts ?? [])
  const [open, setOpen] = useState<ContactId | null>(null)
  const [nowMs] = useState(Date.now)
  if (contacts.length === 0) return <p className="page-empty">{text.contacts.empty}</p>
  return (
    <ul className="contacts contact-page">
      {groupsOf(contacts).map((group) => (
        <GroupEntry key={group.name} {...group} />
      ))}
      {contacts.map((contact) => (
        <ContactEntry
          key={contact.id}
          contact={contact}
          nowMs={nowMs}
          isOpen={contact.id === open}
          onToggle={() => setOpen(contact.id === open ? null : contact.id)}
        />
      ))}
    </ul>
  )
}

/** A group, to which files can be sent. Its members are chosen in their own entries. */
const GroupEntry = ({ name, members }: ContactGroup) => (
  <li className="contact" data-group={name}>
    <div className="contact-row">
      <Avatar name={name} size="medium" />
      <div className="grow">
        <h2 className="trunc">{name}</h2>
        <p className="sub trunc">{members.map((member) => member.name).join(', ')}</p>
      </div>
      <Button
        icon={Send}
        name={text.contacts.sendFilesTo(name)}
        onClick={() => void pickAndSend('files', { group: name })}
      >
        {text.contacts.sendFiles}
      </Button>
    </div>
  </li>
)

type EntryProps = {
  readonly contact: Contact
  readonly nowMs: number
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** Keeps an entry visible when it opens at the end of the list. */
const bringIntoView = (entry: HTMLElement | null): void =>
  entry?.scrollIntoView({ block: 'nearest' })

const ContactEntry = ({ contact, nowMs, isOpen, onToggle }: EntryProps) => (
  <li
    className={isOpen ? 'contact open' : 'contact'}
    ref={isOpen ? bringIntoView : null}
    {...(contact.removedYou !== true && { 'data-contact': contact.id })}
  >
    <div className="contact-row">
      <Avatar name={contact.name} size="medium" />
      <div className="grow">
        <h2 className="trunc">{contact.name}</h2>
        <SentenceLine of={contactSummary(contact, nowMs)} />
      </div>
      {contact.removedYou !== true && (
        <Button
          icon={Send}
          name={text.contacts.sendFilesTo(contact.name)}
          onClick={() => void pickAndSend('files', { contact: contact.id })}
        >
          {text.contacts.sendFiles}
        </Button>
      )}
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
