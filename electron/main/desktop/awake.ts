/** Keeps the computer from going to sleep while bytes move. Its screen may turn off. */
import type { PowerSaveBlocker } from 'electron'

/** Holds one request at the system, or none. */
export class Awake {
  readonly #blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>
  #request: number | null = null

  constructor(blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>) {
    this.#blocker = blocker
  }

  /** Asks the system to stay awake, or no longer. */
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
