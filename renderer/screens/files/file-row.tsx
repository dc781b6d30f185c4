import { ArrowUpToLine, CircleSlash, Undo2 } from 'lucide-react'
import type { FileState, TransferFile } from '#shared/files'
import { formatBytes, formatPercent } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { FileName } from '../../components/file-name'
import { Icon } from '../../components/icon'
import { Tooltip } from '../../components/tooltip'
import { text } from '../../text'
import { itemIcon } from '../../view/item-icon'
import { folderOf } from '../../view/ticks'
import { actionsFor, type FileAction, type FileSelection } from './use-file-selection'

/** Pixels. */
export const rowHeight = 32
/** Limited by the tallest box that Chromium can draw, 2^25 pixels; a search finds later rows. */
export const maxRows = 2 ** 20 - 1

type Props = {
  readonly row: number
  /** `null` while its page is being loaded. */
  readonly file: TransferFile | null
  readonly isCurrent: boolean
  /** `null` if nothing can be chosen. */
  readonly selection: FileSelection | null
  readonly onCurrent: (row: number) => void
}

/** One file: folder and name, received part, size and state. */
export function FileRow({ row, file, isCurrent, selection, onCurrent }: Props) {
  const isChosen = file !== null && (selection?.chosen.has(file.path) ?? false)
  return (
    <div
      role="row"
      aria-rowindex={row + 1}
      aria-selected={selection === null ? undefined : isChosen}
      className={isChosen ? 'file-row chosen' : 'file-row'}
      tabIndex={isCurrent ? 0 : -1}
      style={{ transform: `translateY(${(row * rowHeight).toString()}px)` }}
      onFocus={() => onCurrent(row)}
      onClick={() => {
        if (file !== null) selection?.toggle(file)
      }}
    >
      {file === null ? (
        <span role="gridcell" className="file-pending" />
      ) : (
        <Cells file={file} selection={selection} />
      )}
    </div>
  )
}

type CellsProps = { readonly file: TransferFile; readonly selection: FileSelection | null }

function Cells({ file, selection }: CellsProps) {
  const { path, kind, size, bytes, state } = file
  const folder = folderOf(path)
  const name = path.slice(folder === '' ? 0 : folder.length + 1)
  const isPartly = bytes > 0 && bytes < size && (state === 'active' || state === 'waiting')
  return (
    <>
      <span role="gridcell" className="file-title">
        <Icon of={itemIcon({ name, kind })} />
        <span className="file-path">
          {folder !== '' && <bdi className="file-folder trunc">{visibleText(folder)}</bdi>}
          {folder !== '' && <span className="file-slash">/</span>}
          <FileName name={name} />
        </span>
      </span>
      <span role="gridcell" className="file-acts">
        {selection !== null &&
          actionsFor(file).map((action) => (
            <RowAction key={action} action={action} file={file} name={name} act={selection.act} />
          ))}
      </span>
      <span role="gridcell" className="file-bar">
        {isPartly && (
          <span className={state === 'active' ? 'mini' : 'mini still'} aria-hidden>
            <span style={{ width: `${((100 * bytes) / size).toFixed(1)}%` }} />
          </span>
        )}
      </span>
      <span role="gridcell" className="file-size">
        {formatBytes(size)}
      </span>
      <span role="gridcell" className={`file-state ${tones[state]}`}>
        {isPartly ? formatPercent(bytes, size) : text.files.states[state]}
      </span>
    </>
  )
}

const tones: Readonly<Record<FileState, string>> = {
  waiting: 'quiet',
  active: 'accent',
  received: 'accent',
  saved: 'success',
  sent: 'success',
  present: 'success',
  skipped: 'quiet',
  failed: 'warning',
}

const icons = { first: ArrowUpToLine, skip: CircleSlash, want: Undo2 } as const

const words = {
  first: text.files.firstOf,
  skip: text.files.skipOf,
  want: text.files.wantOf,
} as const

type RowActionProps = {
  readonly action: FileAction
  readonly file: TransferFile
  readonly name: string
  readonly act: FileSelection['act']
}

/** Shown on the row that is hovered or focused; its name includes the file's. */
const RowAction = ({ action, file, name, act }: RowActionProps) => (
  <Tooltip words={text.files[action]}>
    <button
      type="button"
      className="icon-btn small"
      aria-label={words[action](visibleText(name))}
      onClick={(event) => {
        event.stopPropagation()
        void act(action, [file])
      }}
    >
      <Icon of={icons[action]} size={14} />
    </button>
  </Tooltip>
)
