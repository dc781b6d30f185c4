/** A labeled field of a form that is saved as a whole. */
import { type ComponentProps, useId } from 'react'

/** Far more than an address needs; longer text is refused with the form's other errors. */
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
        onChange={({ target }) => onChange(target.value)}
        {...input}
      />
    </div>
  )
}
