/**
 * What sockets that ended still have to tell the store: that they are gone. While the store is away it is
 * kept, so that nobody waits for a host that left, or counts it, once the store is back.
 */
import type { ConnectionId } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'

/** The pending closes of one node; as many as it had sockets with a place when the store went away. */
export class PendingCloses {
  readonly #owed = new Map<ConnectionId, () => Promise<unknown>>()
  #isSettling = false

  /** Runs one now, or later if the store is away. */
  async run(who: ConnectionId, close: () => Promise<unknown>): Promise<void> {
    try {
      await close()
    } catch (reason) {
      if (!(reason instanceof StoreError)) throw reason
      this.#owed.set(who, close)
    }
  }

  /** Runs what is owed, until the store fails again. To be called now and then. */
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

  /** How many are owed. */
  get owed(): number {
    return this.#owed.size
  }
}
