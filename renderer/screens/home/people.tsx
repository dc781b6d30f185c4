import { useShallow } from 'zustand/react/shallow'
import type { Recipient } from '#shared/state/contacts'
import { pickAndSend } from '../../actions/share-actions'
import { Avatar } from '../../components/avatar'
import { useAppStore } from '../../store/app-store'
import { type UiState, useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { peopleAtHome } from '../../view/contact-view'

/** People who receive files without a code: choose one, or drop files on one. */
export function People() {
  const contacts = useAppStore(useShallow(({ state }) => peopleAtHome(state?.contacts ?? [])))
  if (contacts.length === 0) return null
  return (
    <section className="people" aria-label={text.contacts.people}>
      <h2 className="label">{text.contacts.people}</h2>
      <ul>
        {contacts.map(({ id, name }) => (
          <PersonButton key={id} name={name} to={{ contact: id }} />
        ))}
      </ul>
    </section>
  )
}

function PersonButton({ name, to }: { readonly name: string; readonly to: Recipient }) {
  const isTarget = useUiStore(({ drag }) => isOver(drag, to))
  return (
    <li className={isTarget ? 'person target' : 'person'} data-contact={to.contact}>
      <button
        type="button"
        aria-label={text.contacts.sendFilesTo(name)}
        onClick={() => void pickAndSend('files', to)}
      >
        <Avatar name={name} size="large" />
        <span className="trunc">{isTarget ? text.contacts.dropTo(name) : name}</span>
      </button>
    </li>
  )
}

function isOver(drag: UiState['drag'], to: Recipient): boolean {
  const over = drag?.over ?? null
  return over !== null && 'to' in over && over.to.contact === to.contact
}
