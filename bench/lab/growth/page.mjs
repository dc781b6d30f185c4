// A growth as a page of Markdown: an overview with a row for each point, and all figures below it.
import { figure } from '../figure.mjs'
import { describePath } from '../path.mjs'
import { rowsOf } from '../summary.mjs'
import { factsOf, markdownTable, peakCell, percent, rowCells, tableHeader } from '../table.mjs'
import { axes } from './growths.mjs'

/** Raised when files of older versions of this program can't be read the same way. */
export const growthFormat = 'growth 1'

/** What differs by less from one point to the next has not grown. */
const leastGrowth = 1.3

/** The row of a line at a point, if it was measured there. */
export const rowAt = (point, name) => rowsOf(point).find((row) => row.name === name)

/**
 * What each unit of x takes more from the point before on, in seconds: a straight line has the same everywhere. Nothing
 * where hardly anything was added.
 */
export function marginal(result, index, name) {
  const at = (point) => ({ x: point.x, seconds: rowAt(point, name)?.seconds?.median })
  const now = at(result.points[index])
  const before = result.points
    .slice(0, index)
    .map(at)
    .findLast(({ seconds }) => seconds)
  if (!result.each || !before || !(now.seconds > before.seconds * leastGrowth)) return undefined
  return ((now.seconds - before.seconds) / (now.x - before.x)) * result.each
}

const inSeconds = (seconds) =>
  seconds < 0.001
    ? `${figure(seconds * 1e6)} us`
    : seconds < 1
      ? `${figure(seconds * 1e3)} ms`
      : `${figure(seconds)} s`

/** What is shown of a row; the rate of what did not get there in brackets. */
export function shownCell(row, shows) {
  const spread = row?.[shows]
  if (spread) return figure(spread.median)
  return shows === 'mbit' && row?.partialMbit
    ? `(${figure(row.partialMbit)})`
    : row
      ? 'not there'
      : ''
}

/** How ours stands to the best of the others at a point, as far as both got there: above 1 ours is the faster one. */
function toTheBest(point, lines) {
  const rate = ({ name }) =>
    rowAt(point, name)?.mbit?.median ?? rowAt(point, name)?.partialMbit ?? 0
  const best = (isOurs) => Math.max(0, ...lines.filter((line) => line.isOurs === isOurs).map(rate))
  return best(false) > 0 && best(true) > 0 ? figure(best(true) / best(false)) : ''
}

/** A row for each point: time or rate of each line, what each unit of x adds, and the memory of ours. */
export function overview(result) {
  const { axis, shows, each, lines, points } = result
  const { title, words, unit } = axes[axis]
  const unitOf = shows === 'mbit' ? 'Mbit/s' : 's'
  const hasOthers = lines.some(({ isOurs }) => !isOurs)
  const isLimited = points.some(({ path }) => path?.rate)
  const columns = lines.flatMap(({ name, isOurs }) => [
    { head: `${name}, ${unitOf}`, cell: (point) => shownCell(rowAt(point, name), shows) },
    isOurs &&
      isLimited && { head: 'of limit', cell: (point) => percent(rowAt(point, name)?.share) },
    each && {
      head: `for each ${unit} more`,
      cell: (_, index) => {
        const more = marginal(result, index, name)
        return more === undefined ? '' : inSeconds(more)
      },
    },
    isOurs && { head: 'MiB', cell: (point) => peakCell(rowAt(point, name)) },
  ])
  const ratio = hasOthers && { head: 'to the best other', cell: (point) => toTheBest(point, lines) }
  const all = [...columns, ratio].filter(Boolean)
  return markdownTable(
    [title, ...all.map(({ head }) => head)],
    points.map((point, index) => [words(point.x), ...all.map(({ cell }) => cell(point, index))]),
  )
}

/** The page of one growth. */
export function growthPage(result) {
  const { axis, lines, points } = result
  const { title, words } = axes[axis]
  const rows = points.flatMap((point) =>
    lines.flatMap(({ name }) => {
      const row = rowAt(point, name)
      return row ? [[words(point.x), ...rowCells(row)]] : []
    }),
  )
  const paths = [points[0], points.at(-1)].map(({ path }) => describePath(path))
  return [
    `# ${result.scenario}`,
    '',
    overview(result),
    '',
    'MiB are the peaks of sender and receivers. In brackets: the rate until the time was over.',
    '',
    markdownTable([title, ...tableHeader], rows),
    '',
    `- ${result.what}; ${[...new Set(paths)].join(' to ')}.`,
    ...points
      .filter(({ leftOut }) => leftOut.length > 0)
      .map(
        ({ x, leftOut }) => `- Left out at ${words(x)} for want of memory: ${leftOut.join(', ')}.`,
      ),
    ...factsOf(result, lines),
    '',
  ].join('\n')
}
