// Formats a scenario's results as a page of Markdown, which a terminal also shows.
import { MiB } from '../lib/trees.mjs'
import { figure } from './figure.mjs'
import { describePath } from './path.mjs'
import { disturbanceOf, limitOf, rowsOf, spreadOf } from './summary.mjs'

/** Fraction of packets that the emulator may deliver too late. */
const maxTardy = 0.01

const range = (spread) =>
  spread && spread.least !== spread.most ? `${figure(spread.least)} to ${figure(spread.most)}` : ''

/** Formats a fraction as a percentage; undefined becomes ''. */
export const percent = (part) => (part === undefined ? '' : `${figure(part * 100)}%`)

const both = ({ sender, receiver }, scale) =>
  sender && receiver
    ? `${figure(sender.median / scale, 2)} + ${figure(receiver.median / scale, 2)}`
    : ''

/** Peak memory of sender and receiver in MiB, if there is a row. */
const peakCell = (row) => (row ? both(row.peak, MiB) : '')

/** Formats a Markdown table with columns of even width. */
export function markdownTable(header, rows) {
  const widths = header.map((cell, column) =>
    Math.max(3, cell.length, ...rows.map((row) => row[column].length)),
  )
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  )
}

function rowCells(row) {
  const runs = row.whole === row.runs ? String(row.runs) : `${row.whole} of ${row.runs}`
  const note = row.error
    ? `${row.error}${row.partial ? `, ${percent(row.partial)} received at ${figure(row.partialMbit)} Mbit/s` : ''}`
    : ''
  return [
    row.name,
    figure(row.seconds?.median),
    range(row.seconds),
    figure(row.mbit?.median),
    percent(row.share),
    both(row.cpu, 1),
    peakCell(row),
    runs,
    note.replaceAll('|', '\\|'),
  ]
}

const tableHeader = [
  'tool',
  's',
  'least to most',
  'Mbit/s',
  'of limit',
  'CPU s',
  'peak MiB',
  'runs',
  'note',
]

function rawCells([kind, values], limit) {
  const spread = spreadOf(values)
  // The rate is far above a limit that applies to many files.
  const share = spread && spread.median < limit.mbit * 2 ? percent(spread.median / limit.mbit) : ''
  return [
    `raw ${kind.toUpperCase()}`,
    '',
    '',
    figure(spread?.median),
    share,
    '',
    '',
    String(values.length),
    '',
  ]
}

/** Other programs got only the rest of the processor time. */
const describePriority = ({ realTimePriority }) =>
  realTimePriority ? `; all programs measured ran at real-time priority ${realTimePriority}` : ''

const describeNat = (nat = {}) =>
  Object.entries(nat)
    .map(([side, kind]) => `, ${side} behind a ${kind} NAT`)
    .join('')

export function describeHost({ cpu, cores, memoryGiB, kernel }) {
  return `${cpu}, ${cores} cores, ${figure(memoryGiB)} GiB, Linux ${kernel}`
}

const runsOf = ({ parts, tools = parts }) => tools.flatMap((tool) => tool.runs)

/** Describes the load during the measurement. */
export function describeLoads(result) {
  const loads = spreadOf(runsOf(result).map(({ load }) => load))
  if (!loads) return 'nothing was measured'
  return `load average ${figure(loads.least, 2)} to ${figure(loads.most, 2)}${describePriority(result)}`
}

/** Returns a sentence for each sign that other programs kept the computer busy. */
function busySentences(result) {
  const part = disturbanceOf(result)
  const tooBusy = '**The computer was too busy for these figures**'
  return [
    part !== undefined &&
      `${tooBusy}: in one round raw UDP reached only ${percent(part)} of the path's payload rate.`,
    result.tardy > maxTardy && `${tooBusy}: the emulator had to wait for a processor.`,
  ].filter(Boolean)
}

/** Returns the facts of the measurement, one per line. `tools` are named with their versions. */
function factsOf(result, tools) {
  const loads = describeLoads(result)
  return [
    `Commit ${result.commit}, ${result.date}.`,
    `${describeHost(result.host)}; TCP's congestion control is ${result.tcp}.`,
    `${loads[0].toUpperCase()}${loads.slice(1)}.`,
    ...busySentences(result),
    result.tardy !== undefined &&
      `Packets that the emulator delivered more than 1 ms late: ${percent(result.tardy)}.`,
    ...tools.map(
      ({ name, about, version }) => `${name}: ${about}${version ? `, ${version}` : ''}.`,
    ),
    result.missing.length > 0 && `Not installed: ${result.missing.join(', ')}.`,
  ]
    .filter(Boolean)
    .map((fact) => `- ${fact}`)
}

/** Returns the page of one result. */
export function page(result) {
  const limit = limitOf(result)
  const size = result.files === 1 ? 'one file' : `${result.files} files`
  const where = result.isOnDisk
    ? 'from memory to ext4 in a file on a disk; only thru and dd sync it before they end'
    : 'files in memory'
  const rows = [
    ...rowsOf(result).map(rowCells),
    ...Object.entries(result.raw).flatMap((entry) =>
      entry[1].length > 0 ? [rawCells(entry, limit)] : [],
    ),
  ]
  const facts = [
    `- ${size}, ${result.total} bytes in total; ${describePath(result.path)}${describeNat(result.nat)}; ${where}.`,
    ...(limit ? [`- Limit: ${figure(limit.mbit)} Mbit/s, ${limit.of}.`] : []),
    ...factsOf(result, result.tools),
  ]
  return [`# ${result.scenario}`, '', markdownTable(tableHeader, rows), '', ...facts, ''].join('\n')
}
