import { Search } from 'lucide-react'
import { limits } from '#shared/limits'
import { text } from '../text'
import { Icon } from './icon'

type Props = {
  readonly query: string
  readonly onSearch: (query: string) => void
  readonly className?: string
}

/** A field to search a list of files. */
export const SearchField = ({ query, onSearch, className = '' }: Props) => (
  <label className={`files-search ${className}`}>
    <Icon of={Search} size={14} />
    <input
      type="search"
      aria-label={text.files.search}
      placeholder={text.files.search}
      maxLength={limits.searchCharacters}
      value={query}
      onChange={({ target }) => onSearch(target.value)}
    />
  </label>
)
