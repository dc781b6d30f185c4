import type { Clock } from '#client/clock'

/** A clock that only a test advances. */
export class ManualClock implements Clock {
  #nowMs = 1_700_000_000_000
  #setBackMs = 0
  readonly #timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  #onTimer: (() => void)[] = []

  now(): number {
    return this.#nowMs - this.#setBackMs
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, run }
    this.#timers.add(timer)
    for (const resolve of this.#onTimer.splice(0)) resolve()
    return () => {
      this.#timers.delete(timer)
    }
  }

  /** Milliseconds until each active timer, the next one first. */
  get delays(): readonly number[] {
    return [...this.#timers].map(({ atMs }) => atMs - this.#nowMs).sort((a, b) => a - b)
  }

  /** Resolves when a timer of exactly this delay is set. */
  async untilDelay(delayMs: number): Promise<void> {
    while (!this.delays.includes(delayMs)) {
      await new Promise<void>((resolve) => this.#onTimer.push(resolve))
    }
  }

  /** Advances the time, and runs due timers in order. */
  advance(durationMs: number): void {
    const endMs = this.#nowMs + durationMs
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= endMs)
      const next = due.sort((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      this.#timers.delete(next)
      this.#nowMs = next.atMs
      next.run()
    }
    this.#nowMs = endMs
  }

  /** Sets the time of day back; timers are not affected. */
  setBack(byMs: number): void {
    this.#setBackMs += byMs
  }

  /** Advances the time as in sleep: due timers run at its end. */
  sleep(durationMs: number): void {
    this.#nowMs += durationMs
    const due = [...this.#timers].filter(({ atMs }) => atMs <= this.#nowMs)
    for (const timer of due.sort((a, b) => a.atMs - b.atMs)) {
      if (this.#timers.delete(timer)) timer.run()
    }
  }
}
