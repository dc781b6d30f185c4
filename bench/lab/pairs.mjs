// Reads pairs of routers and formats the table of their measurements.
import { Failure } from '../../scripts/lib/failure.mjs'
import { canBeDirect, routerTypes } from './nat.mjs'
import { markdownTable } from './table.mjs'

/** Parses "full-cone,symmetric open,no-udp" or "all" into pairs of the sender's and the receiver's router. */
export function readPairs(text) {
  if (text === undefined) return []
  if (text === 'all') return routerTypes.flatMap((from) => routerTypes.map((to) => [from, to]))
  return text.split(' ').map((words) => {
    const pair = words.split(',')
    if (pair.length !== 2 || !pair.every((kind) => routerTypes.includes(kind)))
      throw new Failure(`--nat takes all, or two of ${routerTypes.join(', ')}, not "${words}".`)
    return pair
  })
}

/** Returns a pair's routers in the laboratory's form, without open ones. */
export const natOf = ([sender, receiver]) =>
  Object.fromEntries(Object.entries({ sender, receiver }).filter(([, kind]) => kind !== 'open'))

/** Returns the smallest number that is at least as large as this part of the numbers. */
export const percentile = (numbers, part) =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * part) - 1]

const sum = (steps) => Object.values(steps).reduce((all, ms) => all + ms, 0)

/** Returns the routes: a single kind, or each kind with its count. */
function routesIn(runs) {
  const kinds = runs.map(({ route }) =>
    route.kind === 'relay' ? `relay (${route.transport})` : 'direct',
  )
  const names = [...new Set(kinds)].sort()
  if (names.length === 1) return names[0]
  return names.map((name) => `${name} ${kinds.filter((kind) => kind === name).length}`).join(', ')
}

const header = ['sender', 'receiver', 'possible', 'actual', 'path p50', 'p50', 'p95', 'runs']

/**
 * Returns a table with a row per pair. `runs` have the milliseconds of each step and the route, and can be empty.
 * @returns {string}
 */
export function pairsTable(results) {
  const rows = results.map(({ pair, runs, failed }) => {
    const totals = runs.map(({ ms }) => sum(ms))
    const of = (numbers, part) => (numbers.length > 0 ? String(percentile(numbers, part)) : '')
    return [
      ...pair,
      canBeDirect(...pair) ? 'direct' : 'relay',
      runs.length > 0 ? routesIn(runs) : '',
      of(
        runs.map(({ ms }) => ms.path ?? 0),
        0.5,
      ),
      of(totals, 0.5),
      of(totals, 0.95),
      failed > 0 ? `${runs.length}, ${failed} failed` : String(runs.length),
    ]
  })
  return markdownTable(header, rows)
}
