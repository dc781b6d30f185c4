import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { ContactList } from './contact-list'

/** All contacts, and the folders of those whose offers are saved without asking. */
export function ContactsScreen() {
  const reachability = useAppStore(({ state }) => state?.reachability)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{text.contacts.title}</h1>
        <p>{text.contacts.about}</p>
      </header>
      <ContactList />
      <p className="sub page-note" role="status">
        {reachability?.phase === 'on' && text.contacts.reachable}
        {reachability?.phase === 'trying' && reachability.error !== null && text.contacts.retrying}
      </p>
    </div>
  )
}
