/**
 * While a connected sender gives no sign of life, it is looked for by another way beside the connection: by a new
 * link, with the resume key. Whichever answers first goes on; the other one is left.
 */
import type { EngineEvent } from '#client/engine'
import type { SenderLink } from '#client/session/receive/sender-link'
import type { SessionContext } from '#client/session/session-context'
import { reconnectDelayMs } from '#client/signaling/signaling-client'

type Connected = Extract<EngineEvent, { readonly type: 'connected' }>

/** What becomes of a link that looks for the sender. */
export type SecondWayOptions = {
  readonly context: Pick<SessionContext, 'clock' | 'random'>
  /** A new link, not started, whose events and failure come here; `null` when there can be none. */
  readonly open: () => SenderLink | null
  /** The sender answers on it: from here on the link is the caller's. */
  readonly onConnected: (link: SenderLink, event: Connected) => void
}

/** At most one link at a time, each after a longer pause than the one before. */
export class SecondWay {
  readonly #options: SecondWayOptions
  #link: SenderLink | null = null
  #isLooking = false
  #failures = 0
  /** Ends the pause before the next link, if there is one: `false` otherwise. */
  #endPause: () => boolean = () => false

  constructor(options: SecondWayOptions) {
    this.#options = options
  }

  /** True from `look` until the sender is found, or `stop`. */
  get isLooking(): boolean {
    return this.#isLooking
  }

  /** Until it is found, or `stop`. */
  look(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    this.#begin()
  }

  /** Ends the link that looks, if there is one. */
  stop(): void {
    this.#isLooking = false
    this.#failures = 0
    this.#endPause()
    void this.#link?.end(0)
    this.#link = null
  }

  /** The computer woke up, or moved to another network. */
  noticeWake(): void {
    if (this.#endPause()) this.#begin()
    else this.#link?.noticeWake()
  }

  /** Of the link that looks. */
  onEvent(event: EngineEvent): void {
    const link = this.#link
    if (link === null || event.type !== 'connected') return
    this.#link = null
    this.stop()
    this.#options.onConnected(link, event)
  }

  /** The link that looked has failed. */
  onFailed(): void {
    this.#link = null
    if (!this.#isLooking) return
    this.#failures += 1
    const { clock, random } = this.#options.context
    const delayMs = reconnectDelayMs(this.#failures, random)
    const cancel = clock.after(delayMs, () => {
      this.#endPause = () => false
      this.#begin()
    })
    this.#endPause = () => {
      cancel()
      this.#endPause = () => false
      return true
    }
  }

  #begin(): void {
    this.#link = this.#options.open()
    this.#link?.start()
  }
}
