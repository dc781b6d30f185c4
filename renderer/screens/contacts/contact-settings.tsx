import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '#shared/contacts'
import { Button } from '../../components/button'
import { Tick } from '../../components/tick'
import { pickAutoAccept, removeContact, renameContact, stopAutoAccept } from '../../contact-actions'
import { contactsText } from '../../text/contacts'

/** A contact's name, its folder, and the way to forget it. */
export function ContactSettings({ contact }: { readonly contact: Contact }) {
  const { id, autoAccept } = contact
  return (
    <div className="contact-settings">
      <NameField contact={contact} />
      <Tick
        state={autoAccept !== null}
        onToggle={() => void (autoAccept === null ? pickAutoAccept(id) : stopAutoAccept(id))}
      >
        {contactsText.auto}
      </Tick>
      <p className="sub">{contactsText.autoWhy}</p>
      {autoAccept !== null && (
        <div className="contact-folder">
          <span className="field trunc" aria-label={contactsText.folder}>
            {autoAccept.directory}
          </span>
          <Button onClick={() => void pickAutoAccept(id)}>{contactsText.change}</Button>
        </div>
      )}
      <Removal contact={contact} />
    </div>
  )
}

/** Takes effect when it is left, or with Enter. */
function NameField({ contact: { id, name } }: { readonly contact: Contact }) {
  const [draft, setDraft] = useState(name)
  const save = (): void => {
    const wanted = draft.trim()
    if (wanted === '' || wanted === name) setDraft(name)
    else void renameContact(id, wanted)
  }
  return (
    <label className="contact-name">
      <span className="label">{contactsText.name}</span>
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
        look="ghost"
        size="small"
        icon={Trash2}
        onClick={() => {
          setIsAsking(true)
        }}
      >
        {contactsText.remove}
      </Button>
    )
  }
  return (
    <div className="contact-removal" role="alert">
      <p className="grow sub danger">{contactsText.sure(name)}</p>
      <Button size="small" onClick={() => void removeContact(id)}>
        {contactsText.removeNow}
      </Button>
      <Button
        look="ghost"
        size="small"
        onClick={() => {
          setIsAsking(false)
        }}
      >
        {contactsText.keepIt}
      </Button>
    </div>
  )
}
