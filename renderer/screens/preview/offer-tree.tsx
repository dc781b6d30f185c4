import { ChevronRight, FolderOpen } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Receive } from '#shared/app-state'
import { formatBytes } from '#shared/format'
import type { ListingEntry } from '#shared/offer'
import { FileName } from '../../components/file-name'
import { Icon } from '../../components/icon'
import { TickBox } from '../../components/tick'
import { text } from '../../text'
import { itemIcon } from '../../view/item-icon'
import { folderOf, joinPath, tickOf, type Ticks, toggled, wantedOf } from '../../view/ticks'
import type { OfferFolders } from './use-offer'
import type { Preview } from './use-preview'

type Row =
  | { readonly path: string; readonly depth: number; readonly entry: ListingEntry }
  /** The number of entries of a folder that are not loaded yet. */
  | { readonly path: string; readonly depth: number; readonly rest: number }

/** The rows of a folder and of all open folders in it. */
function rowsOf(folders: OfferFolders, isOpen: (path: string) => boolean, path = '', depth = 0) {
  const folder = folders.get(path)
  if (folder === undefined) return []
  const rows: Row[] = folder.entries.flatMap((entry) => {
    const inside = joinPath(path, entry.name)
    const row: Row = { path: inside, depth, entry }
    return entry.kind === 'folder' && isOpen(inside)
      ? [row, ...rowsOf(folders, isOpen, inside, depth + 1)]
      : [row]
  })
  const rest = folder.total - folder.entries.length
  if (rest > 0) rows.push({ path, depth, rest })
  return rows
}

type Props = { readonly receive: Receive; readonly preview: Preview }

/** What is offered, folder by folder: arrows move and open, Space ticks. */
export function OfferTree({ receive, preview }: Props) {
  const { folders, load, ticks, setTicks, survey, hasEarlierChoice } = preview
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [focused, setFocused] = useState(0)
  const tree = useRef<HTMLUListElement>(null)
  // A single folder is the offer itself: looking into it is what people do first.
  const only = receive.items.length === 1 ? receive.items[0]?.name : undefined
  const isOpen = (path: string): boolean => opened.get(path) ?? path === only
  const rows = rowsOf(folders, isOpen)
  const differs = new Set(survey?.conflictPaths.map(({ path }) => path))
  const at = Math.min(focused, rows.length - 1)

  useEffect(() => {
    if (only !== undefined && receive.items[0]?.kind === 'folder') load(only)
  }, [only, load, receive.items])

  const open = (path: string, toOpen: boolean): void => {
    if (toOpen && !folders.has(path)) load(path)
    setOpened(new Map(opened).set(path, toOpen))
  }
  const toggle = (path: string, entry: ListingEntry): void => {
    if (!hasEarlierChoice) setTicks(toggled(ticks, path, entry))
  }
  const focus = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setFocused(next)
    const item = tree.current?.children[next]
    if (item instanceof HTMLElement) item.focus()
  }
  const act = (row: Row): void => {
    if ('rest' in row) load(row.path)
    else toggle(row.path, row.entry)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at]
    if (row === undefined) return
    const isFolder = 'entry' in row && row.entry.kind === 'folder'
    switch (inDirection(event.key)) {
      case 'ArrowDown':
        focus(at + 1)
        break
      case 'ArrowUp':
        focus(at - 1)
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
      default:
        return
    }
    event.preventDefault()
  }

  return (
    <ul
      ref={tree}
      className="tree"
      role="tree"
      aria-label={text.preview.choose}
      aria-multiselectable
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => (
        <TreeRow
          key={'rest' in row ? `${row.path}/` : row.path}
          row={row}
          isFocusable={index === at}
          isOpen={isOpen(row.path)}
          isDifferent={differs.has(row.path)}
          ticks={ticks}
          withTicks={!hasEarlierChoice}
          onExpand={() => {
            open(row.path, !isOpen(row.path))
          }}
          onFocus={() => {
            setFocused(index)
          }}
          onAct={() => {
            act(row)
          }}
        />
      ))}
    </ul>
  )
}

/** The key as if the page ran from left to right: the arrow that points into the tree opens. */
function inDirection(key: string): string {
  if (document.documentElement.dir !== 'rtl') return key
  return key === 'ArrowLeft' ? 'ArrowRight' : key === 'ArrowRight' ? 'ArrowLeft' : key
}

type RowProps = {
  readonly row: Row
  readonly isFocusable: boolean
  readonly isOpen: boolean
  readonly isDifferent: boolean
  readonly ticks: Ticks
  readonly withTicks: boolean
  readonly onExpand: () => void
  readonly onFocus: () => void
  readonly onAct: () => void
}

function TreeRow({ row, isFocusable, isOpen, isDifferent, ticks, withTicks, ...on }: RowProps) {
  const style = { paddingInlineStart: 12 + row.depth * 24 }
  const tabIndex = isFocusable ? 0 : -1
  const level = row.depth + 1
  if ('rest' in row) {
    return (
      <li
        className="node more"
        role="treeitem"
        aria-level={level}
        style={style}
        tabIndex={tabIndex}
        onFocus={on.onFocus}
        onClick={on.onAct}
      >
        {text.preview.showMore(row.rest)}
      </li>
    )
  }
  const { path, entry } = row
  const state = tickOf(ticks, path)
  const isFolder = entry.kind === 'folder'
  const wanted = wantedOf(ticks, path, entry)
  return (
    <li
      className={state === false ? 'node off' : 'node'}
      role="treeitem"
      aria-level={level}
      aria-expanded={isFolder ? isOpen : undefined}
      aria-checked={withTicks ? state : undefined}
      style={style}
      tabIndex={tabIndex}
      onFocus={on.onFocus}
      onClick={on.onAct}
    >
      <span
        className="node-expand"
        aria-hidden
        onClick={(event) => {
          event.stopPropagation()
          if (isFolder) on.onExpand()
        }}
      >
        {isFolder && <ChevronRight className={isOpen ? 'open' : ''} size={16} strokeWidth={1.75} />}
      </span>
      {withTicks && <TickBox state={state} />}
      <Icon of={isFolder && isOpen ? FolderOpen : itemIcon(entry)} />
      <FileName name={entry.name} />
      {isDifferent && <span className="meta warning">{text.preview.differs}</span>}
      {isFolder && (
        <span className="meta">
          {state === 'mixed'
            ? text.preview.filesWanted({ files: wanted.files, totalFiles: entry.files })
            : text.lists.files(entry.files)}
        </span>
      )}
      <span className="size">{formatBytes(state === 'mixed' ? wanted.bytes : entry.bytes)}</span>
    </li>
  )
}
