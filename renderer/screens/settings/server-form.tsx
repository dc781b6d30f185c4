/** A form for a server, which people can try before adding it. */
import { useState } from 'react'
import { noDraft, profileFrom, type ServerDraft } from '#shared/settings/server-draft'
import type { ServerProfile } from '#shared/settings/settings'
import { Button } from '../../components/button'
import { FormField } from '../../components/form-field'
import { text } from '../../text'
import { CheckResult, useServerCheck } from './server-check'

export function ServerForm({
  taken,
  onAdd,
  onCancel,
}: {
  readonly taken: readonly string[]
  readonly onAdd: (server: ServerProfile) => void
  readonly onCancel: () => void
}) {
  const [draft, setDraft] = useState(noDraft)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { check, begin, forget } = useServerCheck()
  const words = text.settings.network
  /** Passes on the profile in the fields, or shows its error. */
  const withProfile = (pass: (profile: ServerProfile) => void): void => {
    const profile = profileFrom(draft, taken)
    if (profile.ok) pass(profile.value)
    else setRefusal(words.refusals[profile.error])
  }
  const field = (key: keyof ServerDraft, placeholder: string, type?: 'password') => (
    <FormField
      type={type}
      label={words.fields[key]}
      placeholder={placeholder}
      value={draft[key]}
      autoFocus={key === 'url'}
      onChange={(value) => {
        setDraft({ ...draft, [key]: value })
        setRefusal(null)
        forget()
      }}
    />
  )
  return (
    <form
      className="setting-form"
      onSubmit={(event) => {
        event.preventDefault()
        withProfile(onAdd)
      }}
    >
      {field('url', 'wss://thru.example.org')}
      {field('name', words.namePlaceholder)}
      {field('password', words.passwordPlaceholder, 'password')}
      <details>
        <summary>{words.more}</summary>
        {field('fallbacks', 'wss://other.example.org')}
        {field('stun', 'stun:stun.example.org')}
        {field('turn', 'turn:user:password@turn.example.org')}
      </details>
      <p role="alert">{refusal}</p>
      <CheckResult check={check} />
      <div className="form-buttons">
        <Button variant="ghost" onClick={onCancel}>
          {text.actions.cancel}
        </Button>
        <Button isDisabled={check === 'running'} onClick={() => withProfile(begin)}>
          {words.test}
        </Button>
        <button type="submit" className="btn primary medium">
          {words.add}
        </button>
      </div>
    </form>
  )
}
