import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight, FolderOpen, Pencil } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatBytes } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { ListingEntry } from '#shared/offer'
import { nameOf, renamedPath, withRename } from '#shared/settings/renames'
import type { Receive } from '#shared/state/app-state'
import { FileName } from '../../components/file-name'
import { Icon } from '../../components/icon'
import { TickBox } from '../../components/tick'
import { text } from '../../text'
import { itemIcon } from '../../view/item-icon'
import { folderOf, joinPath, tickOf, type Ticks, toggled, wantedOf } from '../../view/ticks'
import { RenameField } from './rename-field'
import { type OfferFolders, useOfferSearch } from './use-offer'
import type { Preview } from './use-preview'

/** All rows have this height, and only the visible ones exist. */
const rowHeight = 34
/** Rows drawn above and below the visible ones. */
const overscan = 10

type Place = {
  readonly path: string
  readonly depth: number
  /** Position among the entries of its folder, and the number of these. */
  readonly at: number
  readonly of: number
}
type Row = Place &
  (
    | { readonly entry: ListingEntry; readonly rest?: undefined }
    /** The number of a folder's entries that are not loaded yet. */
    | { readonly rest: number; readonly entry?: undefined }
  )

/** The rows of a folder and of all open folders in it. */
function rowsOf(folders: OfferFolders, isOpen: (path: string) => boolean): readonly Row[] {
  const rows: Row[] = []
  const visit = (path: string, depth: number): void => {
    const folder = folders.get(path)
    if (folder === undefined) return
    const of = folder.total
    folder.entries.forEach((entry, at) => {
      const inside = joinPath(path, entry.name)
      rows.push({ path: inside, depth, at, of, entry })
      if (entry.kind === 'folder' && isOpen(inside)) visit(inside, depth + 1)
    })
    const rest = of - folder.entries.length
    if (rest > 0) rows.push({ path, depth, at: folder.entries.length, of, rest })
  }
  visit('', 0)
  return rows
}

type Props = {
  readonly receive: Receive
  readonly preview: Preview
  /** Words to search for; empty shows the tree. */
  readonly query: string
}

/**
 * The offer folder by folder, or the results of a search. Arrow keys move and open, Space ticks, F2 renames an item. A
 * click opens a folder or ticks a file; only its box ticks a folder.
 */
export function OfferTree({ receive, preview, query }: Props) {
  const { folders, load, ticks, setTicks, preflight, hasEarlierChoice } = preview
  const { options, setOptions } = preview
  const [renaming, setRenaming] = useState<string | null>(null)
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [focused, setFocused] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const toFocus = useRef(-1)
  const { found, loadMore } = useOfferSearch(receive, query, options.renames)
  // A single folder is the offer itself, and people open it first.
  const only = receive.items.length === 1 ? receive.items[0]?.name : undefined
  const isOpen = (path: string): boolean => opened.get(path) ?? path === only
  // Matches are one list, without folders.
  const rows = rowsOf(query === '' ? folders : new Map(found && [['', found]]), isOpen)
  const differs = new Set(preflight?.conflictPaths.map(({ path }) => path))
  const at = Math.min(focused, rows.length - 1)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
  })
  const shown = virtualizer.getVirtualItems()
  const more = (path: string): void => {
    if (query === '') load(path)
    else loadMore()
  }

  useEffect(() => {
    if (only !== undefined && receive.items[0]?.kind === 'folder') load(only)
  }, [only, load, receive.items])
  // Loads more entries when their row becomes visible.
  useEffect(() => {
    for (const { index } of shown) {
      const row = rows[index]
      if (row?.rest !== undefined) more(row.path)
    }
  })
  // A row reached with the keyboard may exist only after scrolling.
  useEffect(() => {
    const row = scroller.current?.querySelector(`[data-index="${toFocus.current.toString()}"]`)
    if (!(row instanceof HTMLElement)) return
    toFocus.current = -1
    row.focus({ preventScroll: true })
  })

  const open = (path: string, toOpen: boolean): void => {
    if (toOpen && !folders.has(path)) load(path)
    setOpened(new Map(opened).set(path, toOpen))
  }
  const focus = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(next)
    virtualizer.scrollToIndex(next)
    toFocus.current = next
  }
  const act = (row: Row): void => {
    if (row.entry === undefined) more(row.path)
    else if (!hasEarlierChoice) setTicks(toggled(ticks, row.path, row.entry))
  }
  const canRename = ({ depth, entry }: Row): boolean =>
    depth === 0 && query === '' && preview.canRename && (entry?.kind ?? 'text') !== 'text'
  const others = (item: string): readonly string[] =>
    (folders.get('')?.entries ?? [])
      .filter(({ name }) => name !== item)
      .map(({ name }) => nameOf(name, options.renames))
  const rename = (item: string, index: number, name: string | null, byKey: boolean): void => {
    setRenaming(null)
    if (name !== null) {
      setOptions({ ...options, renames: withRename(options.renames, { item, name }) })
    }
    if (byKey) toFocus.current = index
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at]
    if (row === undefined) return
    const isFolder = row.entry?.kind === 'folder'
    switch (inDirection(event.key)) {
      case 'ArrowDown':
        focus(at + 1)
        break
      case 'ArrowUp':
        focus(at - 1)
        break
      case 'PageDown':
        focus(at + overscan)
        break
      case 'PageUp':
        focus(at - overscan)
        break
      case 'Home':
        focus(0)
        break
      case 'End':
        focus(rows.length - 1)
        break
      case 'ArrowRight':
        if (isFolder) open(row.path, true)
        break
      case 'ArrowLeft':
        if (isFolder && isOpen(row.path)) open(row.path, false)
        else focus(rows.findIndex(({ path }) => path === folderOf(row.path)))
        break
      case ' ':
        act(row)
        break
      case 'F2':
        if (canRename(row)) setRenaming(row.path)
        break
      default:
        return
    }
    event.preventDefault()
  }

  return (
    <div ref={scroller} className="tree" onKeyDown={onKeyDown}>
      {found?.total === 0 && <p className="tree-none sub">{text.files.noMatch(query)}</p>}
      <div
        role="tree"
        aria-label={text.preview.choose}
        aria-multiselectable
        hidden={rows.length === 0}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {shown.map(({ index, start }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <TreeRow
              key={index}
              row={row}
              index={index}
              start={start}
              isFocusable={index === at}
              isFound={query !== ''}
              isOpen={isOpen(row.path)}
              isDifferent={differs.has(row.path)}
              ticks={ticks}
              withTicks={!hasEarlierChoice}
              onExpand={() => open(row.path, !isOpen(row.path))}
              onFocus={() => setFocused(index)}
              onAct={() => act(row)}
              shownPath={renamedPath(row.path, options.renames)}
              onRename={canRename(row) ? () => setRenaming(row.path) : undefined}
              field={
                renaming === row.path && canRename(row) ? (
                  <RenameField
                    item={row.path}
                    name={nameOf(row.path, options.renames)}
                    isFolder={row.entry?.kind === 'folder'}
                    others={others(row.path)}
                    onDone={(name, byKey) => rename(row.path, index, name, byKey)}
                  />
                ) : null
              }
            />
          )
        })}
      </div>
    </div>
  )
}

