import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { HistoryEntry } from '#shared/state/history'
import { lookForTargets, needEntries } from '../../actions/history-actions'
import { entryAt, useHistoryStore } from '../../store/history-store'
import { useNow } from '../../use-now'
import { dayWords, isSameDay } from '../../view/history-view'
import { HistoryRow } from './history-row'

/** Height of a row in pixels; rows with the heading of a day are taller and measured. */
const rowHeight = 61

/** Rows drawn above and below the visible ones. */
const overscan = 8

/** All entries; only the visible ones are drawn. */
export function HistoryList({ total }: { readonly total: number }) {
  const scroller = useRef<HTMLDivElement>(null)
  const pages = useHistoryStore((view) => view.pages)
  const nowMs = useNow(true)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
  })
  const shown = virtualizer.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown[shown.length - 1]?.index ?? 0

  useEffect(() => {
    needEntries(first, last)
    const entries: HistoryEntry[] = []
    for (let index = first; index <= last; index += 1) {
      const entry = entryAt({ pages }, index)
      if (entry !== undefined) entries.push(entry)
    }
    void lookForTargets(entries)
  }, [first, last, pages])

  return (
    <div ref={scroller} className="history-scroller" tabIndex={-1}>
      <ul className="history-list" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const entry = entryAt({ pages }, index)
          const before = index === 0 ? undefined : entryAt({ pages }, index - 1)
          const after = entryAt({ pages }, index + 1)
          const isFirst = entry !== undefined && (index === 0 || differs(entry, before))
          const isLast = entry !== undefined && (index === total - 1 || differs(entry, after))
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={total}
              aria-posinset={index + 1}
              className={`history-item${isFirst ? ' first' : ''}${isLast ? ' last' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              {isFirst && <h2 className="history-day">{dayWords(entry.endedAtMs, nowMs)}</h2>}
              {entry === undefined ? (
                <div className="history-row" aria-hidden />
              ) : (
                <HistoryRow entry={entry} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** True for entries of different days; a neighbor that is not loaded yet counts as the same day. */
const differs = (entry: HistoryEntry, other: HistoryEntry | undefined): boolean =>
  other !== undefined && !isSameDay(entry, other)
