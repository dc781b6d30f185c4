/**
 * Ends of sockets that the store hasn't recorded. They are kept while the store is unavailable. Once it is
 * back, joiners then don't wait for a departed host, and limits don't count it.
 */
import type { ConnectionId } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'

/** The pending closes of one node, at most one per seated socket when the store failed. */
export class PendingCloses {
  readonly #owed = new Map<ConnectionId, () => Promise<unknown>>()
  #isSettling = false

  /** Runs a close now, or later if the store is unavailable. */
  async run(who: ConnectionId, close: () => Promise<unknown>): Promise<void> {
    try {
      await close()
    } catch (reason) {
      if (!(reason instanceof StoreError)) throw reason
      this.#owed.set(who, close)
    }
  }

  /** Runs pending closes until the store fails again. Call it from time to time. */
  async settle(): Promise<void> {
    if (this.#isSettling) return
    this.#isSettling = true
    try {
      for (const [who, close] of this.#owed) {
        await close()
        this.#owed.delete(who)
      }
    } catch (reason) {
      if (!(reason instanceof StoreError)) throw reason
    } finally {
      this.#isSettling = false
    }
  }

  /** The number of pending closes. */
  get owed(): number {
    return this.#owed.size
  }
}
