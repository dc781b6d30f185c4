// Detects silences in samples of an interface's received bytes.
import { readFileSync } from 'node:fs'

/** Below this many bytes per second, only keep-alives and handshakes arrive. */
const minRate = 250_000

/** Bytes that `e0` has received in a process's namespace; 0 before its start and after its end. */
export function receivedAt(pid) {
  try {
    return Number(/^\s*e0:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/net/dev`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/**
 * Returns the longest time without data from `fromMs` to the last sample.
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
