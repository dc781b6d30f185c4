import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '#shared/state/contacts'
import {
  pickAutoAccept,
  removeContact,
  renameContact,
  stopAutoAccept,
} from '../../actions/contact-actions'
import { Button } from '../../components/button'
import { Tick } from '../../components/tick'
import { text } from '../../text'

/** A contact's name, its folder, and its removal. */
export function ContactSettings({ contact }: { readonly contact: Contact }) {
  const { id, autoAccept } = contact
  return (
    <div className="contact-settings">
      <NameField contact={contact} />
      <Tick
        state={autoAccept !== null}
        onToggle={() => void (autoAccept === null ? pickAutoAccept(id) : stopAutoAccept(id))}
      >
        {text.contacts.auto}
      </Tick>
      <p className="sub">{text.contacts.autoAbout}</p>
      {autoAccept !== null && (
        <div className="contact-folder">
          <span className="field trunc-start" aria-label={text.contacts.folder}>
            <bdi dir="ltr">{autoAccept.directory}</bdi>
          </span>
          <Button onClick={() => void pickAutoAccept(id)}>{text.actions.change}</Button>
        </div>
      )}
      <Removal contact={contact} />
    </div>
  )
}

/** The name, saved on blur or with Enter. */
function NameField({ contact: { id, name } }: { readonly contact: Contact }) {
  const [draft, setDraft] = useState(name)
  const save = (): void => {
    const wanted = draft.trim()
    if (wanted === '' || wanted === name) setDraft(name)
    else void renameContact(id, wanted)
  }
  return (
    <label className="contact-name">
      <span className="label">{text.contacts.name}</span>
      <input
        className="text-field"
        value={draft}
        maxLength={64}
        onChange={({ target }) => {
          setDraft(target.value)
        }}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
        }}
      />
    </label>
  )
}

function Removal({ contact: { id, name } }: { readonly contact: Contact }) {
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking) {
    return (
      <Button
        variant="ghost"
        size="small"
        icon={Trash2}
        onClick={() => {
          setIsAsking(true)
        }}
      >
        {text.contacts.remove}
      </Button>
    )
  }
  return (
    <div className="contact-removal" role="alert">
      <p className="grow sub danger">{text.contacts.removeQuestion(name)}</p>
      <Button size="small" onClick={() => void removeContact(id)}>
        {text.contacts.removeNow}
      </Button>
      <Button
        variant="ghost"
        size="small"
        onClick={() => {
          setIsAsking(false)
        }}
      >
        {text.actions.cancel}
      </Button>
    </div>
  )
}
