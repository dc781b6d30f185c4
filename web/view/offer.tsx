/** The offer, from which a person chooses. */
import { useMemo, useState } from 'react'
import { formatBytes, formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
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

export function Offer({ state, onAccept }: Props) {
  const items = useMemo(() => itemsOf(state.entries), [state.entries])
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set())
  const chosen = items.filter(({ name }) => !unwanted.has(name))
  const bytes = chosen.reduce((sum, item) => sum + item.bytes, 0)
  const files = chosen.reduce((sum, item) => sum + item.files, 0)
  const isTooLarge = state.isInMemory && bytes > mostInMemory
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
      <button
        type="button"
        className="primary"
        disabled={files === 0 || isTooLarge}
        onClick={() => onAccept(rangesWithout(state.entries, unwanted))}
      >
        {text.accept} · {text.files(files)} · {formatBytes(bytes)}
      </button>
    </section>
  )
}
