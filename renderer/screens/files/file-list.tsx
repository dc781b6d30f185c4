import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { FileFilter } from '#shared/files'
import type { OtherSide } from '#shared/state/app-state'
import { SearchField } from '../../components/search-field'
import { text } from '../../text'
import { rowAt } from './file-feed'
import { FileFilters } from './file-filters'
import { FileRow, maxRows, rowHeight } from './file-row'
import { SelectionBar } from './selection-bar'
import { useFileFeed } from './use-file-feed'
import { useFileSelection } from './use-file-selection'

/** Visible rows; further ones scroll. */
const rowsShown = 8
/** Additional rows rendered above and below the visible ones. */
const rowsAround = 8

type Props = {
  readonly side: OtherSide
  /** Files change without a person's action. */
  readonly isMoving: boolean
  /** The person can choose files while the transfer runs. */
  readonly canChoose: boolean
}

/** The files of a running transfer with their states; only the visible rows exist. */
export function FileList({ side, isMoving, canChoose }: Props) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const toFocus = useRef(-1)
  const [filter, setFilter] = useState<FileFilter>('all')
  const [query, setQuery] = useState('')
  const [firstRow, setFirstRow] = useState(0)
  const [current, setCurrent] = useState(0)
  const { rows, refresh } = useFileFeed({ side, filter, query, firstRow, isMoving })
  const selection = useFileSelection({ side, refresh })
  const { counts } = rows
  const total = Math.min(rows.total, maxRows)
  // A row reached with the keyboard may exist only after scrolling.
  useEffect(() => {
    const row = scroller.current?.querySelector(
      `[aria-rowindex="${(toFocus.current + 1).toString()}"]`,
    )
    if (!(row instanceof HTMLElement)) return
    toFocus.current = -1
    row.focus({ preventScroll: true })
  })
  const toTop = (): void => {
    setCurrent(0)
    setFirstRow(0)
    scroller.current?.scrollTo({ top: 0 })
  }
  const goTo = (row: number): void => {
    const next = Math.max(0, Math.min(total - 1, row))
    setCurrent(next)
    scrollTo(scroller.current, next)
    toFocus.current = next
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      goTo(step(current, total))
    } else if (event.key === ' ' && canChoose && event.target instanceof HTMLDivElement) {
      event.preventDefault()
      event.stopPropagation()
      const file = rowAt(rows, current)
      if (file !== null) selection.toggle(file)
    }
  }
  const begin = Math.max(0, firstRow - rowsAround)
  const end = Math.min(total, firstRow + rowsShown + rowsAround)

  return (
    <section className="files" aria-label={text.files.title}>
      <div className="files-head">
        <FileFilters
          id={id}
          shown={filter}
          counts={counts}
          onShow={(next) => {
            setFilter(next)
            selection.clear()
            toTop()
          }}
        />
        <SearchField
          query={query}
          onSearch={(words) => {
            setQuery(words)
            toTop()
          }}
        />
      </div>
      {canChoose && <SelectionBar selection={selection} />}
      <div
        ref={scroller}
        className="files-rows"
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${filter}`}
        style={{ height: Math.min(rowsShown, Math.max(1, total)) * rowHeight }}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) =>
          setFirstRow(Math.floor(currentTarget.scrollTop / rowHeight))
        }
      >
        {counts !== null && total === 0 && (
          <p className="files-none">
            {query === '' ? text.files.none[filter] : text.files.noMatch(query)}
          </p>
        )}
        <div
          role="grid"
          aria-label={text.files.title}
          aria-rowcount={total}
          aria-multiselectable={canChoose}
          hidden={total === 0}
          style={{ height: total * rowHeight }}
        >
          {Array.from({ length: Math.max(0, end - begin) }, (_, at) => (
            <FileRow
              key={begin + at}
              row={begin + at}
              file={rowAt(rows, begin + at)}
              isCurrent={begin + at === current}
              selection={canChoose ? selection : null}
              onCurrent={setCurrent}
            />
          ))}
        </div>
      </div>
    </section>
  )
}

function scrollTo(scroller: HTMLElement | null, row: number): void {
  if (scroller === null) return
  const { scrollTop, clientHeight } = scroller
  const top = row * rowHeight
  if (top < scrollTop) scroller.scrollTo({ top })
  else if (top + rowHeight > scrollTop + clientHeight) {
    scroller.scrollTo({ top: top + rowHeight - clientHeight })
  }
}

/** The target row of each key. */
const steps: Readonly<Record<string, (row: number, total: number) => number>> = {
  ArrowDown: (row) => row + 1,
  ArrowUp: (row) => row - 1,
  PageDown: (row) => row + rowsShown,
  PageUp: (row) => row - rowsShown,
  Home: () => 0,
  End: (_row, total) => total - 1,
}
