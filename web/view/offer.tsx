/** The offer, from which a person chooses. */
import { useMemo, useState } from 'react'
import { formatBytes, formatRate, formatSafety, formatTimeLeft } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { WebLimits } from '#shared/signaling/messages'
import type { EntryRange } from '../engine/module'
import { mostInMemory, type PageState } from '../page-session'
import { text } from '../text'
import { itemsOf, rangesWithout } from './items'

/** Items that are listed; a longer list is received as a whole. */
const maxListed = 500

type Props = {
  readonly state: PageState
  readonly onAccept: (unwanted: readonly EntryRange[]) => void
}

/** The shortest time that is worth mentioning, in seconds. */
const shortTime = 10

/** The effect of the server's limits on `bytes`; `null` if no one would notice it. */
function aboutServer({ bytes: most, bytesPerSec }: WebLimits, bytes: number): string | null {
  if (bytes > most) return text.beyondServer(formatBytes(most))
  const time = bytes / bytesPerSec
  if (time < shortTime) return null
  return text.throughServer(formatRate(bytesPerSec), formatTimeLeft(time))
}

export function Offer({ state, onAccept }: Props) {
  const items = useMemo(() => itemsOf(state.entries), [state.entries])
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set())
  const chosen = items.filter(({ name }) => !unwanted.has(name))
  const bytes = chosen.reduce((sum, item) => sum + item.bytes, 0)
  const files = chosen.reduce((sum, item) => sum + item.files, 0)
  const isTooLarge = state.isInMemory && bytes > mostInMemory
  const isBeyondServer = state.limits !== null && bytes > state.limits.bytes
  const serverNote = state.limits === null ? null : aboutServer(state.limits, bytes)
  const toggle = (name: string): void => {
    const next = new Set(unwanted)
    if (!next.delete(name)) next.add(name)
    setUnwanted(next)
  }
  return (
    <section>
      <h1>{state.sender === '' ? text.fromUnnamed : text.from(visibleText(state.sender))}</h1>
      <p>
        {text.safety} <span className="digits">{formatSafety(state.safety)}</span>
      </p>
      <ul className="items" aria-label={text.contents}>
        {items.slice(0, maxListed).map(({ name, bytes: size }) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={!unwanted.has(name)} onChange={() => toggle(name)} />
              <span className="name">{visibleText(name)}</span>
              <span className="size">{formatBytes(size)}</span>
            </label>
          </li>
        ))}
      </ul>
      {items.length > maxListed && <p>{text.more(items.length - maxListed)}</p>}
      {state.isInMemory && <p>{isTooLarge ? text.tooLarge : text.memoryOnly}</p>}
      {serverNote !== null && <p role={isBeyondServer ? 'alert' : undefined}>{serverNote}</p>}
      <button
        type="button"
        className="primary"
        disabled={files === 0 || isTooLarge || isBeyondServer}
        onClick={() => onAccept(rangesWithout(state.entries, unwanted))}
      >
        {text.accept} · {text.files(files)} · {formatBytes(bytes)}
      </button>
    </section>
  )
}
