/** How many messages one socket may send. */
import { messageAllowance } from '#shared/signaling/messages'
import { type Bucket, fullBucket, type Rate, takeToken } from '#signaling/limits/rate-limiter'

/** What is left of it; the rate may be another one each time. */
export class MessageAllowance {
  #bucket: Bucket

  constructor(rate: Rate, now: number) {
    this.#bucket = fullBucket(rate, now)
  }

  /** False when there is none left. */
  take(rate: Rate, now: number): boolean {
    const bucket = takeToken(this.#bucket, rate, now)
    if (bucket !== null) this.#bucket = bucket
    return bucket !== null
  }

  /** A new receiver is a pairing's worth of messages more. */
  addPairing({ burst }: Rate): void {
    const tokens = Math.min(this.#bucket.tokens + burst, burst * messageAllowance.savedBursts)
    this.#bucket = { ...this.#bucket, tokens }
  }
}
