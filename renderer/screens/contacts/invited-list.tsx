import type { Share } from '#shared/state/app-state'
import { Avatar } from '../../components/avatar'
import { SentenceLine } from '../../components/sentence-line'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { contactName, invitedSentence, waitedFor } from '../../view/contact-view'

/** Contacts that a share was sent to and that have not connected yet. */
export function InvitedList({ share }: { readonly share: Share }) {
  const contacts = useAppStore(({ state }) => state?.contacts ?? [])
  const waiting = waitedFor(share)
  if (waiting.length === 0) return null
  return (
    <section className="invited" aria-label={text.contacts.sentTo}>
      <h3 className="label">{text.contacts.sentTo}</h3>
      <ul>
        {waiting.map((one) => {
          const name = text.person(contactName(contacts, one.contact))
          return (
            <li key={one.contact} className="peer">
              <Avatar name={name} size="medium" />
              <div className="grow">
                <div className="peer-name trunc">{name}</div>
                <SentenceLine of={invitedSentence(one)} />
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
