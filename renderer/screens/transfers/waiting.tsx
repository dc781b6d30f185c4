import type { Share } from '#shared/app-state'
import { describeError } from '#shared/describe-error'
import { Aperture } from '../../components/flux-lines'
import { useAppStore } from '../../store/app-store'
import { text } from '../../text/en'

/** Nobody has joined yet: what the share waits for. */
export function Waiting({ share }: { readonly share: Share }) {
  const server = useAppStore(({ state }) => state?.server)
  const [what, more] =
    server?.phase === 'unreachable' && share.phase !== 'open'
      ? [describeError(server.error).what, describeError(server.error).remedy]
      : share.phase === 'reconnecting'
        ? [text.share.reconnecting, text.share.presentGoOn]
        : share.code === null
          ? [text.share.opening, text.share.later]
          : [text.share.waiting, text.share.later]
  return (
    <div className="waiting">
      <Aperture />
      <div className="pulse" />
      <h3>{what}</h3>
      <p className="sub">{more}</p>
    </div>
  )
}
