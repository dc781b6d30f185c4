/** A server that a person types: tried before it is added, if they like. */
import { useId, useRef, useState } from 'react'
import type { ServerCheck } from '#shared/server-check'
import type { ServerProfile } from '#shared/settings'
import { Button } from '../../components/button'
import { checkServer } from '../../settings-actions'
import { text } from '../../text'
import { noDraft, profileFrom, type ServerDraft } from '../../view/server-draft'

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
  const [check, setCheck] = useState<ServerCheck | 'running' | null>(null)
  /** Counts what makes an answer that is still to come one about something else. */
  const turn = useRef(0)
  const words = text.settings.network
  /** Passes on what the fields say, or says what is wrong with it. */
  const withProfile = (pass: (profile: ServerProfile) => void): void => {
    const profile = profileFrom(draft, taken)
    if (profile.ok) pass(profile.value)
    else setRefusal(words.refusals[profile.error])
  }
  const test = (profile: ServerProfile): void => {
    setCheck('running')
    const own = (turn.current += 1)
    void checkServer(profile).then((found) => {
      if (turn.current === own) setCheck(found)
    })
  }
  const field = (key: keyof ServerDraft, placeholder: string) => (
    <DraftField
      label={words.fields[key]}
      placeholder={placeholder}
      value={draft[key]}
      isFirst={key === 'url'}
      onChange={(value) => {
        setDraft({ ...draft, [key]: value })
        setRefusal(null)
        setCheck(null)
        turn.current += 1
      }}
    />
  )
  return (
    <form
      className="server-form"
      onSubmit={(event) => {
        event.preventDefault()
        withProfile(onAdd)
      }}
    >
      {field('url', 'wss://thru.example.org')}
      {field('name', words.namePlaceholder)}
      <details>
        <summary>{words.more}</summary>
        {field('stun', 'stun:stun.example.org')}
        {field('turn', 'turn:user:password@turn.example.org')}
      </details>
      <p role="alert">{refusal}</p>
      <div role="status" className="server-check">
        {check === 'running' && words.testing}
        {check !== null && check !== 'running' && <CheckResult check={check} />}
      </div>
      <div className="server-buttons">
        <Button variant="ghost" onClick={onCancel}>
          {text.actions.cancel}
        </Button>
        <Button
          isDisabled={check === 'running'}
          onClick={() => {
            withProfile(test)
          }}
        >
          {words.test}
        </Button>
        <button type="submit" className="btn primary medium">
          {words.add}
        </button>
      </div>
    </form>
  )
}

const tones = {
  ready: 'good',
  insecure: 'fair',
  unreachable: 'bad',
  untrusted: 'bad',
  other: 'bad',
  proxy: 'bad',
} as const

const CheckResult = ({ check: { server, detail, stun } }: { readonly check: ServerCheck }) => {
  const words = text.settings.network
  return (
    <>
      <p className={tones[server]} title={detail}>
        {words.checks[server]}
      </p>
      {stun.map(({ line, answers }) => (
        <p key={line} className={answers ? 'good' : 'bad'}>
          {answers ? words.stunAnswers(line) : words.stunSilent(line)}
        </p>
      ))}
    </>
  )
}

/** Far more than an address takes; what is too long is refused with what else makes no sense. */
const mostCharacters = 4000

function DraftField({
  label,
  ...input
}: {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly isFirst: boolean
  readonly onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div className="server-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="text-field"
        type="text"
        autoFocus={input.isFirst}
        spellCheck={false}
        maxLength={mostCharacters}
        value={input.value}
        placeholder={input.placeholder}
        onChange={({ target }) => {
          input.onChange(target.value)
        }}
      />
    </div>
  )
}
