import { HardDrive, TriangleAlert, Unplug, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { describeError, type ErrorText } from '#shared/describe-error'
import type { AppError, ErrorCode } from '#shared/errors'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import { dismiss } from '../../actions/actions'
import { IconButton } from '../../components/button'
import { Details } from '../../components/details'
import { text } from '../../text'
import { withoutStop } from '../../view/sentence'

type Props = {
  readonly id: ShareId | ReceiveId
  readonly error: AppError
  /** The text for an error of the other side; by default that of `error`. */
  readonly errorText?: ErrorText
  /** The transfer concerned, and the amount received. */
  readonly about: string
  /** True when it can be resumed, so nothing is lost yet. */
  readonly isPassing?: boolean
  /** The remedy, if there is one. */
  readonly children?: ReactNode
}

/** An error: what happened, what to do, and the details for a report. */
export function ErrorCard({ id, error, errorText, about, isPassing = false, children }: Props) {
  const { what, remedy } = errorText ?? describeError(error)
  return (
    <article className="card" aria-label={about}>
      <header className="result-head">
        <span className={isPassing ? 'disc warning' : 'disc danger'}>
          <ErrorIcon code={error.code} />
        </span>
        <div className="grow">
          <h2 className="title large">{withoutStop(what)}</h2>
          <p className="sub">{remedy}</p>
          <p className="sub about trunc">{about}</p>
        </div>
        {children}
        <IconButton name={text.actions.close} icon={X} onClick={() => void dismiss(id)} />
      </header>
      <Details error={error} />
    </article>
  )
}

const ofTheWay: ReadonlySet<ErrorCode> = new Set([
  'E_NO_ROUTE',
  'E_NO_RELAY',
  'E_NOT_DIRECT',
  'E_RELAY_IDENTITY',
  'E_RELAY_QUOTA',
  'E_PEER_GONE',
  'E_SERVER_UNREACHABLE',
  'E_PROXY_UNREACHABLE',
  'E_PROXY_AUTH',
  'E_PROXY_REFUSED',
])
const ofTheDisk: ReadonlySet<ErrorCode> = new Set([
  'E_DISK_FULL',
  'E_DISK_IO',
  'E_TARGET_NOT_WRITABLE',
])

/** The icon for the source of the error: network, disk, or other. */
function ErrorIcon({ code }: { readonly code: ErrorCode }) {
  if (ofTheWay.has(code)) return <Unplug aria-hidden />
  return ofTheDisk.has(code) ? <HardDrive aria-hidden /> : <TriangleAlert aria-hidden />
}
