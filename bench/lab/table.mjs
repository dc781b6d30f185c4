// The results of a scenario as a page of Markdown, which a terminal shows as well.
import { MiB } from '../lib/trees.mjs'
import { figure } from './figure.mjs'
import { describePath } from './path.mjs'
import { disturbanceOf, limitOf, rowsOf, spreadOf } from './summary.mjs'

/** Share of packets that the emulator may deliver too late. */
const maxTardy = 0.01

const range = (spread) =>
  spread && spread.least !== spread.most ? `${figure(spread.least)} to ${figure(spread.most)}` : ''

/** A part of one, or nothing where it isn't known. */
export const percent = (part) => (part === undefined ? '' : `${figure(part * 100)}%`)

const both = ({ sender, receiver }, scale) =>
  sender && receiver
    ? `${figure(sender.median / scale, 2)} + ${figure(receiver.median / scale, 2)}`
    : ''

/** MiB of sender and receiver in a row, if there is one. */
const peakCell = (row) => (row ? both(row.peak, MiB) : '')

/** Cells in columns of one width. */
export function markdownTable(header, rows) {
  const widths = header.map((cell, column) =>
    Math.max(3, cell.length, ...rows.map((row) => row[column].length)),
  )
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  )
}

/** The cells of a tool's row. */
function rowCells(row) {
  const runs = row.whole === row.runs ? String(row.runs) : `${row.whole} of ${row.runs}`
  const note = row.error
    ? `${row.error}${row.partial ? `, ${percent(row.partial)} there at ${figure(row.partialMbit)} Mbit/s` : ''}`
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
  // Far above it where the limit is that of many files.
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

/** Other programs had what these left of the processors. */
const describePriority = ({ realTimePriority }) =>
  realTimePriority
    ? `; all that was measured ran at the real-time priority ${realTimePriority}`
    : ''

const describeNat = (nat = {}) =>
  Object.entries(nat)
    .map(([side, kind]) => `, ${side} behind a ${kind} NAT`)
    .join('')

export function describeHost({ cpu, cores, memoryGiB, kernel }) {
  return `${cpu}, ${cores} cores, ${figure(memoryGiB)} GiB, Linux ${kernel}`
}

/** The runs of all tools or parts. */
const runsOf = ({ parts, tools = parts }) => tools.flatMap((tool) => tool.runs)

/** The load while it was measured, in words. */
export function describeLoads(result) {
  const loads = spreadOf(runsOf(result).map(({ load }) => load))
  if (!loads) return 'nothing was measured'
  return `load average ${figure(loads.least, 2)} to ${figure(loads.most, 2)}${describePriority(result)}`
}

/** What says that other programs kept the computer busy, a sentence for each sign of it. */
function busySentences(result) {
  const part = disturbanceOf(result)
  const tooBusy = '**The computer was too busy for these figures**'
  return [
    part !== undefined &&
      `${tooBusy}: in one round raw UDP got ${percent(part)} of what the path leaves it.`,
    result.tardy > maxTardy && `${tooBusy}: the emulator had to wait for a processor.`,
  ].filter(Boolean)
}

/** On what and by what it was measured, a line each. `tools` are named with their versions. */
function factsOf(result, tools) {
  const loads = describeLoads(result)
  return [
    `Commit ${result.commit}, ${result.date}.`,
    `${describeHost(result.host)}; TCP's control is ${result.tcp}.`,
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

/** The page of one result. */
export function page(result) {
  const limit = limitOf(result)
  const size = result.files === 1 ? 'one file' : `${result.files} files`
  const where = result.isOnDisk
    ? 'from memory to ext4 in a file on a disk, in which only thru and dd leave nothing to be written later'
    : 'files in memory'
  const rows = [
    ...rowsOf(result).map(rowCells),
    ...Object.entries(result.raw).flatMap((entry) =>
      entry[1].length > 0 ? [rawCells(entry, limit)] : [],
    ),
  ]
  const facts = [
    `- ${size}, ${result.total} bytes in all; ${describePath(result.path)}${describeNat(result.nat)}; ${where}.`,
    ...(limit ? [`- Limit: ${figure(limit.mbit)} Mbit/s, ${limit.of}.`] : []),
    ...factsOf(result, result.tools),
  ]
  return [`# ${result.scenario}`, '', markdownTable(tableHeader, rows), '', ...facts, ''].join('\n')
}
