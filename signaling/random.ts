import { randomBytes, randomInt } from 'node:crypto'

/** Where the server's random values come from; tests put their own in its place. */
export interface Random {
  /** `count` bytes that nobody can predict. */
  bytes(count: number): Buffer
  /** A whole number from `from` up to, not including, `below`. */
  between(from: number, below: number): number
}

/** The system's cryptographic generator. */
export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  between: (from, below) => randomInt(from, below),
}
