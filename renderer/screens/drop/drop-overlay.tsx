import { formatCount } from '#shared/format/format'
import { FluxLines } from '../../components/graphs/flux-lines'
import { Icon } from '../../components/icon'
import { useAppStore } from '../../store/app-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { draggedIcon } from '../../view/item-icon'

/** The overlay while files are dragged over the window; the lines part around them. */
export function DropOverlay() {
  const drag = useUiStore((ui) => ui.drag)
  const hasShare = useAppStore(
    ({ state }) => state?.shares.some(({ phase }) => phase === 'open') ?? false,
  )
  if (drag === null) return null
  // The card has its own words, and may cover the middle.
  if (drag.over !== null) {
    return (
      <div className="drop-overlay" role="status">
        <p className="drop-outside">{text.drop.outside}</p>
      </div>
    )
  }
  const isMany = drag.items > 1
  const [first, left, right] = drag.types
  return (
    <div className="drop-overlay" role="status">
      <FluxLines isParted />
      <div className="held" aria-hidden>
        {isMany && (
          <>
            <div className="held-file left">
              <Icon of={draggedIcon(left)} size={20} />
            </div>
            <div className="held-file right">
              <Icon of={draggedIcon(right ?? left)} size={20} />
            </div>
          </>
        )}
        <div className="held-file">
          <Icon of={draggedIcon(first)} size={20} />
          {isMany && <span className="held-count">{formatCount(drag.items)}</span>}
        </div>
      </div>
      <div className="drop-words">
        <h1 className="invitation">{text.drop.title}</h1>
        <p>{drag.items === 0 ? text.drop.about : text.drop.aboutItems(drag.items)}</p>
        {hasShare && <p>{text.drop.orAdd}</p>}
      </div>
    </div>
  )
}
