import { randomBytes, randomInt } from 'node:crypto'

/** Where the server's random values come from; tests put their own in its place. */
export interface Random {
  /** `count` bytes that nobody can predict. */
  bytes(count: number): Buffer
  /** A whole number from `from` up to, not including, `below`. */
  between(from: number, below: number): number
}

/** Bytes that are drawn at once: a socket needs some dozens, and a look at the system costs as much as all of them. */
const drawnAtOnce = 4096
let drawn = Buffer.alloc(0)

/** The system's cryptographic generator. */
export const systemRandom: Random = {
  bytes: (count) => {
    if (count > drawnAtOnce) return randomBytes(count)
    if (drawn.length < count) drawn = randomBytes(drawnAtOnce)
    const bytes = Buffer.from(drawn.subarray(0, count))
    // What was given out is a secret of who got it.
    drawn.fill(0, 0, count)
    drawn = drawn.subarray(count)
    return bytes
  },
  between: (from, below) => randomInt(from, below),
}
