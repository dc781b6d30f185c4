/** The result of trying a server, possibly through a proxy. */
import { type ReactNode, useRef, useState } from 'react'
import { describeError } from '#shared/describe-error'
import { appError } from '#shared/errors'
import type { ServerCheck } from '#shared/settings/server-check'
import type { ServerProfile } from '#shared/settings/settings'
import { checkServer } from '../../actions/settings-actions'
import { text } from '../../text'

type Check = ServerCheck | 'running' | null

/** A check to show, and functions that start one and discard an outdated one. */
export function useServerCheck() {
  const [check, setCheck] = useState<Check>(null)
  /** Incremented to ignore answers of outdated checks. */
  const turn = useRef(0)
  return {
    check,
    begin: (profile: ServerProfile): void => {
      setCheck('running')
      const own = (turn.current += 1)
      void checkServer(profile).then((found) => {
        if (turn.current === own) setCheck(found)
      })
    },
    forget: (): void => {
      setCheck(null)
      turn.current += 1
    },
  }
}

const tones = {
  ready: 'good',
  insecure: 'fair',
  unreachable: 'bad',
  untrusted: 'bad',
  password: 'bad',
  other: 'bad',
} as const

/** Texts for a server that is ready, and for one that can't be used. */
type Verdicts = { readonly good?: string; readonly bad?: string | undefined }

export const CheckResult = ({ check, ...verdicts }: Verdicts & { readonly check: Check }) => (
  <div role="status" className="server-check">
    {check === 'running' && text.settings.network.testing}
    {check !== null && check !== 'running' && <Findings check={check} {...verdicts} />}
  </div>
)

function Findings({
  check: { server, detail, proxy, stun },
  good = text.settings.network.checks.ready,
  bad,
}: Verdicts & { readonly check: ServerCheck }): ReactNode {
  const words = text.settings.network
  const failure = proxy?.failure ?? null
  return (
    <>
      <p className={tones[server]} title={detail}>
        {failure !== null
          ? inWords(describeError(appError(failure, detail, proxy?.name)))
          : server === 'ready'
            ? good
            : tones[server] === 'bad' && bad !== undefined
              ? bad
              : words.checks[server]}
      </p>
      {stun.map(({ line, answers }) => (
        <p key={line} className={answers ? 'good' : 'bad'}>
          {answers ? words.stunAnswers(line) : words.stunSilent(line)}
        </p>
      ))}
    </>
  )
}

const inWords = ({ what, remedy }: ReturnType<typeof describeError>): string => `${what} ${remedy}`
