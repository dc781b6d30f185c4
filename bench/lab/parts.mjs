// Turns runs of the engine's parts into rates next to the machine's limits: a page, or a comparison of two results.
import { median } from '../lib/rounds.mjs'
import { figure } from './figure.mjs'
import { spreadOf, verdictOf } from './summary.mjs'
import { describeHost, describeLoads, markdownTable, percent } from './table.mjs'

/** Incremented when files of older versions can't be read the same way. */
export const partsFormat = 'parts 1'

const scales = [
  { least: 1e9, letter: 'G' },
  { least: 1e6, letter: 'M' },
  { least: 1e3, letter: 'k' },
  { least: 0, letter: '' },
]

/** Formats least, median and most in one unit, such as "2.27 GB/s" or "1.2 M entries/s". */
function inUnit({ least, median: middle, most }, unit) {
  const { least: whole, letter } = scales.find((scale) => middle >= scale.least)
  const [low, mid, high] = [least, middle, most].map((rate) => figure(rate / (whole || 1)))
  const words = unit === 'B' ? `${letter}B/s` : `${letter} ${unit}/s`.trim()
  return { median: `${mid} ${words}`, range: `${low} to ${high}` }
}

/** Returns the rates of a part and of its limit, and the median share of the limit over paired runs. */
export function rateOf({ amount, runs, limits }) {
  const rates = (all) => spreadOf(all.map(({ seconds }) => amount / seconds))
  return {
    rate: rates(runs),
    limit: rates(limits),
    cpu: spreadOf(runs.map(({ cpu }) => cpu)),
    share: median(runs.map(({ seconds }, index) => limits[index].seconds / seconds)),
  }
}

function cells(part) {
  const { rate, limit, cpu, share } = rateOf(part)
  const shown = inUnit(rate, part.unit)
  return [
    part.name,
    shown.median,
    shown.range,
    figure(cpu.median),
    inUnit(limit, part.unit).median,
    percent(share),
  ]
}

/** Describes a part on one line. */
export function describePart(part) {
  const [name, rate, , , limit, share] = cells(part)
  return `  ${name.padEnd(16)} ${rate}, ${share} of ${limit}`
}

const partsTable = ({ parts }) =>
  markdownTable(['part', 'median', 'least to most', 'CPU s', 'limit', 'of limit'], parts.map(cells))

/** Returns the page of one result. */
export function partsPage(result) {
  const runs = result.parts[0]?.runs.length ?? 0
  const what = ({ name, what, unit, limit, amount }) =>
    `- ${name}: ${what}, ${amount}${unit === 'B' ? ' bytes' : ` ${unit}`}; limit: ${limit}.`
  return [
    `# ${result.scenario}`,
    '',
    partsTable(result),
    '',
    `- Commit ${result.commit}, ${result.date}; ${describeLoads(result)}.`,
    `- ${describeHost(result.host)}; files in ${result.inMemory ? 'memory' : 'a folder on a disk'}.`,
    `- Runs of each part, alternating with its limit: ${runs}. CPU is that of all threads in one run.`,
    ...result.parts.map(what),
    '',
  ].join('\n')
}

/** Compares two results, with their spread. */
export function comparisonOfParts(a, b) {
  const names = [...new Set([...a.parts, ...b.parts].map(({ name }) => name))]
  const row = (name) => {
    const [before, after] = [a, b].map(({ parts }) => parts.find((part) => part.name === name))
    const [was, is] = [before, after].map((part) => part && rateOf(part))
    const shown = (part, rates) => {
      if (!part) return 'not measured'
      const { median: middle, range } = inUnit(rates.rate, part.unit)
      return `${middle} (${range})`
    }
    const isComparable = before && after && before.amount === after.amount
    return [
      name,
      shown(before, was),
      percent(was?.share),
      shown(after, is),
      percent(is?.share),
      isComparable ? figure(is.rate.median / was.rate.median) : '',
      isComparable ? verdictOf(was.rate, is.rate) : before && after ? 'different amounts' : '',
    ]
  }
  const header = ['part', a.commit, 'of limit', b.commit, 'of limit', 'ratio', '']
  return { header, rows: names.map(row) }
}
