/** Requests to the page from outside, kept until the page takes them. */
import type { PageRequest } from '#shared/ipc'

/** If more requests wait, the page hangs, and the oldest are discarded. */
const maxWaiting = 20

export class PageRequests {
  readonly #arrived: () => void
  #waiting: readonly PageRequest[] = []

  /** `arrived` is called when a request can be taken. */
  constructor(arrived: () => void) {
    this.#arrived = arrived
  }

  push(request: PageRequest): void {
    this.#waiting = [...this.#waiting, request].slice(-maxWaiting)
    this.#arrived()
  }

  /** Takes all waiting requests. */
  take(): readonly PageRequest[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }
}
