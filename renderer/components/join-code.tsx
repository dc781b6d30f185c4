import { Fragment } from 'react'
import { text } from '../text/en'

type Props = {
  readonly code: string
  readonly size: 'large' | 'mid'
  readonly onCopy: () => void
}

/** The code: large while nobody has joined, smaller once somebody has. A click copies it. */
export function JoinCode({ code, size, onCopy }: Props) {
  const [nameplate, ...words] = code.split('-')
  return (
    <button
      type="button"
      className={`code ${size}`}
      aria-label={text.share.codeName(code)}
      onClick={onCopy}
    >
      <b>{nameplate}</b>
      {words.map((word) => (
        <Fragment key={word}>
          <i>-</i>
          {word}
        </Fragment>
      ))}
    </button>
  )
}
