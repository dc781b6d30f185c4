import * as Dialog from '@radix-ui/react-dialog'
import { useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { Share } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import { closeContacts, sendToContacts } from '../../actions/contact-actions'
import { Avatar } from '../../components/avatar'
import { Button } from '../../components/button'
import { TickBox } from '../../components/tick'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { type Candidate, candidates, matching } from '../../view/contact-view'

/** Fewer contacts are found faster by looking than by typing. */
const minToSearch = 7

/** Contacts to send a share to. */
export function SendTo({ share }: { readonly share: Share }) {
  const known = useAppStore(
    useShallow(({ state }) => ({
      contacts: state?.contacts ?? [],
      server: state?.server ?? ({ phase: 'idle' } as const),
    })),
  )
  const [typed, setTyped] = useState('')
  const [nowMs] = useState(Date.now)
  const [chosen, setChosen] = useState<ReadonlySet<ContactId>>(new Set())
  const all = candidates(known, share, nowMs)
  const shown = matching(all, typed)
  const toggle = (id: ContactId): void => {
    const others = [...chosen].filter((one) => one !== id)
    setChosen(new Set(chosen.has(id) ? others : [...others, id]))
  }
  const send = (): void => {
    if (chosen.size > 0) void sendToContacts(share.id, [...chosen])
  }
  return (
    <>
      <header className="sheet-head">
        <Dialog.Title className="title large two-lines">
          {text.contacts.sendTitle(share.title)}
        </Dialog.Title>
      </header>
      {all.length >= minToSearch && (
        <div className="contact-search">
          <input
            className="text-field"
            autoFocus
            aria-label={text.contacts.search}
            placeholder={text.contacts.search}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
      )}
      <ul className="contacts">
        {shown.map((candidate) => (
          <CandidateRow
            key={candidate.contact.id}
            candidate={candidate}
            isChosen={chosen.has(candidate.contact.id)}
            onToggle={toggle}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="sub contacts-none">{text.contacts.noneFound}</p>}
      <footer className="sheet-foot">
        <Dialog.Description className="grow sub">{text.contacts.noCode}</Dialog.Description>
        <Button variant="ghost" hint={text.keys.escape} onClick={closeContacts}>
          {text.actions.cancel}
        </Button>
        <Button variant="primary" size="large" isDisabled={chosen.size === 0} onClick={send}>
          {chosen.size === 0 ? text.contacts.sendToNone : text.contacts.sendTo(chosen.size)}
        </Button>
      </footer>
    </>
  )
}

type RowProps = {
  readonly candidate: Candidate
  readonly isChosen: boolean
  readonly onToggle: (id: ContactId) => void
}

const CandidateRow = ({
  candidate: { contact, words, canChoose },
  isChosen,
  onToggle,
}: RowProps) => (
  <li className={isChosen ? 'contact chosen' : 'contact'}>
    <button
      type="button"
      className="contact-row"
      role="checkbox"
      aria-checked={isChosen}
      aria-disabled={!canChoose}
      onClick={() => {
        if (canChoose) onToggle(contact.id)
      }}
    >
      <Avatar name={contact.name} size="medium" />
      <span className="grow">
        <span className="contact-label trunc">{contact.name}</span>
        <span className="sub trunc">{words}</span>
      </span>
      {canChoose && <TickBox state={isChosen} />}
    </button>
  </li>
)
