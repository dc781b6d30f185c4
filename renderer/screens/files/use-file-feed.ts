import { useEffect, useState, useSyncExternalStore } from 'react'
import type { OtherSide } from '#shared/state/app-state'
import { bridge } from '../../bridge'
import { FileFeed, type FileView, type Rows } from './file-feed'

type Options = FileView & {
  readonly side: OtherSide
  /** Files change without a person's action. */
  readonly isMoving: boolean
}

/** The rows of the current view while the list is open. */
export function useFileFeed({ side, filter, query, firstRow, isMoving }: Options): {
  readonly rows: Rows
  readonly refresh: () => void
} {
  const [feed] = useState(() => new FileFeed(side, bridge.listFiles, () => document.hidden))
  const [subscribe] = useState(() => (listener: () => void) => feed.subscribe(listener))
  const rows = useSyncExternalStore(subscribe, () => feed.rows)
  useEffect(() => {
    feed.show({ filter, query, firstRow })
  }, [feed, filter, query, firstRow])
  useEffect(() => {
    // Also fetches the changes of the last second.
    feed.refresh()
    return isMoving ? feed.poll() : undefined
  }, [feed, isMoving])
  return {
    rows,
    refresh: () => feed.refresh(),
  }
}
