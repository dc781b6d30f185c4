import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { text } from '../text'

/** Blue while bytes move, amber while a problem holds them up, gray when paused. */
type BarTone = 'accent' | 'warning' | 'still'

type BarProps = {
  readonly fraction: number
  readonly name: string
  readonly tone?: BarTone
}

/** The attributes for assistive technology. */
function ariaProgress(name: string, fraction: number) {
  const percent = Math.floor(fraction * 100)
  return {
    role: 'progressbar',
    'aria-label': name,
    'aria-valuenow': percent,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuetext': text.progress.percent(percent),
  } as const
}

/** The received part of a transfer as a bar. */
export const Bar = ({ fraction, name, tone = 'accent' }: BarProps) => (
  <div className={`track ${tone}`} {...ariaProgress(name, fraction)}>
    <div style={{ width: `${(fraction * 100).toFixed(2)}%` }} />
  </div>
)

/** The circle's center line lies inside its 44 px box. */
const radius = 20.5
const length = 2 * Math.PI * radius

export type RingTone = BarTone | 'relay' | 'success' | 'danger'

type RingProps = {
  readonly fraction: number
  readonly name: string
  readonly tone: RingTone
  readonly children: ReactNode
}

/** The received part as a ring around a person; closed and ticked once everything is verified. */
export const Ring = ({ fraction, name, tone, children }: RingProps) => (
  <span className={`ring ${tone}`} {...ariaProgress(name, fraction)}>
    <svg viewBox="0 0 44 44" aria-hidden>
      <circle className="rest" cx="22" cy="22" r={radius} />
      {fraction > 0 && (
        <circle
          className="done"
          cx="22"
          cy="22"
          r={radius}
          strokeDasharray={length}
          strokeDashoffset={length * (1 - fraction)}
        />
      )}
    </svg>
    {children}
    {tone === 'success' && (
      <span className="badge">
        <Check size={11} strokeWidth={3.2} aria-hidden />
      </span>
    )}
  </span>
)
