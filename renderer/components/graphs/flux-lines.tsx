/**
 * The only ornament: lines through one point, shown while nothing is happening. All figures are in the drawing's own
 * units; it is centered and wider than any card.
 */

const lineCount = 15
const middle = (lineCount - 1) / 2
const width = 1400
const centre = { x: width / 2, y: 128 }

/** Faint at the edge, clearest in the middle. */
const opacity = (index: number): number =>
  [0.44, 0.38, 0.32, 0.26, 0.21, 0.17, 0.13, 0.1][Math.abs(index - middle)] ?? 0.1

type Waist = { readonly halfWidth: number; readonly gap: number }

/** Without a drag the lines nearly meet; dragged files part them. */
const closed: Waist = { halfWidth: 34, gap: 1.714 }
const parted: Waist = { halfWidth: 71, gap: 14.86 }

/** Distance between the lines at the window's edges. */
const edgeGap = 42.86

function fluxPath(index: number, { halfWidth, gap }: Waist): string {
  const away = index - middle
  const edge = (centre.y + away * edgeGap).toFixed(1)
  const waist = (centre.y + away * gap).toFixed(1)
  const [left, right] = [centre.x - halfWidth, centre.x + halfWidth]
  return (
    `M0 ${edge}C360 ${edge} 470 ${waist} ${left.toString()} ${waist}H${right.toString()}` +
    `C930 ${waist} 1040 ${edge} ${width.toString()} ${edge}`
  )
}

export const FluxLines = ({ isParted = false }: { readonly isParted?: boolean }) => (
  <svg className="flux" viewBox={isParted ? '0 -260 1400 776' : '0 -368 1400 788'} aria-hidden>
    {Array.from({ length: lineCount }, (_, index) => (
      <path key={index} d={fluxPath(index, isParted ? parted : closed)} opacity={opacity(index)} />
    ))}
  </svg>
)

/** Lines that arrive at this computer and continue, dotted, to receivers that have not joined yet. */
export const Aperture = () => (
  <div className="aperture" aria-hidden>
    <svg viewBox="0 0 1200 150" preserveAspectRatio="xMidYMid slice">
      {Array.from({ length: 13 }, (_, index) => {
        const away = index - 6
        const edge = (75 + away * 25).toString()
        const waist = (75 + away * 0.833).toFixed(1)
        const strength = [0.46, 0.39, 0.33, 0.27, 0.21, 0.16, 0.12][Math.abs(away)]
        return (
          <g key={index} opacity={strength}>
            <path d={`M0 ${edge}C170 ${edge} 290 ${waist} 570 ${waist}`} />
            <path className="pending" d={`M1200 ${edge}C1030 ${edge} 910 ${waist} 630 ${waist}`} />
          </g>
        )
      })}
    </svg>
  </div>
)
