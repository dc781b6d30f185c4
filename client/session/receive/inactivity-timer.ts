/**
 * Notices that nothing arrives while a person waits. Before an offer the engine measures no
 * progress, and a live connection stays up however long the other side is silent.
 */
import type { Clock } from '#client/clock'
import type { StallReason } from '#shared/state/app-state'

/** More than any step of connecting takes in good networks. */
const quietMs = 10_000

/**
 * Limits of the wait for an offer. A sender that scans a slow disk reports its progress; a silent one is stuck. The
 * approval may take longer than a sender's engine allows its user for an answer.
 */
export const offerMs = { silence: 5 * 60_000, approval: 11 * 60_000 } as const

/** Dependencies of `InactivityTimer`. */
export type InactivityTimerOptions = {
  readonly clock: Clock
  /** Receives the likely reason once nothing arrived for 10 s; `none` when data arrives again. */
  readonly report: (reason: StallReason) => void
}

/** Idle until `expect`. */
export class InactivityTimer {
  readonly #options: InactivityTimerOptions
  #cancel: () => void = () => undefined
  #reported: StallReason = 'none'

  constructor(options: InactivityTimerOptions) {
    this.#options = options
  }

  /** Restarts the wait, for `reason` if nothing arrives. After `end.afterMs` of silence it calls `end.run`. */
  expect(
    reason: StallReason,
    end: { readonly afterMs: number; readonly run: () => void } | null = null,
  ): void {
    this.stop()
    const { clock } = this.#options
    this.#cancel = clock.after(quietMs, () => {
      this.report(reason)
      if (end !== null) this.#cancel = clock.after(end.afterMs - quietMs, end.run)
    })
  }

  /** Waits for another attempt after no route was found, which it reports immediately. */
  expectRoute(): void {
    this.expect('network')
    this.report('no-route')
  }

  /** Reports a reason immediately. */
  report(reason: StallReason): void {
    if (this.#reported === reason) return
    this.#reported = reason
    this.#options.report(reason)
  }

  /** Stops waiting. */
  stop(): void {
    this.#cancel()
    this.report('none')
  }
}
