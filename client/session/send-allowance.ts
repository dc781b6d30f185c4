/**
 * Keeps a socket within the server's `messageAllowance` by delaying excess messages, in order. A server closes sockets
 * that exceed it.
 */
import type { Clock } from '#client/clock'
import { messageAllowance } from '#shared/signaling/messages'

/** Below the server's own limits, because its clock and ours differ. */
const burst = messageAllowance.burst * 0.9
const perMs = (messageAllowance.perSecond * 0.9) / 1000

/** Limits the waiting messages; later ones are dropped. One pairing needs a few dozen. */
const maxWaiting = 1000

/** Each socket has one. */
export class SendAllowance<Message> {
  readonly #clock: Clock
  readonly #send: (message: Message) => void
  readonly #waiting: Message[] = []
  #tokens = burst
  #countedAtMs: number
  #cancelTimer: (() => void) | null = null

  constructor(clock: Clock, send: (message: Message) => void) {
    this.#clock = clock
    this.#send = send
    this.#countedAtMs = clock.now()
  }

  /** Sends `message` now or once the allowance permits. */
  push(message: Message): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(message)
    this.#flush()
  }

  /** Adds a burst, which the server allows for each new receiver. */
  grant(): void {
    this.#refill()
    this.#tokens = Math.min(this.#tokens + burst, burst * messageAllowance.savedBursts)
    this.#flush()
  }

  /** Drops waiting messages. */
  stop(): void {
    this.#waiting.length = 0
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #flush(): void {
    this.#refill()
    while (this.#tokens >= 1) {
      const message = this.#waiting.shift()
      if (message === undefined) return
      this.#tokens -= 1
      this.#send(message)
    }
    if (this.#waiting.length === 0 || this.#cancelTimer !== null) return
    this.#cancelTimer = this.#clock.after(Math.ceil((1 - this.#tokens) / perMs), () => {
      this.#cancelTimer = null
      this.#flush()
    })
  }

  #refill(): void {
    const nowMs = this.#clock.now()
    const gained = Math.max(0, nowMs - this.#countedAtMs) * perMs
    this.#countedAtMs = nowMs
    if (this.#tokens < burst) this.#tokens = Math.min(burst, this.#tokens + gained)
  }
}
