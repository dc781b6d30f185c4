// What documents show of published results: sections between two marks, which are written anew from the JSON files, so that
// no figure is typed by hand.
import { figure } from './figure.mjs'
import { axes } from './growth/growths.mjs'
import { growthFormat, rowAt, shownCell } from './growth/page.mjs'
import { partsFormat, partsSentence } from './parts.mjs'
import { published, publishedGrowths } from './published.mjs'
import { resultFormat } from './results.mjs'
import { limitOf, rowsOf } from './summary.mjs'
import {
  busySentences,
  describeHost,
  describeLoads,
  peakCell,
  rowCells,
  tableHeader,
} from './table.mjs'

/** A table whose cells are too long for columns of one width. */
const ruled = (header, rows) =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const firstCell = ({ scenario, what }) => `\`${scenario}\`: ${what}`

/** The columns of a tool's row that are shown of ours: all but its name, its number of runs and its note. */
const ofOurs = tableHeader.slice(1, -2)
const isThru = ({ name }) => name === 'thru'

/** Another tool's rate, or what became of it. */
const otherTool = (row) =>
  row.mbit ? `${row.name} ${figure(row.mbit.median)}` : `${row.name}: ${rowCells(row).at(-1)}`

function publishedCell(scenario) {
  const known = published[scenario]
  if (!known) return ''
  const rates = Object.entries(known.mbit).map(([name, rate]) => `${name} ${figure(rate)}`)
  return `${rates.join('; ')} (${known.by})`
}

/** A row for each scenario: ours, the other tools, and what others published of them. */
function scenariosTable(results) {
  const header = ['scenario', 'limit', ...ofOurs, 'other tools, Mbit/s', 'published, Mbit/s']
  const rows = results.map((result) => {
    const measured = rowsOf(result)
    const ours = measured.find(isThru)
    return [
      firstCell(result),
      figure(limitOf(result)?.mbit),
      ...(ours ? rowCells(ours).slice(1, -2) : ofOurs.map(() => '')),
      measured
        .filter((row) => !isThru(row))
        .map(otherTool)
        .join('; '),
      publishedCell(result.scenario),
    ]
  })
  return ruled(header, rows)
}

const unitOf = { mbit: 'Mbit/s', seconds: 's' }

/** A line of a growth at all points, by its name. */
const along = (name, cells) => `${name} ${cells.map((cell) => cell || '-').join(', ')}`

/** One line with the figures that other projects published for a growth. */
function publishedGrowth(scenario, words) {
  const known = publishedGrowths[scenario]
  if (!known) return ''
  const { by, mbit, points } = known
  const rates = Object.entries(mbit).map(([name, all]) =>
    along(
      name,
      all.map((rate) => figure(rate)),
    ),
  )
  return `at ${points.map(words).join(', ')}: ${rates.join('; ')} (${by})`
}

/** A row for each growth: its lines at all points, the memory of ours, and what others published. */
function growthsTable(results) {
  const header = ['growth', 'at', 'measured', 'peak MiB, first to last', 'published, Mbit/s']
  const rows = results.map((result) => {
    const { scenario, axis, shows, lines, points } = result
    const { words } = axes[axis]
    const cellsOf = ({ name }, cell) => points.map((point) => cell(rowAt(point, name)))
    const peaks = lines
      .filter(({ isOurs }) => isOurs)
      .map((line) => {
        const known = cellsOf(line, peakCell).filter(Boolean)
        return `${line.name} ${known[0]} to ${known.at(-1)}`
      })
    const measured = lines.map((line) =>
      along(
        line.name,
        cellsOf(line, (row) => shownCell(row, shows)),
      ),
    )
    return [
      firstCell(result),
      points.map(({ x }) => words(x)).join(', '),
      `${unitOf[shows]}: ${measured.join('; ')}`,
      peaks.join('; '),
      publishedGrowth(scenario, words),
    ]
  })
  return ruled(header, rows)
}

const tables = {
  [resultFormat]: scenariosTable,
  [growthFormat]: growthsTable,
  [partsFormat]: (results) => results.map(partsSentence).join('\n\n'),
}

/** The commit, date and computer of a measurement. */
function factsOf(results) {
  const measured = results.map((result) =>
    [
      `${result.scenario} by ${result.commit}, ${result.date.slice(0, 10)}, ${describeLoads(result)}`,
      ...busySentences(result),
    ].join('. '),
  )
  const hosts = new Set(results.map(({ host }) => describeHost(host)))
  return `Measured: ${measured.join('; ')}. Computers: ${[...hosts].join('; ')}.`
}

/** The text of a section about the results of these names; `find` returns a published one. */
export function section(names, find) {
  const results = names.map(find).filter(Boolean)
  const shown = Object.entries(tables).flatMap(([format, table]) => {
    const some = results.filter((result) => String(result.format) === format)
    return some.length > 0 ? [table(some)] : []
  })
  const missing = names.filter((name) => !find(name))
  return [
    ...shown,
    ...(results.length > 0 ? [factsOf(results)] : []),
    ...missing.map((name) => `Not measured yet: \`npm run bench -- ${name}\`.`),
  ].join('\n\n')
}

/** Links to the plots of these names that are published. */
const pictures = (names, find, folder) =>
  names
    .filter((name) => find(name))
    .map((name) => `![${find(name).what}](${folder}/${name}.svg)`)
    .join('\n')

const kinds = { results: section, plot: pictures }
const marked = /(<!-- (results|plot) of ([\w-]+(?:, [\w-]+)*): generated -->\n)[^]*?(<!-- end -->)/g

/** The names of the results that a document shows, and of those whose plots it shows. */
export function shownIn(text) {
  const of = (wanted) =>
    [...text.matchAll(marked)].flatMap(([, , kind, names]) =>
      kind === wanted ? names.split(', ') : [],
    )
  return { results: of('results'), plots: of('plot') }
}

/** A document with its sections written anew; `find` has the published results by name, `folder` is the way to them. */
export const filled = (text, find, folder) =>
  text.replaceAll(marked, (_, begin, kind, names, end) => {
    const content = kinds[kind](names.split(', '), find, folder)
    return `${begin}${content && `\n${content}\n\n`}${end}`
  })
