/** The offer, from which a person chooses. */
import { useMemo, useState } from 'react'
import { formatBytes, formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { leftOutReason } from '#shared/left-out-words'
import { canChooseFolder, chooseFolder, type PageState } from '../page-session'
import type { Choice } from '../receive'
import { maxInMemory } from '../storage/kept-files'
import { text } from '../text'
import { amountOf, itemsOf } from './items'
import { aboutServer } from './server-note'

/** Items that are listed; a longer list is received as a whole. */
const maxListed = 500

type Props = {
  readonly state: PageState
  readonly onAccept: (choice: Choice) => void
}

export function Offer({ state, onAccept }: Props) {
  const items = useMemo(() => itemsOf(state.entries), [state.entries])
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set())
  const chosen = items.filter(({ name }) => !unwanted.has(name))
  const bytes = chosen.reduce((sum, item) => sum + item.bytes, 0)
  const room = state.keptIn === 'memory' ? maxInMemory : state.room
  const missing = Math.max(0, bytes - state.heldBytes)
  const isTooLarge = room !== null && missing > room
  const isBeyondServer = state.limits !== null && missing > state.limits.bytes
  const serverNote = state.limits === null ? null : aboutServer(state.limits, missing)
  const isPossible = chosen.length > 0 && !isTooLarge && !isBeyondServer
  const toggle = (name: string): void => {
    const next = new Set(unwanted)
    if (!next.delete(name)) next.add(name)
    setUnwanted(next)
  }
  const accept = (folder: FileSystemDirectoryHandle | null): void =>
    onAccept({ unwanted: [...unwanted], folder })
  const intoFolder = async (): Promise<void> => {
    const folder = await chooseFolder()
    if (folder !== null) accept(folder)
  }
  return (
    <section>
      <h1>{state.sender === '' ? text.fromUnnamed : text.from(visibleText(state.sender))}</h1>
      <p>
        {text.safety} <span className="digits">{formatSafety(state.safety)}</span>
      </p>
      {state.isSecond && <p role="note">{text.second}</p>}
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
      {state.leftOut.map((reason) => (
        <p key={reason.code}>{text.leftOut(leftOutReason(reason))}</p>
      ))}
      {state.heldBytes > 0 && <p>{text.held(formatBytes(state.heldBytes))}</p>}
      {serverNote !== null && <p role={isBeyondServer ? 'alert' : undefined}>{serverNote}</p>}
      <p role={isTooLarge ? 'alert' : undefined}>{placeText(state, room, isTooLarge)}</p>
      <button type="button" className="primary" disabled={!isPossible} onClick={() => accept(null)}>
        {text.accept} · {amountOf(chosen)}
      </button>
      {canChooseFolder() && state.keptIn === 'file' && (
        <button type="button" disabled={!isPossible} onClick={() => void intoFolder()}>
          {text.intoFolder}
        </button>
      )}
    </section>
  )
}

/** Says where the files will be. */
function placeText({ keptIn }: PageState, room: number | null, isTooLarge: boolean): string {
  if (isTooLarge) return text.tooLarge(formatBytes(room ?? 0))
  if (keptIn === 'memory') return text.inMemory(formatBytes(maxInMemory))
  return room === null ? text.inBrowser : text.inBrowserWithRoom(formatBytes(room))
}
