import type { WebLimits } from '#shared/signaling/messages'

/** Permits attempts of one transfer to leave the server for a direct stream: not the next one after such a stream was lost. */
export class DirectPermit {
  #limits: WebLimits | null = null
  #isLost = false

  /** The server's limits, if it told any. */
  get limits(): WebLimits | null {
    return this.#limits
  }

  /** The server told its limits. */
  learn(limits: WebLimits | null): void {
    this.#limits = limits
  }

  /** The direct stream was lost. */
  lose(): void {
    this.#isLost = true
  }

  /** Begins an attempt; false if it must stay at the server, which can carry the `missing` bytes. */
  take(missing: number): boolean {
    const isBeyondServer = this.#limits !== null && missing > this.#limits.bytes
    const isPermitted = !this.#isLost || isBeyondServer
    this.#isLost = false
    return isPermitted
  }
}
