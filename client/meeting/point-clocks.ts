/** The time by the clocks of public meeting points, which refuse events of a wrong time. */

/** A smaller difference is ignored; relays refuse older events. */
const clockErrorMs = 30_000

/** A difference of more than 50 years is ignored: it is no clock, and dates have a limit. */
const maxClockErrorMs = 50 * 365 * 24 * 3600 * 1000

/** The differences between points' clocks and this computer's, for all sockets of one share, join or listener. */
export class PointClocks {
  readonly #ahead = new Map<string, number>()

  /** Notes a point's difference; returns true if `aheadMs` has changed. */
  note(url: string, differenceMs: number): boolean {
    if (Math.abs(differenceMs) > maxClockErrorMs) return false
    const before = this.aheadMs
    this.#ahead.set(url, differenceMs)
    return this.aheadMs !== before
  }

  /** The median of the differences, so that one wrong clock of three has no effect; of two, the smaller one counts. */
  get aheadMs(): number {
    const sorted = [...this.#ahead.values()].sort((a, b) => a - b)
    const [low = 0, high = 0] = [
      sorted[Math.floor((sorted.length - 1) / 2)],
      sorted[Math.floor(sorted.length / 2)],
    ]
    const median = Math.abs(low) < Math.abs(high) ? low : high
    return Math.abs(median) < clockErrorMs ? 0 : median
  }
}
