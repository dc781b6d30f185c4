/** The files for a computer that requests some: chosen, listed and sent. */
import { type ChangeEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { formatBytes, formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { type Added, ofDrop, ofInput } from '../chosen'
import type { PageSession, PageState } from '../page-session'
import { text } from '../text'
import { amountOf, itemsOf } from './items'
import { aboutServer } from './server-note'

/** Items that are listed; all of them are sent. */
const maxListed = 500

type Props = { readonly state: PageState; readonly session: PageSession }

/** True if the browser lets people choose a whole folder. */
const canChooseFolders = 'webkitdirectory' in HTMLInputElement.prototype

const isFileDrag = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true

/** Takes files that are dropped anywhere on the page; true while some are above it. */
function useDrop(onDrop: (added: Added) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const take = useEffectEvent(onDrop)
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!isFileDrag(event)) return
      event.preventDefault()
      setIsOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!isFileDrag(event) || event.dataTransfer === null) return
      event.preventDefault()
      setIsOver(false)
      void ofDrop(event.dataTransfer.items).then((added) => take(added))
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

export function Choose({ state, session }: Props) {
  const isOver = useDrop((added) => session.choose(added))
  const { chosen, limits } = state
  const items = useMemo(
    () =>
      itemsOf(
        chosen.entries.map(({ path, file }) => ({
          path,
          kind: file === null ? 'folder' : 'file',
          bytes: file?.size ?? 0,
        })),
      ),
    [chosen],
  )
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0)
  const isBeyondServer = limits !== null && bytes > limits.bytes
  const serverNote = limits === null ? null : aboutServer(limits, bytes)
  return (
    <section className={isOver ? 'drop' : undefined}>
      <h1>{state.sender === '' ? text.requestUnnamed : text.request(visibleText(state.sender))}</h1>
      <p>
        {text.safety} <span className="digits">{formatSafety(state.safety)}</span>
      </p>
      {state.isSecond && <p role="note">{text.second}</p>}
      {state.isReconnecting && <p role="status">{text.reconnectingRequest}</p>}
      <div className="row">
        <FileButton label={text.chooseFiles} session={session} />
        {canChooseFolders && <FileButton label={text.chooseFolder} session={session} isFolder />}
      </div>
      {items.length === 0 ? (
        <p>{text.dropHint}</p>
      ) : (
        <ul className="items" aria-label={text.contents}>
          {items.slice(0, maxListed).map(({ name, bytes: size }) => (
            <li key={name}>
              <span className="name">{visibleText(name)}</span>
              <span className="size">{formatBytes(size)}</span>
              <button
                type="button"
                aria-label={text.removeItem(visibleText(name))}
                onClick={() => session.unchoose(name)}
              >
                {text.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
      {items.length > maxListed && <p>{text.more(items.length - maxListed)}</p>}
      {chosen.refused > 0 && <p role="alert">{text.refused(chosen.refused)}</p>}
      {serverNote !== null && <p role={isBeyondServer ? 'alert' : undefined}>{serverNote}</p>}
      <button
        type="button"
        className="primary"
        disabled={items.length === 0 || isBeyondServer}
        onClick={() => session.send()}
      >
        {text.send}
        {items.length > 0 && ` · ${amountOf(items)}`}
      </button>
    </section>
  )
}

type ButtonProps = {
  readonly label: string
  readonly session: PageSession
  readonly isFolder?: boolean
}

/** A button that opens the browser's dialog. */
function FileButton({ label, session, isFolder = false }: ButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const change = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    if (target.files !== null) session.choose(ofInput(target.files))
    // Choosing the same file once more is a change, too.
    target.value = ''
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={label}
        {...(isFolder ? { webkitdirectory: '' } : {})}
        onChange={change}
      />
      <button type="button" onClick={() => input.current?.click()}>
        {label}
      </button>
    </>
  )
}

/** The requester's person decides. */
export function Waiting({ state, session }: Props) {
  return (
    <section>
      <div role="status">
        <h1>{text.waiting}</h1>
        <p>{state.isReconnecting ? text.reconnectingRequest : text.waitingHint}</p>
        <p className="safety">{formatSafety(state.safety)}</p>
      </div>
      <button type="button" onClick={() => session.cancel()}>
        {text.cancel}
      </button>
    </section>
  )
}
