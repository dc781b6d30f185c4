// A growth as a picture: time or rate above, the memory of ours below, both axes logarithmic. A straight line of one in one
// is growth in proportion. It has the colors of the page that shows it, light or dark.
import { MiB } from '../../lib/trees.mjs'
import { figure } from '../figure.mjs'
import { limitOf } from '../summary.mjs'
import { picture, segment, text, width } from '../svg.mjs'
import { axes } from './growths.mjs'
import { rowAt } from './page.mjs'

const left = 64
const right = 132
const panelHeight = 230
const panelGap = 76
const firstTop = 66
/** Least distance between two labels of lines. */
const labelHeight = 15

/** Colors of lines, light and dark; the first is for ours. */
const colors = [
  ['#1f6feb', '#4493f8'],
  ['#bc4c00', '#f0883e'],
  ['#1a7f37', '#3fb950'],
  ['#8250df', '#ab7df8'],
  ['#bf3989', '#f778ba'],
  ['#1b7c83', '#39c5cf'],
  ['#9a6700', '#d29922'],
  ['#59636e', '#9198a1'],
]

const colorRules = (shade) =>
  colors.map((pair, index) => `.c${index} { color: ${pair[shade]} }`).join('\n')

const look = {
  light: `
.grid { stroke: #d1d9e0 }
.line { stroke: currentColor; stroke-width: 1.75; fill: none }
.ours { stroke-width: 2.75 }
.dashed { stroke-dasharray: 5 3 }
.dot { stroke: currentColor; stroke-width: 1.5; fill: currentColor }
.part { fill: #ffffff }
.label { fill: currentColor }
.limit { stroke: #1f2328; stroke-width: 1.25; stroke-dasharray: 4 3 }
${colorRules(0)}`,
  dark: `
.grid { stroke: #3d444d }
.part { fill: #0d1117 }
.limit { stroke: #f0f6fc }
${colorRules(1)}`,
}

/** A logarithmic scale from values to pixels. */
const logarithmic = (least, most, from, to) => (value) =>
  from + ((Math.log(value) - Math.log(least)) / (Math.log(most / least) || 1)) * (to - from)

/** 1, 2, 5, 10, ... from below `least` to above `most`; without 2 and 5 when there would be many. */
export function ticksOf(least, most) {
  const steps = Math.log10(most / least) > 2.2 ? [1] : [1, 2, 5]
  const ticks = []
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power += 1)
    ticks.push(...steps.map((step) => step * 10 ** power))
  const first = Math.max(
    0,
    ticks.findLastIndex((tick) => tick <= least),
  )
  const last = ticks.findIndex((tick) => tick >= most)
  return ticks.slice(first, last + 1)
}

/** Moves labels apart, each no further than others force it; `labels` are sorted by where they would be. */
export function spreadLabels(labels, least, most) {
  const placed = labels.map((label) => ({ ...label }))
  for (const [index, label] of placed.entries())
    if (index > 0) label.y = Math.max(label.y, placed[index - 1].y + labelHeight)
  let lowest = most
  for (const label of placed.toReversed()) {
    label.y = Math.max(least, Math.min(label.y, lowest))
    lowest = label.y - labelHeight
  }
  return placed
}

/** A line with a dot at each point; hollow ones are parts of what should have come. */
function drawCurve({ color, isOurs, isDashed, points }, scaleX, scaleY) {
  const at = ({ x, y }) => [scaleX(x).toFixed(1), scaleY(y).toFixed(1)]
  const looks = ['line', color, isOurs && 'ours', isDashed && 'dashed'].filter(Boolean).join(' ')
  return [
    `<path class="${looks}" d="M${points.map((point) => at(point).join(' ')).join('L')}"/>`,
    ...points.map((point) => {
      const [x, y] = at(point)
      return `<circle class="dot ${color}${point.isPart ? ' part' : ''}" cx="${x}" cy="${y}" r="3"/>`
    }),
  ]
}

