import { ArrowLeft, History, Users } from 'lucide-react'
import { IconButton } from './components/button'
import { Tooltip } from './components/tooltip'
import { openContacts } from './contact-actions'
import { showHistory } from './history-actions'
import { CodeBox } from './screens/code-field/code-box'
import { SpeedLimits } from './speed-limits'
import { useAppStore } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { text } from './text'
import { serverWords } from './view/network-view'

/** The mark, the code field unless home shows its own, and how the network is. */
export const TopBar = ({ withCodeField }: { readonly withCodeField: boolean }) => (
  <header className="bar">
    <svg className="mark" viewBox="0 0 24 24" aria-hidden>
      <path
        d="M2 5.5c6 0 6.5 5 10 5s4-5 10-5M2 18.5c6 0 6.5-5 10-5s4 5 10 5M2 12h20"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.1"
        strokeLinecap="round"
      />
    </svg>
    {withCodeField ? <CodeBox /> : <span />}
    <div className="bar-end">
      <HistoryButton />
      <ContactsButton />
      <SpeedLimits />
      <NetworkStatus />
    </div>
  </header>
)

/** Leads to the history, and back to the transfers. */
function HistoryButton() {
  const isShown = useUiStore(({ showsHistory }) => showsHistory)
  return (
    <IconButton
      name={isShown ? text.history.back : text.history.title}
      icon={isShown ? ArrowLeft : History}
      onClick={() => {
        showHistory(!isShown)
      }}
    />
  )
}

/** Shown once there are contacts. */
function ContactsButton() {
  const hasContacts = useAppStore(({ state }) => (state?.contacts.length ?? 0) > 0)
  if (!hasContacts) return null
  return (
    <IconButton
      name={text.contacts.title}
      icon={Users}
      onClick={() => {
        openContacts(null)
      }}
    />
  )
}

function NetworkStatus() {
  const server = useAppStore(({ state }) => state?.server)
  const localNetwork = useAppStore(({ state }) => state?.localNetwork)
  if (server === undefined) return <span />
  const { words, why, dot } = serverWords(server, localNetwork)
  return (
    <Tooltip words={why}>
      <span className="status" tabIndex={0}>
        <span className={`dot ${dot}`} />
        <span className="trunc">{words}</span>
      </span>
    </Tooltip>
  )
}
