import { openSettings } from './actions/section-actions'
import { Tooltip } from './components/tooltip'
import { CodeBox } from './screens/code-field/code-box'
import { SectionNav } from './section-nav'
import { SpeedLimits } from './speed-limits'
import { useAppStore } from './store/app-store'
import { serverWords } from './view/network-view'

/** The logo, the places, the code field unless home shows its own, and the state of the network. */
export const TopBar = ({ withCodeField }: { readonly withCodeField: boolean }) => (
  <header className="bar">
    <div className="bar-start">
      <svg className="mark" viewBox="0 0 24 24" aria-hidden>
        <path
          d="M2 5.5c6 0 6.5 5 10 5s4-5 10-5M2 18.5c6 0 6.5-5 10-5s4 5 10 5M2 12h20"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.1"
          strokeLinecap="round"
        />
      </svg>
      <SectionNav />
    </div>
    {withCodeField ? <CodeBox /> : <span />}
    <div className="bar-end">
      <SpeedLimits />
      <NetworkStatus />
    </div>
  </header>
)

function NetworkStatus() {
  const server = useAppStore(({ state }) => state?.server)
  const localNetwork = useAppStore(({ state }) => state?.localNetwork)
  if (server === undefined) return <span />
  const { words, why, dot } = serverWords(server, localNetwork)
  return (
    <Tooltip words={why}>
      <button type="button" className="status" onClick={() => openSettings('network')}>
        <span className={`dot ${dot}`} />
        <span className="trunc">{words}</span>
      </button>
    </Tooltip>
  )
}