/** Mirrors arrow keys in a right-to-left page: the arrow that points into the tree opens. */
function inDirection(key: string): string {
  if (document.documentElement.dir !== 'rtl') return key
  return key === 'ArrowLeft' ? 'ArrowRight' : key === 'ArrowRight' ? 'ArrowLeft' : key
}

type RowProps = {
  readonly row: Row
  readonly index: number
  /** Its distance from the top of the list in pixels. */
  readonly start: number
  readonly isFocusable: boolean
  /** It is a search result, so it shows its folder. */
  readonly isFound: boolean
  readonly isOpen: boolean
  readonly isDifferent: boolean
  readonly ticks: Ticks
  readonly withTicks: boolean
  readonly onExpand: () => void
  readonly onFocus: () => void
  readonly onAct: () => void
  /** Contains the chosen name of its item. */
  readonly shownPath: string
  readonly onRename: (() => void) | undefined
  /** Edits the name in its place. */
  readonly field: ReactNode
}

function TreeRow({ row, index, start, isFocusable, isFound, isOpen, ...more }: RowProps) {
  const { isDifferent, ticks, withTicks, onExpand, onFocus, onAct, shownPath, onRename, field } =
    more
  const { path, depth, entry } = row
  const place = {
    role: 'treeitem',
    'data-index': index,
    'aria-level': depth + 1,
    'aria-posinset': row.at + 1,
    'aria-setsize': row.of,
    tabIndex: isFocusable ? 0 : -1,
    style: {
      paddingInlineStart: 12 + depth * 24,
      transform: `translateY(${start.toString()}px)`,
    },
    onFocus,
    onClick: entry?.kind === 'folder' ? onExpand : onAct,
  }
  if (entry === undefined) {
    return (
      <div {...place} className="node more">
        {text.preview.showMore(row.rest)}
      </div>
    )
  }
  const state = tickOf(ticks, path, entry)
  const isFolder = entry.kind === 'folder'
  const wanted = wantedOf(ticks, path, entry)
  const folder = isFound ? folderOf(shownPath) : ''
  const name = depth === 0 || isFound ? shownPath : entry.name
  return (
    <div
      {...place}
      className={state === false ? 'node off' : 'node'}
      aria-expanded={isFolder ? isOpen : undefined}
      aria-checked={withTicks ? state : undefined}
      aria-keyshortcuts={onRename === undefined ? undefined : 'F2'}
    >
      <span className="node-expand" aria-hidden>
        {isFolder && <ChevronRight className={isOpen ? 'open' : ''} size={16} strokeWidth={1.75} />}
      </span>
      {withTicks && (
        <span
          className="node-tick"
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            onAct()
          }}
        >
          <TickBox state={state} />
        </span>
      )}
      <Icon of={isFolder && isOpen ? FolderOpen : itemIcon(entry)} />
      {field ?? <FileName name={folder === '' ? name : name.slice(folder.length + 1)} />}
      {onRename !== undefined && field === null && (
        <span
          className="node-rename"
          title={text.preview.rename.action}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            onRename()
          }}
        >
          <Pencil size={14} strokeWidth={1.75} />
        </span>
      )}
      {folder !== '' && <bdi className="meta trunc node-folder">{visibleText(folder)}</bdi>}
      {isDifferent && <span className="meta warning">{text.preview.differs}</span>}
      {isFolder && (
        <span className="meta">
          {state === 'mixed'
            ? text.preview.filesWanted({ files: wanted.files, totalFiles: entry.files })
            : text.lists.files(entry.files)}
        </span>
      )}
      <span className="size">{formatBytes(state === 'mixed' ? wanted.bytes : entry.bytes)}</span>
    </div>
  )
}
