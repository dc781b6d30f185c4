import { useState } from 'react'
import { formatDuration, formatRate } from '#shared/format/format'
import type { RateSample } from '#shared/state/app-state'
import { axisEnd, minuteMs, type SpeedPoint, speedsOf, summaryOf } from '#shared/state/rate-history'
import { text } from '../../text'

/** Units of the drawing, which is stretched to the available width. */
const box = { width: 1000, height: 88 }

type Span = 'minute' | 'whole'

type Props = {
  readonly history: readonly RateSample[]
  /** The end of the time axis; a paused transfer keeps its last minute. */
  readonly endMs: number
  readonly tone: 'accent' | 'relay' | 'still'
}

/** Speed over the last minute or the whole transfer; its accessible name gives the figures. */
export function SpeedGraph({ history, endMs, tone }: Props) {
  const [span, setSpan] = useState<Span>('minute')
  const beganMs = history[0]?.atMs ?? endMs
  const fromMs = span === 'minute' ? endMs - minuteMs : beganMs
  const speeds = speedsOf(history, fromMs)
  const summary = summaryOf(speeds, Math.max(fromMs, beganMs))
  const top = axisEnd(summary?.most ?? 0)
  const lengthMs = Math.max(1, endMs - fromMs)
  const points = speeds.map(({ atMs, bytesPerSecond }) => ({
    x: (box.width * (atMs - fromMs)) / lengthMs,
    y: box.height * (1 - bytesPerSecond / top),
  }))
  const last = points.at(-1)
  const began = formatDuration(lengthMs)
  return (
    <div className={`graph ${tone}`} dir="ltr">
      <div className="graph-head">
        <h3 className="label">{text.graph.title}</h3>
        <div className="segments small" role="group" aria-label={text.graph.title}>
          {(['minute', 'whole'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === span}
              onClick={() => setSpan(one)}
            >
              {text.graph.spans[one]}
            </button>
          ))}
        </div>
      </div>
      <div className="graph-body">
        <div className="graph-drawing" role="img" aria-label={words(span, summary, speeds)}>
          <svg
            viewBox={`0 0 ${box.width.toString()} ${box.height.toString()}`}
            preserveAspectRatio="none"
            aria-hidden
          >
            {[0, 0.5, 1].map((share) => (
              <path
                key={share}
                className="grid"
                d={`M0 ${(box.height * share).toString()}H${box.width.toString()}`}
              />
            ))}
            {points.length > 1 && (
              <>
                <path
                  className="area"
                  d={`${lineOf(points)}V${box.height.toString()}H${start(points)}Z`}
                />
                <path className="line" d={lineOf(points)} />
              </>
            )}
          </svg>
          {last !== undefined && points.length > 1 && (
            <span
              className="graph-end"
              style={{
                left: `${((100 * last.x) / box.width).toFixed(2)}%`,
                top: `${((100 * last.y) / box.height).toFixed(2)}%`,
              }}
            />
          )}
        </div>
        <div className="graph-scale" aria-hidden>
          <span>{summary === null ? '' : formatRate(top)}</span>
          <span>{summary === null ? '' : formatRate(top / 2)}</span>
          <span>0</span>
        </div>
      </div>
      <div className="graph-times" aria-hidden>
        <span>{text.graph.ago(began)}</span>
        <span>{text.graph.ends[tone === 'still' ? 'still' : 'now']}</span>
      </div>
    </div>
  )
}

type Point = { readonly x: number; readonly y: number }

const start = (points: readonly Point[]): string => (points[0]?.x ?? 0).toFixed(1)

const lineOf = (points: readonly Point[]): string =>
  points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')

function words(
  span: Span,
  summary: ReturnType<typeof summaryOf>,
  speeds: readonly SpeedPoint[],
): string {
  const last = speeds.at(-1)
  if (summary === null || last === undefined) return text.graph.nothing
  return text.graph.describe[span]({
    average: formatRate(summary.average),
    least: formatRate(summary.least),
    most: formatRate(summary.most),
  })
}
