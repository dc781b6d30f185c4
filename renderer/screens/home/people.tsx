import { useShallow } from 'zustand/react/shallow'
import type { Recipient } from '#shared/state/nearby'
import { pickAndSend } from '../../actions/share-actions'
import { Avatar } from '../../components/avatar'
import { useAppStore } from '../../store/app-store'
import { type UiState, useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { people, type Person } from '../../view/nearby-view'

/** Nearby computers and contacts, who receive files without a code: choose one, or drop files on one. */
export function People({ isLow = false }: { readonly isLow?: boolean }) {
  const known = useAppStore(
    useShallow(({ state }) => ({ contacts: state?.contacts ?? [], nearby: state?.nearby ?? [] })),
  )
  const all = people(known)
  if (all.length === 0) return null
  return (
    <section className={isLow ? 'people low' : 'people'} aria-label={text.contacts.people}>
      <h2 className="label">{text.contacts.people}</h2>
      <ul>
        {all.map((person) => (
          <PersonButton
            key={JSON.stringify(person.to)}
            person={person}
            size={isLow ? 'small' : 'large'}
          />
        ))}
      </ul>
    </section>
  )
}

type ButtonProps = { readonly person: Person; readonly size: 'small' | 'large' }

function PersonButton({ person: { to, name, isNear, members }, size }: ButtonProps) {
  const isTarget = useUiStore(({ drag }) => isOver(drag, to))
  return (
    <li className={isTarget ? 'person target' : 'person'} {...dropPlace(to)}>
      <button
        type="button"
        aria-label={text.contacts.sendFilesTo(name)}
        onClick={() => void pickAndSend('files', to)}
      >
        <Avatar name={name} size={size} />
        <span className="trunc">{isTarget ? text.contacts.dropTo(name) : name}</span>
        {isNear && <span className="sub">{text.nearby.near}</span>}
        {members !== undefined && <span className="sub">{text.contacts.members(members)}</span>}
      </button>
    </li>
  )
}

/** Attributes that make an element the target of dropped files. */
export function dropPlace(to: Recipient): object {
  if ('group' in to) return { 'data-group': to.group }
  return 'contact' in to ? { 'data-contact': to.contact } : { 'data-nearby': to.nearby }
}

function isOver(drag: UiState['drag'], to: Recipient): boolean {
  const over = drag?.over ?? null
  return over !== null && 'to' in over && JSON.stringify(over.to) === JSON.stringify(to)
}
