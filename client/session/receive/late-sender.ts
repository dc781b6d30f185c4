/** Repeated searches for a sender that may not have started yet. */
import type { Clock } from '#client/clock'
import type { AppError } from '#shared/errors'

/** Few enough for a signaling server's limit of failed joins per address. */
const everyMs = 12_000

/** Each receive has one, from its start. */
export class LateSender {
  readonly #clock: Clock
  readonly #untilMs: number
  #cancel: () => void = () => undefined

  /** `waitMs`: 0 by default. */
  constructor(clock: Clock, waitMs = 0) {
    this.#clock = clock
    this.#untilMs = clock.now() + waitMs
  }

  /** True if `search` runs again after a pause, because no share has the nameplate yet. */
  waits({ code }: AppError, search: () => void): boolean {
    if (code !== 'E_NO_SUCH_CODE' || this.#clock.now() + everyMs > this.#untilMs) return false
    this.#cancel = this.#clock.after(everyMs, search)
    return true
  }

  stop(): void {
    this.#cancel()
  }
}
