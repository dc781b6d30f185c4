import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Icon } from './icon'
import { Tooltip } from './tooltip'

type Props = {
  readonly children: ReactNode
  readonly onClick: () => void
  /** A card has at most one primary button. */
  readonly variant?: 'primary' | 'plain' | 'ghost'
  readonly size?: 'small' | 'medium' | 'large'
  readonly icon?: LucideIcon
  readonly hint?: string
  /** The name for screen readers, where the text alone is ambiguous. */
  readonly name?: string
  readonly className?: string
  readonly expanded?: boolean
  /** A disabled button keeps the focus, so that people who tab to it learn that it exists. */
  readonly isDisabled?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  ref,
  icon,
  children,
  hint,
  name,
  expanded,
  isDisabled,
  onClick,
  ...style
}: Props) {
  const { variant = 'plain', size = 'medium', className = '' } = style
  return (
    <button
      ref={ref}
      type="button"
      className={`btn ${variant} ${size} ${className}`}
      aria-label={name}
      aria-expanded={expanded}
      aria-disabled={isDisabled}
      onClick={isDisabled ? undefined : onClick}
    >
      {icon && <Icon of={icon} />}
      {children}
      {hint !== undefined && (
        <kbd className="kbd" aria-hidden>
          {hint}
        </kbd>
      )}
    </button>
  )
}

type IconButtonProps = {
  readonly name: string
  readonly icon: LucideIcon
  readonly onClick: () => void
  readonly size?: 'small' | 'medium'
  readonly expanded?: boolean
  readonly id?: string
  /** The id of an element that completes the name, such as the title of a row. */
  readonly about?: string
}

/** An icon alone needs a name: for screen readers, and as a tooltip. */
export const IconButton = ({
  name,
  icon,
  onClick,
  size = 'medium',
  expanded,
  id,
  about,
}: IconButtonProps) => (
  <Tooltip words={name}>
    <button
      id={id}
      type="button"
      className={`icon-btn ${size}`}
      aria-label={name}
      aria-describedby={about}
      aria-expanded={expanded}
      onClick={onClick}
    >
      <Icon of={icon} />
    </button>
  </Tooltip>
)
