import { ChevronsUpDown } from 'lucide-react'
import { Icon } from './icon'

type Props<V extends string> = {
  readonly name: string
  readonly value: V
  readonly options: readonly (readonly [V, string])[]
  readonly onChange: (value: V) => void
}

/** A choice among a few options, with the system's own list. */
export const Choice = <V extends string>({ name, value, options, onChange }: Props<V>) => (
  <span className="choice">
    <select aria-label={name} value={value} onChange={(event) => onChange(event.target.value as V)}>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
    <Icon of={ChevronsUpDown} size={14} />
  </span>
)
