import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

type TriggerProps = {
  readonly onClick: () => void
  readonly expanded: boolean
}

type Props = {
  /** Label of what opens, for screen readers. */
  readonly name: string
  readonly trigger: (props: TriggerProps) => ReactNode
  readonly children: (close: () => void) => ReactNode
}

/** Pixels that the top bar takes. */
const topBarHeight = 56

/** Above the button it fits and below it does not; else it is below, and the page scrolls. */
function hasRoomAboveOnly(root: HTMLElement, panel: HTMLElement): boolean {
  const { top, bottom } = root.getBoundingClientRect()
  const height = panel.offsetHeight
  return bottom + height > window.innerHeight && top - height > topBarHeight
}

/** A few controls below a button, or above it. Esc, a press elsewhere and leaving it with Tab close it again. */
export function Popover({ name, trigger, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isAbove, setIsAbove] = useState(false)
  const close = (): void => {
    setIsOpen(false)
  }

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
    return () => {
      window.removeEventListener('pointerdown', onPress)
    }
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
        onClick: () => {
          setIsOpen(!isOpen)
        },
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
