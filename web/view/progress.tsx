/** The progress of a transfer. */
import { formatBytesOf, formatRate, formatTimeLeft } from '#shared/format/format'
import { bytesPerSecond } from '#shared/format/rate'
import { visibleText } from '#shared/format/visible-text'
import type { PageSession, PageState } from '../page-session'
import { text } from '../text'
import { useWakeLock } from './wake-lock'

type Props = { readonly state: PageState; readonly session: PageSession }

function routeText({ isDirect }: PageState): string {
  if (isDirect) return text.routeDirect
  return location.protocol === 'https:' ? text.routeServer : text.routeLocal
}

export function Progress({ state, session }: Props) {
  useWakeLock()
  const { totals, samples, isPaused, isPeerPaused, isReconnecting, stage, folder, problems } = state
  const isSending = stage === 'sending'
  const label = isSending ? text.sending : text.receiving
  const rate = bytesPerSecond(samples, samples.at(-1)?.atMs ?? 0)
  const left = totals.totalBytes - totals.bytes
  const isSaving = stage === 'saving'
  const isMoving = !isPaused && !isPeerPaused && !isReconnecting && !isSaving
  const figures = [
    formatBytesOf(totals.bytes, totals.totalBytes),
    ...(isMoving && rate !== null ? [formatRate(rate)] : []),
    ...(isMoving && rate !== null && rate >= 1 ? [text.left(formatTimeLeft(left / rate))] : []),
    routeText(state),
  ]
  return (
    <section>
      <h1>{isSaving ? text.saving : label}</h1>
      <progress max={Math.max(1, totals.totalBytes)} value={totals.bytes} aria-label={label} />
      <p className="figures">{figures.join(' · ')}</p>
      {folder !== null && <p>{text.toFolder(visibleText(folder))}</p>}
      <div role="status">
        {isReconnecting && <p>{isSending ? text.reconnectingRequest : text.reconnecting}</p>}
        {isPeerPaused && <p>{isSending ? text.requesterPaused : text.peerPaused}</p>}
        {isPaused && <p>{text.paused}</p>}
        {isSending && problems > 0 && <p>{text.notSent(problems)}</p>}
      </div>
      {!isSaving && (
        <div className="row">
          <button type="button" onClick={() => session.setPaused(!isPaused)}>
            {isPaused ? text.resume : text.pause}
          </button>
          <button type="button" onClick={() => session.cancel()}>
            {text.cancel}
          </button>
        </div>
      )}
    </section>
  )
}
