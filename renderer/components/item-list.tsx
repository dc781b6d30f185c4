import { X } from 'lucide-react'
import { formatBytes } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import type { Item } from '#shared/state/app-state'
import { text } from '../text'
import { itemIcon } from '../view/item-icon'
import { IconButton } from './button'
import { FileName } from './file-name'
import { Icon } from './icon'

type Props = {
  readonly items: readonly Item[]
  readonly most?: number
  /** Also shows the number of files in each folder, in lists with enough room. */
  readonly isWide?: boolean
  /** Removes an item from a running share. */
  readonly onRemove?: (item: Item) => void
}

/** The items of a share. Their names come from other people and are only shown as text. */
export const ItemList = ({ items, most = items.length, isWide = false, onRemove }: Props) => (
  <ul className={isWide ? 'items wide' : 'items'}>
    {items.slice(0, most).map((item, index) => (
      <li key={index} className="item">
        <Icon of={itemIcon(item)} />
        <FileName name={item.name} />
        {isWide && item.kind === 'folder' && (
          <span className="meta">{text.lists.files(item.files)}</span>
        )}
        <span className="size">{formatBytes(item.bytes)}</span>
        {onRemove && (
          <IconButton
            name={text.share.remove(visibleText(item.name))}
            icon={X}
            size="small"
            onClick={() => onRemove(item)}
          />
        )}
      </li>
    ))}
    {items.length > most && (
      <li className="item">
        <span className="meta">{text.lists.more(items.length - most)}</span>
      </li>
    )}
  </ul>
)
