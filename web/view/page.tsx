/** The page: a code, an offer or a choice of files, its progress, and its end. */
import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import { formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { PageSession, PageState } from '../page-session'
import { text } from '../text'
import { Arrived } from './arrived'
import { Choose, Waiting } from './choose'
import { CodeForm } from './code-form'
import { Offer } from './offer'
import { Progress } from './progress'
import { Sent } from './sent'
import { UnfinishedList } from './unfinished'

/** Browsers inside chat apps: most can't save files. */
const isInChatApp = /FBA[NV]|Instagram|KAKAOTALK|Line\/|MicroMessenger|Snapchat|WhatsApp/.test(
  navigator.userAgent,
)

/** A server on the internet has a certificate, and a sender's computer has none. */
const isFromServer = location.protocol === 'https:'

/** Stages in which a closed tab interrupts something. */
const busyStages: ReadonlySet<PageState['stage']> = new Set([
  ...(['receiving', 'saving', 'waiting', 'sending'] as const),
])

type Props = { readonly session: PageSession; readonly server: string }

/** The whole page. */
export function Page({ session, server }: Props) {
  const state = useSyncExternalStore(session.subscribe, session.state)
  const isBusy = busyStages.has(state.stage)
  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isBusy])
  const main = useFocus(state.stage)
  return (
    <main ref={main}>
      <Logo />
      <Stage state={state} session={session} server={server} />
      <p className="trust">{isFromServer ? text.trustServer(location.host) : text.trust}</p>
    </main>
  )
}

/** Moves the focus to the password or the heading if a change of stage has removed the focused button. */
function useFocus(stage: PageState['stage']): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const before = useRef(stage)
  useEffect(() => {
    if (before.current === stage) return
    before.current = stage
    if (document.activeElement !== document.body) return
    const password = main.current?.querySelector<HTMLElement>('input[type=password]')
    const heading = main.current?.querySelector('h1')
    heading?.setAttribute('tabindex', '-1')
    const focused = password ?? heading
    focused?.focus({ preventScroll: true })
  }, [stage])
  return main
}

function Stage({ state, session, server }: Props & { readonly state: PageState }) {
  const onCode = (code: string, password: string): void => session.connect(code, password)
  switch (state.stage) {
    case 'code':
      return (
        <>
          {isInChatApp && <p role="note">{text.chatApp}</p>}
          <UnfinishedList state={state} session={session} />
          <CodeForm server={server} state={state} onReady={session.prepare} onCode={onCode} />
        </>
      )
    case 'connecting':
      return <Connecting state={state} />
    case 'offered':
      return <Offer state={state} onAccept={(choice) => session.accept(choice)} />
    case 'choosing':
      return <Choose state={state} session={session} />
    case 'waiting':
      return <Waiting state={state} session={session} />
    case 'receiving':
    case 'sending':
    case 'saving':
      return <Progress state={state} session={session} />
    case 'over':
      return <Over state={state} session={session} server={server} />
  }
}

function Connecting({ state }: { readonly state: PageState }) {
  return (
    <section role="status">
      <h1>{state.isRequest ? text.connectingRequest : text.connecting}</h1>
      {state.awaitsApproval ? (
        <>
          <p>{text.awaitingApproval}</p>
          <p className="safety">{formatSafety(state.safety)}</p>
        </>
      ) : (
        <p>{text.connectingHint}</p>
      )}
    </section>
  )
}

/** A page has no settings and keeps everything in one place, so some remedies differ from the app's. */
function inBrowser(error: AppError): ReturnType<typeof describeError> {
  const { what, remedy } = describeError(error)
  const own = new Map<string, string>(Object.entries(text.remedies))
  return { what, remedy: own.get(error.code) ?? remedy }
}

function Over({ state, session, server }: Props & { readonly state: PageState }) {
  const { error, wantsPassword } = state
  if (state.isTooOld)
    return (
      <section role="alert">
        <h1>{text.oldBrowser}</h1>
      </section>
    )
  if (error === null)
    return state.isRequest ? <Sent state={state} /> : <Arrived state={state} session={session} />
  const { what, remedy } = wantsPassword
    ? { what: text.passwordWrong, remedy: text.passwordRemedy }
    : inBrowser(error)
  return (
    <>
      <section role="alert">
        <h1>{visibleText(what)}</h1>
        <p>{visibleText(remedy)}</p>
      </section>
      {state.files.length + state.texts.length > 0 && <Arrived state={state} session={session} />}
      {state.problems > 0 && state.isRequest && <Sent state={state} />}
      <UnfinishedList state={state} session={session} />
      <CodeForm
        server={server}
        state={state}
        again
        onReady={session.prepare}
        onCode={(code, password) => session.connect(code, password)}
      />
    </>
  )
}

const Logo = () => (
  <svg viewBox="32 32 448 448" aria-hidden="true">
    <rect x="32" y="32" width="448" height="448" rx="104" fill="#2f4cea" />
    <g fill="none" stroke="#fff" strokeWidth="26" strokeLinecap="round">
      <path d="M116 182c84 0 91 54 140 54s56-54 140-54" />
      <path d="M116 330c84 0 91-54 140-54s56 54 140 54" />
      <path d="M116 256h280" />
    </g>
  </svg>
)
