import { User } from 'lucide-react'
import { initials, personHue } from '../view/person'
import { Icon } from './icon'

type Props = { readonly name: string; readonly size?: 'small' | 'medium' | 'large' }

/** A person or a computer. The name is next to it, so screen readers skip it. */
export function Avatar({ name, size = 'small' }: Props) {
  const letters = initials(name)
  const hue = name === '' ? '' : `person-${personHue(name).toString()}`
  return (
    <span className={`avatar ${size} ${hue}`} aria-hidden>
      {letters === '' ? <Icon of={User} size={size === 'small' ? 14 : 18} /> : letters}
    </span>
  )
}
