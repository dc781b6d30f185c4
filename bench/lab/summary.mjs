// What is made of the runs of a scenario: the limit, each tool's spread, and its part of the limit.
import { median } from '../lib/rounds.mjs'
import { payloadLimit } from './path.mjs'

/** Least, middle and most; nothing of nothing. */
export const spreadOf = (values) =>
  values.length === 0
    ? undefined
    : { least: Math.min(...values), median: median(values), most: Math.max(...values) }

/** Whether the runs of two spreads don't overlap. */
export const isApart = (a, b) => a.most < b.least || b.most < a.least

/** What became of a rate: a difference within the spread of either is not one. */
export function verdictOf(before, after) {
  if (!isApart(before, after)) return 'within spread'
  return after.median > before.median ? 'faster' : 'slower'
}

/** Whether a tool or a line of this name is a way of ours. */
export const isOurs = (name) => name.startsWith('thru')

/** Tools that do the least that has to be done: for many files, and for a disk. */
const plainest = ['tar', 'dd']

/**
 * Mbit/s of payload that can't be exceeded: what full packets leave of the path's rate. Without one it is the rate of tar
 * or dd where that was compared, or else the better of the raw transfers of the same run.
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

/** Raw UDP that gets less of what a path leaves it was held up by the computer, and so was everything else. */
const undisturbed = 0.95

/** The least part that raw UDP had of its path in any round, when that says that the computer was too busy. */
export function disturbanceOf({ path, raw }) {
  const payload = path && payloadLimit(path)
  if (!payload || raw.udp.length === 0) return undefined
  const part = Math.min(...raw.udp) / (payload / 1e6) / (1 - (path.loss ?? 0) / 100)
  return part < undisturbed ? part : undefined
}

/** A row for each tool, the best first, those that never got everything there last. */
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
