// Draws a scenario's results: a bar for each tool up to its median, a line from least to most, and the limit. The
// colors follow the page that shows it, light or dark.
import { figure } from './figure.mjs'
import { describePath } from './path.mjs'
import { isOurs, limitOf, rowsOf, spreadOf } from './summary.mjs'
import { picture, segment, text, width } from './svg.mjs'

const left = 96
const right = 160
const top = 68
const rowHeight = 30
const barHeight = 16
const margin = 16
/** Characters of an error that fit into a row. */
const maxNoteLength = 80

const look = {
  light: `
.bar { fill: #8c959f }
.ours { fill: #1f6feb }
.raw { fill: #d1d9e0 }
.spread, .limit { stroke: #1f2328; stroke-width: 1.25; fill: none }
.limit { stroke-dasharray: 4 3 }`,
  dark: `
  .bar { fill: #656c76 }
  .ours { fill: #4493f8 }
  .raw { fill: #3d444d }
  .spread, .limit { stroke: #f0f6fc }`,
}

/** Returns each bar's name, values and label. */
function barsOf(result, limit) {
  const label = (mbit) =>
    `${figure(mbit)} Mbit/s${limit ? `, ${figure((100 * mbit) / limit.mbit)}%` : ''}`
  const tools = rowsOf(result).map(({ name, mbit, partialMbit, error }) => ({
    name,
    kind: isOurs(name) ? 'ours' : 'bar',
    spread: mbit,
    label: mbit
      ? label(mbit.median)
      : partialMbit
        ? `unfinished, ${figure(partialMbit)} Mbit/s`
        : (error ?? 'not measured'),
  }))
  // Without a rate, raw transfers are far too fast for the scale of the rest, so only the page shows them.
  const raws = result.path?.rate
    ? Object.entries(result.raw).map(([kind, values]) => {
        const spread = spreadOf(values)
        return {
          name: `raw ${kind.toUpperCase()}`,
          kind: 'raw',
          spread,
          label: label(spread?.median ?? 0),
        }
      })
    : []
  return [...tools, ...raws]
}

function row({ name, kind, spread, label }, index, scale) {
  const middle = top + index * rowHeight + rowHeight / 2
  const x = (mbit) => (left + mbit * scale).toFixed(1)
  const baseline = middle + 4
  const parts = [text(left - 8, baseline, 'end', name)]
  if (!spread)
    return [...parts, text(left, baseline, 'start', label.slice(0, maxNoteLength), 'quiet')]
  const length = (spread.median * scale).toFixed(1)
  const [least, most] = [x(spread.least), x(spread.most)]
  const ticks = [least, most].map((at) => `M${at} ${middle - 4}v8`).join('')
  return [
    ...parts,
    `<rect class="${kind}" x="${left}" y="${middle - barHeight / 2}" width="${length}" height="${barHeight}" rx="2"/>`,
    `<path class="spread" d="M${least} ${middle}H${most}${ticks}"/>`,
    text(width - margin, baseline, 'end', label, 'quiet'),
  ]
}

/** Returns the picture of one result as SVG. */
export function plot(result) {
  const limit = limitOf(result)
  const bars = barsOf(result, limit)
  const isRated = Boolean(result.path?.rate)
  const most = Math.max(
    ...bars.map(({ spread }) => spread?.most ?? 0),
    ...(isRated ? [limit.mbit] : []),
    Number.MIN_VALUE,
  )
  const scale = (width - left - right) / most
  const bottom = top + bars.length * rowHeight
  const limitAt = left + (limit?.mbit ?? 0) * scale
  return picture(result.what, bottom + 16, look, [
    text(16, 46, 'start', `${describePath(result.path)}; median, least to most`, 'quiet'),
    ...bars.flatMap((bar, index) => row(bar, index, scale)),
    ...(isRated
      ? [
          segment(limitAt, top, limitAt, bottom, 'limit'),
          text(limitAt, top - 6, 'middle', `limit ${figure(limit.mbit)}`, 'quiet'),
        ]
      : []),
  ])
}
