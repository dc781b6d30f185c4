/** The network check: findings as each part finishes, and a report to pass on. */
import { Check, type LucideIcon, Minus, TriangleAlert, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { adviceFor, reportOf } from '#shared/describe-finding'
import {
  type CheckPart,
  checkParts,
  type CheckState,
  type Finding,
  reachOf,
} from '#shared/state/network-check'
import { checkNetwork } from '../../actions/settings-actions'
import { say } from '../../announce'
import { Button } from '../../components/button'
import { CopyButton } from '../../components/copy-button'
import { Icon } from '../../components/icon'
import { SettingGroup, SettingRow } from '../../components/setting-rows'
import { useCopied } from '../../components/use-copied'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'

type Found = { readonly [P in CheckPart]?: readonly Finding[] }

const drawings: Readonly<Record<CheckState, LucideIcon>> = {
  ok: Check,
  warning: TriangleAlert,
  failed: X,
  unknown: Minus,
}

export function NetworkCheck() {
  const { found, begin } = useNetworkCheck()
  const words = text.settings.network.check
  const isRunning = found !== null && checkParts.some((part) => found[part] === undefined)
  const all = checkParts.flatMap((part) => found?.[part] ?? [])
  return (
    <SettingGroup>
      <SettingRow
        label={words.label}
        about={found !== null && !isRunning ? words.reach[reachOf(all)] : words.about}
      >
        <Button isDisabled={isRunning} onClick={begin}>
          {found === null ? words.start : isRunning ? words.running : words.again}
        </Button>
      </SettingRow>
      {found !== null && (
        <div className="network-check" ref={bringIntoView}>
          {checkParts.map((part) => (
            <Part key={part} part={part} findings={found[part] ?? null} />
          ))}
        </div>
      )}
      {found !== null && !isRunning && <Report findings={all} />}
    </SettingGroup>
  )
}

/** Shows the results, which begin below the button and may begin below the window. */
const bringIntoView = (results: HTMLElement | null): void =>
  results?.parentElement?.scrollIntoView({ block: 'start' })

/** The findings, `null` before the first check, and a function that starts one. */
function useNetworkCheck() {
  const [found, setFound] = useState<Found | null>(null)
  /** Incremented by each check, to ignore answers of earlier ones. */
  const turn = useRef(0)
  const begin = (): void => {
    const own = (turn.current += 1)
    setFound({})
    const tried = checkParts.map(async (part) => {
      const findings = await checkNetwork(part)
      if (turn.current === own) setFound((before) => ({ ...before, [part]: findings }))
      return findings
    })
    void Promise.all(tried).then((parts) => {
      if (turn.current === own) say(text.settings.network.check.reach[reachOf(parts.flat())])
    })
  }
  return { found, begin }
}

/** A part is hidden without findings, because nothing in it could be checked. */
const Part = ({
  part,
  findings,
}: {
  readonly part: CheckPart
  readonly findings: readonly Finding[] | null
}) =>
  findings?.length === 0 ? null : (
    <section aria-label={text.settings.network.check.parts[part]} aria-busy={findings === null}>
      <h3>{text.settings.network.check.parts[part]}</h3>
      {findings === null ? (
        <p className="faint">{text.settings.network.check.running}</p>
      ) : (
        <ul>
          {findings.map((one, index) => (
            <Line key={index} found={one} />
          ))}
        </ul>
      )}
    </section>
  )

function Line({ found }: { readonly found: Finding }) {
  const { what, remedy } = adviceFor(found)
  return (
    <li className={found.state}>
      <span role="img" aria-label={text.settings.network.check.states[found.state]}>
        <Icon of={drawings[found.state]} />
      </span>
      <div>
        <p>{what}</p>
        {remedy !== '' && <p className="remedy">{remedy}</p>}
      </div>
    </li>
  )
}

function Report({ findings }: { readonly findings: readonly Finding[] }) {
  const version = useAppStore(({ state }) => state?.update.version) ?? ''
  const [state, copy] = useCopied()
  const words = text.settings.network.check
  return (
    <div className="setting-row">
      <p className="grow">{words.copyAbout}</p>
      <CopyButton
        state={state}
        words={words.copy}
        onClick={() => copy(reportOf(findings, `Thruflux ${version}`))}
      />
    </div>
  )
}
