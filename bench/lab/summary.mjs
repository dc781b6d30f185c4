// Summarizes the runs of a scenario: the limit, each tool's spread, and its share of the limit.
import { median } from '../lib/rounds.mjs'
import { payloadLimit } from './path.mjs'

/** Returns least, median and most; undefined for an empty list. */
export const spreadOf = (values) =>
  values.length === 0
    ? undefined
    : { least: Math.min(...values), median: median(values), most: Math.max(...values) }

/** True if two spreads don't overlap. */
export const isApart = (a, b) => a.most < b.least || b.most < a.least

/** Compares two rates. A difference within either spread isn't significant. */
export function verdictOf(before, after) {
  if (!isApart(before, after)) return 'within spread'
  return after.median > before.median ? 'faster' : 'slower'
}

/** Tools that do the minimal work: for many files, and for a disk. */
const plainest = ['tar', 'dd']

/**
 * The highest possible payload rate in Mbit/s: that of full packets at the path's rate. Without a rate it is that of
 * tar or dd in the same run, or else the faster of the raw transfers.
 */
export function limitOf({ path, raw, tools }) {
  const payload = path && payloadLimit(path)
  if (payload) return { mbit: payload / 1e6, of: `payload of ${path.rate} Mbit/s` }
  const plain = tools?.find(({ name }) => plainest.includes(name))
  const runs = plain?.runs.filter(({ error }) => !error) ?? []
  if (runs.length > 0)
    return { mbit: median(runs.map(({ mbit }) => mbit)), of: `${plain.name} in the same run` }
  const medians = Object.entries(raw).flatMap(([kind, values]) =>
    values.length > 0 ? [{ mbit: median(values), of: `raw ${kind.toUpperCase()}` }] : [],
  )
  return medians.sort((a, b) => b.mbit - a.mbit)[0]
}

/** Raw UDP below this share of a path was slowed down by the computer, and so was everything else. */
const undisturbed = 0.95

/** Returns raw UDP's lowest share of its path in any round, if it shows that the computer was too busy. */
export function disturbanceOf({ path, raw }) {
  const payload = path && payloadLimit(path)
  if (!payload || raw.udp.length === 0) return undefined
  const part = Math.min(...raw.udp) / (payload / 1e6) / (1 - (path.loss ?? 0) / 100)
  return part < undisturbed ? part : undefined
}

/** Returns a row for each tool, the fastest first and those that never finished last. */
export function rowsOf(result) {
  const limit = limitOf(result)
  const rows = result.tools.map(({ name, total = result.total, runs }) => {
    const whole = runs.filter(({ error }) => !error)
    const part = runs.find(({ error }) => error)
    const of = (pick) => spreadOf(whole.map(pick).filter((value) => value !== undefined))
    const mbit = of((run) => run.mbit)
    return {
      name,
      runs: runs.length,
      whole: whole.length,
      seconds: of((run) => run.seconds),
      mbit,
      share: mbit && limit && mbit.median / limit.mbit,
      cpu: { sender: of((run) => run.cpu.sender), receiver: of((run) => run.cpu.receiver) },
      peak: { sender: of((run) => run.peak.sender), receiver: of((run) => run.peak.receiver) },
      error: part?.error,
      partial: part?.arrived === undefined ? undefined : part.arrived / total,
      partialMbit: part?.mbit,
    }
  })
  return rows.sort((a, b) => (b.mbit?.median ?? -1) - (a.mbit?.median ?? -1))
}
