import { reachOfNext } from '#shared/reach'
import { asksAboutMeeting } from '#shared/settings/server-choice'
import { FluxLines } from '../../components/graphs/flux-lines'
import { later } from '../../components/later'
import { ReachNote } from '../../components/reach-note'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { EnterCode } from '../code-field/enter-code'
import { Questions } from '../contacts/questions'
import { Interrupted } from '../transfers/interrupted'
import { StartButtons } from '../transfers/start-buttons'
import { FirstTime } from './first-time'

const People = later(async () => (await import('./people')).People)

type Props = {
  /** Questions and interrupted receives are above, and the code field is in the top bar. */
  readonly hasTop: boolean
}

/** The screen before any transfer: drop, choose, or enter a code. */
export const HomeScreen = ({ hasTop }: Props) => (
  <div className={hasTop ? 'home below' : 'home'}>
    {hasTop ? (
      <div className="stack home-top">
        <Questions />
        <Interrupted />
      </div>
    ) : (
      <FluxLines />
    )}
    <section className="hero" aria-label={text.home.send}>
      <h1 className="invitation">{text.home.title}</h1>
      <p>{text.home.about}</p>
      <div className="hero-actions">
        <StartButtons size="large" />
      </div>
      <NextReach />
    </section>
    {!hasTop && <EnterCode />}
    <People />
    {!hasTop && <FirstTime />}
  </div>
)

/** The reach of the next code, unless it is unlimited, or a question about it comes first. */
function NextReach() {
  const state = useAppStore((store) => store.state)
  if (state === null || asksAboutMeeting(state.fixedServers, state.settings.network)) return null
  const reach = reachOfNext(state)
  return reach.scope === 'anywhere' ? null : <ReachNote of={reach} />
}
