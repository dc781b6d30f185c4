import { useState } from 'react'

type Props = {
  readonly value: number
  readonly least: number
  readonly most: number
  readonly name?: string
  readonly onChange: (value: number) => void
}

/** A field for a whole number; invalid input stays a draft. */
export function NumberField({ value, least, most, name, onChange }: Props) {
  const [draft, setDraft] = useState(value.toString())
  const isValid = (words: string): boolean =>
    /^\d+$/.test(words) && Number(words) >= least && Number(words) <= most
  return (
    <input
      className="number"
      type="text"
      inputMode="numeric"
      aria-label={name}
      aria-invalid={!isValid(draft)}
      maxLength={7}
      value={draft}
      onChange={({ target }) => {
        setDraft(target.value)
        if (isValid(target.value)) onChange(Number(target.value))
      }}
    />
  )
}
