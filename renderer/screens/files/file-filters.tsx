import type { KeyboardEvent } from 'react'
import { type FileCounts, type FileFilter, fileFilters } from '#shared/files'
import { formatCount } from '#shared/format/format'
import { text } from '../../text'

type Props = {
  readonly id: string
  readonly shown: FileFilter
  /** `null` until the first answer. */
  readonly counts: FileCounts | null
  readonly onShow: (filter: FileFilter) => void
}

/** All filters, each with its number of files; arrow keys move between them. */
export function FileFilters({ id, shown, counts, onShow }: Props) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = fileFilters.indexOf(shown) + step
    const filter = fileFilters[(next + fileFilters.length) % fileFilters.length] ?? shown
    onShow(filter)
    document.getElementById(`${id}-${filter}`)?.focus()
  }
  return (
    <div className="segments" role="tablist" aria-label={text.files.title} onKeyDown={onKeyDown}>
      {fileFilters.map((filter) => (
        <button
          key={filter}
          id={`${id}-${filter}`}
          type="button"
          role="tab"
          aria-selected={filter === shown}
          aria-controls={`${id}-panel`}
          tabIndex={filter === shown ? 0 : -1}
          onClick={() => onShow(filter)}
        >
          {text.files.filters[filter]}
          {counts !== null && <span className="count">{formatCount(counts[filter])}</span>}
        </button>
      ))}
    </div>
  )
}
