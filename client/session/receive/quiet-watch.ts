/**
 * Notices that nothing comes while somebody waits: before there is an offer the engine measures no
 * progress, and a connection whose other end is alive stays up however long that says nothing.
 */
import type { Clock } from '#client/clock'
import type { StallReason } from '#shared/state/app-state'

/** Above what two computers in good networks need for any step of connecting. */
const quietMs = 10_000

/** Whose waiting is watched. */
export type QuietWatchOptions = {
  readonly clock: Clock
  /** Nothing came for 10 s, and why that may be; `none`: something did after all. */
  readonly report: (reason: StallReason) => void
}

/** Silent until `expect`. */
export class QuietWatch {
  readonly #options: QuietWatchOptions
  #cancel: () => void = () => undefined
  #reported: StallReason = 'none'

  constructor(options: QuietWatchOptions) {
    this.#options = options
  }

  /**
   * Something came, or was begun. `reason` is why the next thing may not come; without it for
   * `end.afterMs` in all `end.run` is called.
   */
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

  /** Reports at once why nothing comes. */
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
