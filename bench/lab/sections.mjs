// What documents show of published results: sections between two marks, which are written anew from the JSON files, so that
// no figure is typed by hand.
import { figure } from './figure.mjs'
import { axes } from './growth/growths.mjs'
import { growthFormat, overview } from './growth/page.mjs'
import { describePartLoads, partsFormat, partsTable } from './parts.mjs'
import { published, publishedGrowths } from './published.mjs'
import { limitOf, rowsOf } from './summary.mjs'
import {
  busySentences,
  describeHost,
  describeLoads,
  markdownTable,
  rowCells,
  tableHeader,
} from './table.mjs'

const ratio = 'thru to it'
const elsewhere = 'published, Mbit/s'

/** How many times the rate of `row` ours has. */
function timesAsFast(ours, row) {
  const rate = ({ mbit, partialMbit }) => mbit?.median ?? partialMbit
  if (!ours || row === ours || !rate(ours) || !rate(row)) return ''
  return figure(rate(ours) / rate(row))
}

/** The table of a scenario, with what others published beside it. */
function scenarioTable(result) {
  const rates = published[result.scenario]?.mbit ?? {}
  const measured = rowsOf(result)
  const ours = measured.find(({ name }) => name === 'thru')
  const rows = measured.map((row) => ({
    ...Object.fromEntries(rowCells(row).map((cell, column) => [tableHeader[column], cell])),
    [ratio]: timesAsFast(ours, row),
    [elsewhere]: figure(rates[row.name]),
  }))
  const others = Object.entries(rates)
    .filter(([name]) => !measured.some((row) => row.name === name))
    .map(([name, rate]) => ({ tool: name, [elsewhere]: figure(rate) }))
  const [note, ...before] = [...tableHeader].reverse()
  const header = [
    ...before.reverse(),
    ratio,
    ...(published[result.scenario] ? [elsewhere] : []),
    note,
  ]
  return markdownTable(
    header,
    [...rows, ...others].map((row) => header.map((column) => row[column] ?? '')),
  )
}

/** What others published of a growth, in the same unit. */
function publishedTable({ axis }, { points, mbit }) {
  const { title, words } = axes[axis]
  return markdownTable(
    [`${title}, published`, ...Object.keys(mbit).map((name) => `${name}, Mbit/s`)],
    points.map((x, index) => [
      words(x),
      ...Object.values(mbit).map((rates) => figure(rates[index])),
    ]),
  )
}

function factsOf(result) {
  const limit = result.format === growthFormat ? undefined : limitOf(result)
  return [
    limit && `Limit: ${figure(limit.mbit)} Mbit/s, ${limit.of}.`,
    `Commit ${result.commit}, ${result.date.slice(0, 10)}; ${describeHost(result.host)}; ${describeLoads(result)}.`,
    ...busySentences(result),
  ]
    .filter(Boolean)
    .join(' ')
}

const sectionOfParts = (command, result, folder) =>
  [
    `${command}: ${result.what}.`,
    '',
    partsTable(result),
    '',
    `Commit ${result.commit}, ${result.date.slice(0, 10)}; ${describeHost(result.host)}; ${describePartLoads(result)}. ` +
      `[What each does](${folder}/${result.scenario}.md).`,
  ].join('\n')

/** What a section says of a result, or of none. `folder` is the way from the document to the results. */
export function section(name, result, folder) {
  const command = `\`npm run bench -- ${name}\``
  const known = published[name] ?? publishedGrowths[name]
  const source = known ? [`Published by ${known.by}.`] : []
  if (!result) return [`Not measured yet: ${command}.`, ...source].join(' ')
  if (result.format === partsFormat) return sectionOfParts(command, result, folder)
  const isGrowth = result.format === growthFormat
  return [
    [`${command}: ${result.what}.`, ...source].join(' '),
    '',
    isGrowth ? overview(result) : scenarioTable(result),
    '',
    ...(isGrowth && known ? [publishedTable(result, known), ''] : []),
    `${factsOf(result)} [All figures](${folder}/${name}.md), [plot](${folder}/${name}.svg).`,
  ].join('\n')
}

/** What a document shows of a plot, or nothing. */
export const picture = (name, result, folder) =>
  result ? `![${result.what}](${folder}/${name}.svg)` : ''

const kinds = { results: section, plot: picture }
const marked = /(<!-- (results|plot) of ([\w-]+): generated -->\n)[^]*?(<!-- end -->)/g

/** A document with its sections written anew; `find` has the published results by name. */
export const filled = (text, find, folder) =>
  text.replaceAll(marked, (_, begin, kind, name, end) => {
    const content = kinds[kind](name, find(name), folder)
    return `${begin}${content && `\n${content}\n\n`}${end}`
  })
