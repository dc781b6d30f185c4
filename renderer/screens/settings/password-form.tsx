/** A form for a server's password; an empty one removes it. */
import { useState } from 'react'
import { withPassword } from '#shared/settings/server-draft'
import type { ServerProfile } from '#shared/settings/settings'
import { Button } from '../../components/button'
import { FormField } from '../../components/form-field'
import { text } from '../../text'

export function PasswordForm({
  server,
  onSave,
  onCancel,
}: {
  readonly server: ServerProfile
  readonly onSave: (server: ServerProfile) => void
  readonly onCancel: () => void
}) {
  const [typed, setTyped] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const words = text.settings.network
  return (
    <form
      className="setting-form"
      onSubmit={(event) => {
        event.preventDefault()
        const changed = withPassword(server, typed)
        if (changed === null) setIsRefused(true)
        else onSave(changed)
      }}
    >
      <FormField
        label={words.fields.password}
        placeholder={words.passwordPlaceholder}
        type="password"
        value={typed}
        autoFocus
        onChange={(value) => {
          setTyped(value)
          setIsRefused(false)
        }}
      />
      <p role="alert">{isRefused && words.refusals.password}</p>
      <div className="form-buttons">
        <Button variant="ghost" onClick={onCancel}>
          {text.actions.cancel}
        </Button>
        <button type="submit" className="btn primary medium">
          {words.setPassword}
        </button>
      </div>
    </form>
  )
}
