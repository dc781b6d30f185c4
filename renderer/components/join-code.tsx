import { type CSSProperties, Fragment } from 'react'
import { text } from '../text'

type Props = {
  readonly code: string
  readonly size: 'large' | 'mid'
  /** True when it has just become smaller. */
  readonly isShrinking?: boolean
  readonly onCopy: () => void
}

/** The code: large until a receiver joins, smaller afterwards. A click copies it. */
export function JoinCode({ code, size, isShrinking = false, onCopy }: Props) {
  const [nameplate, ...words] = code.split('-')
  return (
    <button
      type="button"
      className={`code ${size} ${isShrinking ? 'shrinking' : ''}`}
      aria-label={text.share.codeName(code)}
      style={letters(code)}
      onClick={onCopy}
    >
      <b>{nameplate}</b>
      {words.map((word, index) => (
        <Fragment key={index}>
          <i>-</i>
          {word}
        </Fragment>
      ))}
    </button>
  )
}

/** The number of letters that the size has to fit. */
const letters = (code: string): CSSProperties => ({ '--letters': code.length }) as CSSProperties
