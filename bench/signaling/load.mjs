// Generates load on a server and summarizes the results.
import { setTimeout as after } from 'node:timers/promises'
import { percentile } from '../lab/pairs.mjs'
import { addressOf } from './swarm-socket.mjs'

/** The number of source addresses taken so far. */
let taken = 0
export const nextAddress = () => addressOf((taken += 1))

/** Runs `work` `count` times, `width` at a time, starting none after `until`. Returns failure counts by reason. */
export async function each(count, width, work, until = Infinity) {
  const failures = {}
  let next = 0
  const worker = async () => {
    while (next < count && performance.now() < until) {
      const index = next
      next += 1
      await work(index).catch((error) => {
        failures[error.message] = (failures[error.message] ?? 0) + 1
      })
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return failures
}

export const said = (failures) =>
  Object.entries(failures)
    .map(([why, count]) => `${count} x ${why}`)
    .join(', ')

export const spread = (numbers) =>
  numbers.length === 0
    ? {}
    : {
        p50: percentile(numbers, 0.5).toFixed(1),
        p99: percentile(numbers, 0.99).toFixed(1),
        most: Math.round(Math.max(...numbers)),
      }

/** Starts pairings at an even rate, independent of earlier ones. */
export async function atRate(rate, seconds, pairing) {
  const times = []
  const failures = {}
  const running = new Set()
  const beganAt = performance.now()
  for (let begun = 0; begun < rate * seconds;) {
    const due = Math.floor(((performance.now() - beganAt) / 1000) * rate)
    for (; begun < Math.min(due, rate * seconds); begun += 1) {
      const run = pairing()
        .then((ms) => times.push(ms))
        .catch((error) => (failures[error.message] = (failures[error.message] ?? 0) + 1))
        .finally(() => running.delete(run))
      running.add(run)
    }
    await after(2)
  }
  await Promise.race([Promise.all(running), after(10_000)])
  return { times, failures, unfinished: running.size, took: (performance.now() - beganAt) / 1000 }
}
