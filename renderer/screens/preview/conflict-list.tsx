import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatDateTime, formatDay } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { Conflict } from '#shared/offer'
import { renamedPath } from '#shared/settings/renames'
import { Button } from '../../components/button'
import { FileName } from '../../components/file-name'
import { text } from '../../text'
import { type Decision, decisionOf, decisions, withDecision } from '../../view/conflict-choices'
import { folderOf } from '../../view/ticks'
import type { Preview } from './use-preview'

const rowHeight = 68
/** Rows drawn above and below the visible ones. */
const overscan = 6
/** Rows that Page Up and Page Down skip. */
const page = 6

type Props = { readonly preview: Preview; readonly onDone: () => void }

/** Files that already exist, each with its choice: up and down move between files, left and right choose. */
export function ConflictList({ preview, onDone }: Props) {
  const { preflight, options, setOptions } = preview
  const scroller = useRef<HTMLDivElement>(null)
  const toFocus = useRef(0)
  const [current, setCurrent] = useState(0)
  const conflicts = preflight?.conflictPaths ?? []
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: conflicts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
  })
  // A row reached with the keyboard may exist only after scrolling.
  useEffect(() => {
    const row = scroller.current?.querySelector(`[data-index="${toFocus.current.toString()}"]`)
    const checked = row?.querySelector('[aria-checked="true"]')
    if (!(checked instanceof HTMLElement)) return
    toFocus.current = -1
    checked.focus({ preventScroll: true })
  })
  const decide = (conflict: Conflict, decision: Decision): void =>
    setOptions({ ...options, choices: withDecision(options.choices, conflict.path, decision) })
  const goTo = (row: number): void => {
    const next = Math.max(0, Math.min(conflicts.length - 1, row))
    setCurrent(next)
    virtualizer.scrollToIndex(next)
    toFocus.current = next
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const conflict = conflicts[current]
    const step = rowSteps[event.key]
    const turn = turns[inDirection(event.key)]
    if (step !== undefined) goTo(step(current, conflicts.length))
    else if (turn !== undefined && conflict !== undefined) {
      const at = decisions.indexOf(decisionOf(conflict, options)) + turn
      const next = decisions[(at + decisions.length) % decisions.length]
      if (next !== undefined) decide(conflict, next)
      toFocus.current = current
    } else return
    event.preventDefault()
  }
  const unlisted = (preflight?.conflicts.different ?? 0) - conflicts.length

  return (
    <section className="sheet-list" aria-label={text.preview.each.title}>
      <div className="tree-head">
        <span className="grow">{text.preview.each.title}</span>
        <Button size="small" onClick={onDone}>
          {text.actions.done}
        </Button>
      </div>
      <div ref={scroller} className="conflict-rows" onKeyDown={onKeyDown}>
        <ul style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const conflict = conflicts[index]
            if (conflict === undefined) return null
            const path = renamedPath(conflict.path, options.renames)
            return (
              <li
                key={conflict.path}
                className="conflict-row"
                data-index={index}
                aria-setsize={conflicts.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start.toString()}px)` }}
                onFocus={() => setCurrent(index)}
              >
                <ConflictName conflict={conflict} path={path} />
                <Decisions
                  conflict={conflict}
                  path={path}
                  chosen={decisionOf(conflict, options)}
                  isCurrent={index === current}
                  onDecide={decide}
                />
              </li>
            )
          })}
        </ul>
      </div>
      {unlisted > 0 && <p className="conflict-rest sub">{text.preview.each.unlisted(unlisted)}</p>}
    </section>
  )
}

/** Mirrors arrow keys in a right-to-left page. */
const inDirection = (key: string): string =>
  document.documentElement.dir === 'rtl' ? (mirrored[key] ?? key) : key

const mirrored: Readonly<Record<string, string>> = {
  ArrowLeft: 'ArrowRight',
  ArrowRight: 'ArrowLeft',
}

const turns: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

const rowSteps: Readonly<Record<string, (row: number, total: number) => number>> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row) => row + page,
  PageUp: (row) => row - page,
  Home: () => 0,
  End: (_row, total) => total - 1,
}

type NameProps = {
  readonly conflict: Conflict
  /** Contains the chosen name of its item. */
  readonly path: string
}

/** The file's name, and the differences between the two versions. */
function ConflictName({ conflict, path }: NameProps) {
  const { bytes, mtimeMs, thereBytes, thereMtimeMs, offeredIsNewer } = conflict
  const folder = folderOf(path)
  const { here, offered, newer } = text.preview.each
  // The time of day matters only within one day.
  const isSameDay = formatDay(mtimeMs) === formatDay(thereMtimeMs)
  const shown = isSameDay ? formatDateTime : formatDay
  const ofOffered = offered({ bytes, date: shown(mtimeMs) })
  return (
    <div className="grow" title={visibleText(path)}>
      <span className="file-path">
        {folder !== '' && <bdi className="file-folder trunc">{visibleText(folder)}</bdi>}
        {folder !== '' && <span className="file-slash">/</span>}
        <FileName name={path.slice(folder === '' ? 0 : folder.length + 1)} />
      </span>
      <p className="meta trunc">{here({ bytes: thereBytes, date: shown(thereMtimeMs) })}</p>
      <p className="meta trunc">
        {offeredIsNewer ? [ofOffered, newer].join(text.separator) : ofOffered}
      </p>
    </div>
  )
}

type DecisionProps = NameProps & {
  readonly chosen: Decision
  readonly isCurrent: boolean
  readonly onDecide: (conflict: Conflict, decision: Decision) => void
}

const Decisions = ({ conflict, path, chosen, isCurrent, onDecide }: DecisionProps) => (
  <div className="segments" role="radiogroup" aria-label={visibleText(path)}>
    {decisions.map((decision) => (
      <button
        key={decision}
        type="button"
        role="radio"
        aria-checked={decision === chosen}
        tabIndex={isCurrent && decision === chosen ? 0 : -1}
        onClick={() => onDecide(conflict, decision)}
      >
        {text.preview.policies[decision]}
      </button>
    ))}
  </div>
)
