#!/usr/bin/env node
// compare.mjs A B: compares two saved results of a scenario. A difference within either spread isn't significant.
import { Failure, isMain, runMain } from '../../scripts/lib/failure.mjs'
import { figure } from './figure.mjs'
import { comparisonOfParts, partsFormat } from './parts.mjs'
import { readResult, resultFormat } from './results.mjs'
import { limitOf, rowsOf, verdictOf } from './summary.mjs'
import { markdownTable } from './table.mjs'

const spread = ({ least, median, most }) =>
  `${figure(median)} (${figure(least)} to ${figure(most)})`

function cells(name, a, b, isShare) {
  const one = (row) => (row?.mbit ? spread(row.mbit) : (row?.error ?? 'not measured'))
  const ratio = a?.mbit && b?.mbit ? b.mbit.median / a.mbit.median : undefined
  const share = (row) => (isShare && row?.share !== undefined ? `${figure(row.share * 100)}%` : '')
  const verdict = ratio === undefined ? '' : verdictOf(a.mbit, b.mbit)
  return [
    name,
    one(a),
    share(a),
    one(b),
    share(b),
    ratio === undefined ? '' : figure(ratio),
    verdict,
  ]
}

function comparisonOfTools(a, b) {
  if (a.total !== b.total || a.files !== b.files)
    throw new Failure(`${a.scenario} and ${b.scenario} sent different files and can't be compared.`)
  const pathOf = ({ path, nat }) => JSON.stringify([path, nat])
  if (pathOf(a) !== pathOf(b))
    throw new Failure("The two results used different paths and can't be compared.")
  const [before, after] = [rowsOf(a), rowsOf(b)]
  const names = [...new Set([...before, ...after].map(({ name }) => name))]
  const of = (rows, name) => rows.find((row) => row.name === name)
  const isLimited = limitOf(a) !== undefined && limitOf(b) !== undefined
  const header = [
    'tool',
    `${a.commit}: Mbit/s`,
    'of limit',
    `${b.commit}: Mbit/s`,
    'of limit',
    'ratio',
    '',
  ]
  return {
    header,
    rows: names.map((name) => cells(name, of(before, name), of(after, name), isLimited)),
  }
}

const comparisons = { [resultFormat]: comparisonOfTools, [partsFormat]: comparisonOfParts }

/** Returns the comparison as a Markdown table, followed by notes about differing conditions. */
export function comparison(a, b) {
  if (a.scenario !== b.scenario)
    throw new Failure(
      `${a.scenario} and ${b.scenario} are different scenarios and can't be compared.`,
    )
  const { header, rows } = comparisons[a.format](a, b)
  const loads = [a, b].map(({ tools, parts = tools }) =>
    Math.max(0, ...parts.flatMap(({ runs }) => runs.map(({ load }) => load))),
  )
  const notes = [
    JSON.stringify(a.host) !== JSON.stringify(b.host) &&
      'They were measured on different computers.',
    a.inMemory !== b.inMemory && 'Only one of them kept its files in memory.',
    a.tcp !== b.tcp && `TCP's congestion control was ${a.tcp}, then ${b.tcp}.`,
    `Load average up to ${figure(loads[0])}, then up to ${figure(loads[1])}.`,
  ]
  return [
    `# ${a.scenario}`,
    '',
    markdownTable(header, rows),
    '',
    ...notes.filter(Boolean),
    '',
  ].join('\n')
}

async function main(names) {
  if (names.length !== 2) throw new Failure('Name two results, such as wan-0123abcd wan-4567cdef.')
  const [a, b] = names.map((name) => readResult(name))
  console.log(comparison(a, b))
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
