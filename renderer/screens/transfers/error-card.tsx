import { Unplug, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReceiveId, ShareId } from '#shared/app-state'
import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import { dismiss } from '../../actions'
import { IconButton } from '../../components/button'
import { Details } from '../../components/details'
import { text } from '../../text/en'
import { withoutStop } from '../../view/share-view'

type Props = {
  readonly id: ShareId | ReceiveId
  readonly error: AppError
  /** The transfer concerned, and what is left of it. */
  readonly about: string
  /** The one thing to do about it, when there is one. */
  readonly children?: ReactNode
}

/** What went wrong, what to do, and the details for a report. */
export function ErrorCard({ id, error, about, children }: Props) {
  const { what, remedy } = describeError(error)
  return (
    <article className="card" aria-label={about}>
      <header className="result-head">
        <span className="disc danger">
          <Unplug aria-hidden />
        </span>
        <div className="grow">
          <h2 className="title large">{withoutStop(what)}</h2>
          <p className="sub">{remedy}</p>
        </div>
        {children}
        <IconButton name={text.result.close} icon={X} onClick={() => void dismiss(id)} />
      </header>
      <p className="sub about">{about}</p>
      <Details error={error} />
    </article>
  )
}
