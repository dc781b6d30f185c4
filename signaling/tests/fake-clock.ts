import type { Clock } from '#signaling/clock'

/** A clock that a test advances. */
export class FakeClock implements Clock {
  #now = 1_700_000_000_000
  #timers: { readonly at: number; readonly run: () => void }[] = []

  now(): number {
    return this.#now
  }

  wallTime(): number {
    return this.#now
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Runs the timers due within `ms`, each at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#timers = this.#timers.filter((timer) => timer !== due)
      this.#now = due.at
      due.run()
    }
    this.#now = end
  }

  /** Timers that haven't run yet. */
  get pending(): number {
    return this.#timers.length
  }
}
