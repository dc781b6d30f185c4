/** The field for a code, filled from the link that opened the page. */
import { useEffect, useRef, useState } from 'react'
import { readCode } from '#shared/code/code-entry'
import { isJoinCode } from '#shared/code/join-code'
import { makeJoinLink } from '#shared/code/join-link'
import { describeError } from '#shared/describe-error'
import { signalingPath } from '#shared/signaling/paths'
import type { PageState } from '../page-session'
import { text } from '../text'

/** The code behind `#c=` of the page's address, which browsers never send; empty without one. */
function codeOfAddress(): string {
  const [, code = ''] = /^#c=([^&]*)$/.exec(location.hash) ?? []
  const plain = code.replace(/%2d/gi, '-')
  return isJoinCode(plain) ? plain : ''
}

type Props = {
  readonly server: string
  readonly state: Pick<PageState, 'code' | 'wantsPassword'>
  /** True after a failure. */
  readonly again?: boolean
  /** Called when the code is complete. */
  readonly onReady: () => void
  readonly onCode: (code: string, password: string) => void
}

export function CodeForm({ server, state, again = false, onReady, onCode }: Props) {
  const [typed, setTyped] = useState(() => (state.code === '' ? codeOfAddress() : state.code))
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const submit = (): void => {
    const code = readCode(typed)
    if (code.ok) onCode(code.value.code, password)
    else {
      const { what, remedy } = describeError(code.error)
      setProblem(`${what} ${remedy}`)
      input.current?.focus()
    }
  }
  const found = readCode(typed)
  useEffect(() => {
    if (found.ok) onReady()
  }, [found.ok, onReady])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {!again && (
        <>
          <h1>{text.heading}</h1>
          <p>{text.lead}</p>
        </>
      )}
      <label htmlFor="code">{text.codeLabel}</label>
      <input
        ref={input}
        id="code"
        value={typed}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        aria-describedby="code-hint"
        aria-invalid={problem !== null}
        onChange={({ target }) => {
          setTyped(target.value)
          setProblem(null)
        }}
      />
      <p id="code-hint" role={problem === null ? undefined : 'alert'}>
        {problem ?? text.codeHint}
      </p>
      {state.wantsPassword && (
        <>
          <label htmlFor="password">{text.password}</label>
          <input
            id="password"
            type="password"
            value={password}
            autoComplete="current-password"
            aria-describedby="password-hint"
            required
            onChange={({ target }) => setPassword(target.value)}
          />
          <p id="password-hint">{text.passwordHint(location.host)}</p>
        </>
      )}
      <button type="submit" className="primary">
        {again ? text.again : text.receive}
      </button>
      {found.ok && (
        <a
          className="button"
          href={makeJoinLink({ code: found.value.code, server: `${server}${signalingPath}` })}
        >
          {text.openApp}
        </a>
      )}
    </form>
  )
}
