/** Limits the messages of one socket. */
import { messageAllowance } from '#shared/signaling/messages'
import { type Bucket, fullBucket, type Rate, takeToken } from '#signaling/limits/rate-limiter'

/** The remaining messages; the rate may differ at each call. */
export class MessageAllowance {
  #bucket: Bucket

  constructor(rate: Rate, now: number) {
    this.#bucket = fullBucket(rate, now)
  }

  /** False if none are left. */
  take(rate: Rate, now: number): boolean {
    const bucket = takeToken(this.#bucket, rate, now)
    if (bucket !== null) this.#bucket = bucket
    return bucket !== null
  }

  /** Adds the messages of one pairing, for a new receiver. */
  addPairing({ burst }: Rate): void {
    const tokens = Math.min(this.#bucket.tokens + burst, burst * messageAllowance.savedBursts)
    this.#bucket = { ...this.#bucket, tokens }
  }
}
