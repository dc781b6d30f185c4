/** What the page shall show because of something outside of it, kept until the page asks. */
import type { PageRequest } from '#shared/ipc'

/** More have piled up behind a page that hangs; the oldest are nobody's wish any more. */
const maxWaiting = 20

export class PageRequests {
  readonly #arrived: () => void
  #waiting: readonly PageRequest[] = []

  /** `arrived` is called when there is something to take. */
  constructor(arrived: () => void) {
    this.#arrived = arrived
  }

  push(request: PageRequest): void {
    this.#waiting = [...this.#waiting, request].slice(-maxWaiting)
    this.#arrived()
  }

  /** All that wait, once. */
  take(): readonly PageRequest[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }
}
