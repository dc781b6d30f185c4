import { randomBytes, randomInt } from 'node:crypto'

/** The source of the server's random values; tests replace it. */
export interface Random {
  /** Returns `count` unpredictable bytes. */
  bytes(count: number): Buffer
  /** Returns a whole number from `from` up to, but not including, `below`. */
  between(from: number, below: number): number
}

/** Bytes drawn per call: a socket needs a few dozen, and a system call costs as much for all of them. */
const drawnAtOnce = 4096
let drawn = Buffer.alloc(0)

/** The system's cryptographic generator. */
export const systemRandom: Random = {
  bytes: (count) => {
    if (count > drawnAtOnce) return randomBytes(count)
    if (drawn.length < count) drawn = randomBytes(drawnAtOnce)
    const bytes = Buffer.from(drawn.subarray(0, count))
    // Bytes that were returned are their receiver's secret.
    drawn.fill(0, 0, count)
    drawn = drawn.subarray(count)
    return bytes
  },
  between: (from, below) => randomInt(from, below),
}
