import { UserPlus } from 'lucide-react'
import type { OtherSide } from '#shared/state/app-state'
import type { ContactRequest } from '#shared/state/contacts'
import { requestContact } from '../../actions/contact-actions'
import { Button, IconButton } from '../../components/button'
import { text } from '../../text'

type Props = {
  readonly side: OtherSide
  readonly name: string
  readonly contactRequest: ContactRequest | undefined
  readonly isIcon?: boolean
}

/** Sends a contact request where possible; requests of the other side are answered above. */
export function AddContactButton({ side, name, contactRequest, isIcon = false }: Props) {
  if (contactRequest !== 'possible') return null
  const keep = (): void => {
    void requestContact(side)
  }
  return isIcon ? (
    <IconButton name={text.contacts.addName(name)} icon={UserPlus} size="small" onClick={keep} />
  ) : (
    <Button variant="ghost" icon={UserPlus} onClick={keep}>
      {text.contacts.add}
    </Button>
  )
}

/** A badge next to a name: the contact request was sent, or the other side is a contact. */
export const ContactBadge = ({ contactRequest }: Pick<Props, 'contactRequest'>) =>
  contactRequest === 'sent' || contactRequest === 'accepted' ? (
    <span className="contact-badge">
      {contactRequest === 'sent' ? text.contacts.requestSent : text.contacts.isContact}
    </span>
  ) : null
