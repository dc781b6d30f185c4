/** Keeps the computer awake while data is in flight. Its screen may turn off. */
import type { PowerSaveBlocker } from 'electron'

/** Holds at most one request to the system. */
export class Awake {
  readonly #blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>
  #request: number | null = null

  constructor(blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>) {
    this.#blocker = blocker
  }

  /** Requests that the system stays awake, or releases the request. */
  keep(isWanted: boolean): void {
    if (isWanted === (this.#request !== null)) return
    if (this.#request === null) {
      this.#request = this.#blocker.start('prevent-app-suspension')
    } else {
      this.#blocker.stop(this.#request)
      this.#request = null
    }
  }
}
