import { type ReactNode, useEffect, useRef, useState } from 'react'

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

/** A few controls below a button. Esc, a press elsewhere and leaving it with Tab close it again. */
export function Popover({ name, trigger, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  const close = (): void => {
    setIsOpen(false)
  }

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
        <div className="popover" role="dialog" aria-label={name}>
          {children(close)}
        </div>
      )}
    </span>
  )
}

const panelFocus = '.popover :is(button, select, input)'
