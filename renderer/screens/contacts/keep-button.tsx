import { UserPlus } from 'lucide-react'
import type { Keeping } from '#shared/contacts'
import { Button, IconButton } from '../../components/button'
import { keepContact } from '../../contact-actions'
import type { OtherSide } from '../../other-side'
import { text } from '../../text'

type Props = {
  readonly side: OtherSide
  readonly name: string
  readonly keeping: Keeping | undefined
  readonly isIcon?: boolean
}

/** Sends a contact request while that is possible; requests of the other side are answered above. */
export function KeepButton({ side, name, keeping, isIcon = false }: Props) {
  if (keeping !== 'possible') return null
  const keep = (): void => {
    void keepContact(side)
  }
  return isIcon ? (
    <IconButton name={text.contacts.addName(name)} icon={UserPlus} size="small" onClick={keep} />
  ) : (
    <Button look="ghost" icon={UserPlus} onClick={keep}>
      {text.contacts.add}
    </Button>
  )
}

/** A badge beside a name: the contact request was sent, or the other side is a contact. */
export const KeepBadge = ({ keeping }: Pick<Props, 'keeping'>) =>
  keeping === 'asked' || keeping === 'kept' ? (
    <span className="contact-badge">
      {keeping === 'asked' ? text.contacts.requestSent : text.contacts.isContact}
    </span>
  ) : null
