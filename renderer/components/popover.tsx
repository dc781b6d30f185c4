import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

type TriggerProps = {
  readonly onClick: () => void
  readonly expanded: boolean
}

type Props = {
  /** Label of the panel, for screen readers. */
  readonly name: string
  readonly trigger: (props: TriggerProps) => ReactNode
  readonly children: (close: () => void) => ReactNode
}

/** Height of the top bar in pixels. */
const topBarHeight = 56

/** True if the panel fits above the button but not below. In all other cases it opens below, and the page scrolls. */
function hasRoomAboveOnly(root: HTMLElement, panel: HTMLElement): boolean {
  const { top, bottom } = root.getBoundingClientRect()
  const height = panel.offsetHeight
  return bottom + height > window.innerHeight && top - height > topBarHeight
}

/** A few controls below or above a button. Esc, a click outside and tabbing out of it close it. */
export function Popover({ name, trigger, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isAbove, setIsAbove] = useState(false)
  const close = (): void => setIsOpen(false)

  useLayoutEffect(() => {
    if (root.current === null || panel.current === null) return
    setIsAbove(hasRoomAboveOnly(root.current, panel.current))
  }, [isOpen])

  useEffect(() => {
    if (!isOpen) return
    const onPress = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node) || root.current?.contains(target) !== true) setIsOpen(false)
    }
    window.addEventListener('pointerdown', onPress)
    root.current?.querySelector<HTMLElement>(panelFocus)?.focus()
    return () => window.removeEventListener('pointerdown', onPress)
  }, [isOpen])

  return (
    <span
      ref={root}
      className="popover-root"
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && root.current?.contains(relatedTarget) !== true) close()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        close()
        root.current?.querySelector('button')?.focus()
      }}
    >
      {trigger({
        expanded: isOpen,
        onClick: () => setIsOpen(!isOpen),
      })}
      {isOpen && (
        <div
          ref={panel}
          className={isAbove ? 'popover above' : 'popover'}
          role="dialog"
          aria-label={name}
        >
          {children(close)}
        </div>
      )}
    </span>
  )
}

const panelFocus = '.popover :is(button, select, input)'
