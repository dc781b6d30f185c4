import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '#shared/state/contacts'
import {
  pickAutoAccept,
  removeContact,
  renameContact,
  setContactGroups,
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
      <SavedField
        label={text.contacts.name}
        value={contact.name}
        maxLength={64}
        onSave={(name) => {
          if (name !== '') void renameContact(id, name)
        }}
      />
      <SavedField
        label={text.contacts.groups}
        value={(contact.groups ?? []).join(', ')}
        maxLength={500}
        onSave={(line) => void setContactGroups(id, line)}
      />
      <p className="sub contact-about">{text.contacts.groupsAbout}</p>
      <Tick
        state={autoAccept !== null}
        onToggle={() => void (autoAccept === null ? pickAutoAccept(id) : stopAutoAccept(id))}
      >
        {text.contacts.auto}
      </Tick>
      <p className="sub">{text.contacts.autoAbout}</p>
      {autoAccept !== null && (
        <div className="contact-folder">
          <span
            className="field trunc-start"
            aria-label={text.contacts.folder}
            title={autoAccept.directory}
          >
            <bdi dir="ltr">{autoAccept.directory}</bdi>
          </span>
          <Button onClick={() => void pickAutoAccept(id)}>{text.actions.change}</Button>
        </div>
      )}
      <Removal contact={contact} />
    </div>
  )
}

type FieldProps = {
  readonly label: string
  readonly value: string
  readonly maxLength: number
  readonly onSave: (value: string) => void
}

/** A line, saved on blur or with Enter. What is saved in its place is shown, such as a name with a number. */
function SavedField({ label, value, maxLength, onSave }: FieldProps) {
  const [draft, setDraft] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setDraft(value)
  }
  const save = (): void => {
    const wanted = draft.trim()
    if (wanted !== value) onSave(wanted)
    setDraft(value)
  }
  return (
    <label className="contact-name">
      <span className="label">{label}</span>
      <input
        className="text-field"
        value={draft}
        maxLength={maxLength}
        onChange={({ target }) => setDraft(target.value)}
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
      <Button variant="ghost" size="small" icon={Trash2} onClick={() => setIsAsking(true)}>
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
      <Button variant="ghost" size="small" onClick={() => setIsAsking(false)}>
        {text.actions.cancel}
      </Button>
    </div>
  )
}
