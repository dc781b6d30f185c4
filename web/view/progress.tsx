/** The progress of a receive. */
import { formatBytesOf, formatRate, formatTimeLeft } from '#shared/format/format'
import { bytesPerSecond } from '#shared/format/rate'
import type { PageSession, PageState } from '../page-session'
import { text } from '../text'

type Props = { readonly state: PageState; readonly session: PageSession }

export function Progress({ state, session }: Props) {
  const { totals, samples, isPaused, isPeerPaused } = state
  const rate = bytesPerSecond(samples, samples.at(-1)?.atMs ?? 0)
  const left = totals.totalBytes - totals.bytes
  const figures = [
    formatBytesOf(totals.bytes, totals.totalBytes),
    ...(rate === null ? [] : [formatRate(rate)]),
    ...(rate === null || rate < 1 ? [] : [text.left(formatTimeLeft(left / rate))]),
  ]
  return (
    <section>
      <h1>{text.receiving}</h1>
      <progress
        max={Math.max(1, totals.totalBytes)}
        value={totals.bytes}
        aria-label={text.receiving}
      />
      <p className="figures">{figures.join(' · ')}</p>
      {isPeerPaused && <p role="status">{text.peerPaused}</p>}
      <div className="row">
        <button type="button" onClick={() => session.setPaused(!isPaused)}>
          {isPaused ? text.resume : text.pause}
        </button>
        <button type="button" onClick={() => session.cancel()}>
          {text.cancel}
        </button>
      </div>
    </section>
  )
}
