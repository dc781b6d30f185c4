/**
 * Keeps a socket within the server's `messageAllowance`: messages beyond it are sent a moment later,
 * in order. A server closes sockets that exceed it.
 */
import type { Clock } from '#client/clock'
import { messageAllowance } from '#shared/signaling/messages'

/** Below the server's own figures, because its clock and ours do not tick alike. */
const burst = messageAllowance.burst * 0.9
const perMs = (messageAllowance.perSecond * 0.9) / 1000

/** Messages that wait; one pairing needs a few dozen. More than these are dropped. */
const maxWaiting = 1000

/** One socket's share. */
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

  /** Sends `message` now or as soon as it may go. */
  push(message: Message): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(message)
    this.#flush()
  }

  /** The server allows one more burst, as it does for each new receiver. */
  grant(): void {
    this.#refill()
    this.#tokens = Math.min(this.#tokens + burst, burst * messageAllowance.savedBursts)
    this.#flush()
  }

  /** Forgets what still waits. */
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
