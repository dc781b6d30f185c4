import { describeError } from '#shared/describe-error'
import type { AppError } from '#shared/errors'
import type { ServerStatus, Share } from '#shared/state/app-state'
import { Aperture } from '../../components/graphs/flux-lines'
import { RemedyButton } from '../../components/remedy-button'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text'
import { withoutStop } from '../../view/sentence'

/** The line about an open share that no receiver has joined yet. */
export function Waiting({ share }: { readonly share: Share }) {
  const server = useAppStore(({ state }) => state?.server)
  const { what, more, isHeldUp, error } = waitingFor(share, server)
  return (
    <div className="waiting">
      <Aperture />
      <div className={isHeldUp ? 'pulse warning' : 'pulse'} aria-hidden>
        <span />
      </div>
      <h3>{what}</h3>
      <p className="sub">{more}</p>
      {error && <RemedyButton error={error} size="small" />}
    </div>
  )
}

type Wait = {
  readonly what: string
  readonly more: string
  readonly isHeldUp: boolean
  readonly error?: AppError
}

function waitingFor(
  { phase, code, requests, answers }: Share,
  server: ServerStatus | undefined,
): Wait {
  if (phase !== 'open' && server?.phase === 'unreachable') {
    const { what, remedy } = describeError(server.error)
    return { what: withoutStop(what), more: remedy, isHeldUp: true, error: server.error }
  }
  if (phase === 'reconnecting') {
    return { what: text.share.reconnecting, more: text.share.reconnectingAbout, isHeldUp: true }
  }
  if (answers !== undefined) {
    return { what: text.share.answering(answers), more: text.share.answerAbout, isHeldUp: false }
  }
  if (requests === true && code !== null) {
    return { what: text.share.requestWaiting, more: text.share.requestAbout, isHeldUp: false }
  }
  return code === null
    ? { what: text.share.preparing, more: text.share.codeFollows, isHeldUp: false }
    : { what: text.share.waiting, more: text.share.moreCanJoin, isHeldUp: false }
}