/** One of the two coordinate systems, with the `curves` in it. */
function panel({ title, caption, curves, limit, top, scaleX, marks }) {
  const values = curves.flatMap(({ points }) => points.map(({ y }) => y)).concat(limit ?? [])
  if (values.length === 0) return []
  const ticks = ticksOf(Math.min(...values), Math.max(...values))
  const bottom = top + panelHeight
  const scaleY = logarithmic(ticks[0], ticks.at(-1), bottom, top)
  const labels = curves
    .map(({ label, color, points }) => ({ label, color, y: scaleY(points.at(-1).y) + 4 }))
    .sort((a, b) => a.y - b.y)
  return [
    text(16, top - 14, 'start', title),
    ...ticks.flatMap((tick) => [
      segment(left, scaleY(tick), width - right, scaleY(tick), 'grid'),
      text(left - 8, scaleY(tick) + 4, 'end', figure(tick), 'quiet'),
    ]),
    ...marks.flatMap(({ x, words }) => [
      segment(scaleX(x), top, scaleX(x), bottom, 'grid'),
      text(scaleX(x), bottom + 18, 'middle', words, 'quiet'),
    ]),
    text(width - right + 10, bottom + 18, 'start', caption, 'quiet'),
    ...(limit === undefined
      ? []
      : [
          segment(left, scaleY(limit), width - right, scaleY(limit), 'limit'),
          text(left + 4, scaleY(limit) - 5, 'start', `limit ${figure(limit)}`, 'quiet'),
        ]),
    ...curves.flatMap((curve) => drawCurve(curve, scaleX, scaleY)),
    ...spreadLabels(labels, top + 4, bottom + 4).map(({ label, color, y }) =>
      text(width - right + 10, y, 'start', label, `label ${color}`),
    ),
  ]
}

const hasPoints = ({ points }) => points.length > 0
const colorOf = (index) => `c${index % colors.length}`

/** Time or rate of each line; the rate of what did not get there is a part. */
function shownCurves({ shows, points }, lines) {
  return lines.map(({ name, isOurs }, index) => ({
    ...{ label: name, color: colorOf(index), isOurs },
    points: points.flatMap((point) => {
      const row = rowAt(point, name)
      const y = row?.[shows]?.median ?? (shows === 'mbit' ? row?.partialMbit : undefined)
      return y > 0 ? [{ x: point.x, y, isPart: row[shows] === undefined }] : []
    }),
  }))
}

/** The memory of both sides of our lines. */
function memoryCurves({ points }, lines) {
  const isAlone = lines.filter(({ isOurs }) => isOurs).length === 1
  return lines.flatMap(({ name, isOurs }, index) =>
    (isOurs ? ['sender', 'receiver'] : []).map((side) => ({
      ...{ label: isAlone ? side : `${name}, ${side}`, color: colorOf(index) },
      ...{ isOurs, isDashed: side === 'receiver' },
      points: points.flatMap((point) => {
        const peak = rowAt(point, name)?.peak[side]?.median
        return peak > 0 ? [{ x: point.x, y: peak / MiB }] : []
      }),
    })),
  )
}

/** The picture of a growth, as SVG. */
export function growthPlot(result) {
  const { axis, shows, lines, points, what } = result
  // Ours come first, so that they have the first colors.
  const sorted = [...lines].sort((a, b) => Number(b.isOurs) - Number(a.isOurs))
  const [leastX, mostX] = [points[0].x, points.at(-1).x]
  const { mark, caption } = axes[axis]
  const limits = points.map((point) => (point.path?.rate ? limitOf(point)?.mbit : undefined))
  const horizontal = {
    caption,
    scaleX: logarithmic(leastX, mostX, left + 12, width - right - 12),
    marks: points.map(({ x }) => ({ x, words: mark(x) })),
  }
  const memoryTop = firstTop + panelHeight + panelGap
  return picture(what, memoryTop + panelHeight + 36, look, [
    ...panel({
      ...horizontal,
      title: shows === 'mbit' ? 'Mbit/s' : 'Seconds, with the start of the programs',
      curves: shownCurves(result, sorted).filter(hasPoints),
      limit: shows === 'mbit' ? limits.find(Boolean) : undefined,
      top: firstTop,
    }),
    ...panel({
      ...horizontal,
      title: 'MiB of memory at most, programs and libraries included',
      curves: memoryCurves(result, sorted).filter(hasPoints),
      top: memoryTop,
    }),
  ])
}
