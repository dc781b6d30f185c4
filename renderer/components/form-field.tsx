/** A field of a form that is saved as a whole, with its label beside it. */
import { type ComponentProps, useId } from 'react'

/** Far more than an address takes; what is too long is refused with what else makes no sense. */
const maxCharacters = 4000

type Props = Pick<
  ComponentProps<'input'>,
  'type' | 'placeholder' | 'autoFocus' | 'aria-invalid' | 'aria-describedby'
> & {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export function FormField({ label, onChange, type = 'text', ...input }: Props) {
  const id = useId()
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="text-field"
        type={type}
        spellCheck={false}
        autoComplete="off"
        maxLength={maxCharacters}
        onChange={({ target }) => {
          onChange(target.value)
        }}
        {...input}
      />
    </div>
  )
}
