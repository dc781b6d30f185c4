// Silences of a line, from how many bytes an interface had received at which times.
import { readFileSync } from 'node:fs'

/** Below so many bytes a second nothing but signs of life and handshakes arrives. */
const minRate = 250_000

/** Bytes that `e0` has received where a process is; none before it is there, and after its end. */
export function receivedAt(pid) {
  try {
    return Number(/^\s*e0:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/net/dev`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/**
 * The longest time without data from `fromMs` on, up to the last sample.
 * @param {{ atMs: number, bytes: number }[]} samples In order.
 * @param {number} fromMs
 * @returns {number} Milliseconds.
 */
export function longestSilence(samples, fromMs) {
  let longest = 0
  let heardAtMs = fromMs
  for (const [index, { atMs, bytes }] of samples.entries()) {
    const before = samples[index - 1]
    if (!before || atMs <= fromMs) continue
    longest = Math.max(longest, before.atMs - heardAtMs)
    if ((bytes - before.bytes) / (atMs - before.atMs) >= minRate / 1000) heardAtMs = atMs
  }
  return longest
}
