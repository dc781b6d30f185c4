/**
 * Searches for a silent sender over another route while the connection stays open: by a new link with
 * the resume key. The first one to respond continues; the other one is dropped.
 */
import type { EngineEvent } from '#client/engine'
import type { SenderLink } from '#client/session/receive/sender-link'
import type { SessionContext } from '#client/session/session-context'
import { reconnectDelayMs } from '#client/signaling/signaling-client'

type Connected = Extract<EngineEvent, { readonly type: 'connected' }>

/** Dependencies of `ParallelReconnect`. */
export type ParallelReconnectOptions = {
  readonly context: Pick<SessionContext, 'clock' | 'random'>
  /** Makes a new, unstarted link, whose events and failure are passed to this object; `null` if impossible. */
  readonly open: () => SenderLink | null
  /** The sender responds on the link, which the caller owns afterwards. */
  readonly onConnected: (link: SenderLink, event: Connected) => void
}

/** Keeps at most one link at a time, with increasing pauses between them. */
export class ParallelReconnect {
  readonly #options: ParallelReconnectOptions
  #link: SenderLink | null = null
  #isRunning = false
  #failures = 0
  /** Ends the pause before the next link; `false` if there is none. */
  #endPause: () => boolean = () => false

  constructor(options: ParallelReconnectOptions) {
    this.#options = options
  }

  /** True from `start` until the sender is found, or `stop`. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Searches until the sender is found, or until `stop`. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#begin()
  }

  /** Ends the search and its link. */
  stop(): void {
    this.#isRunning = false
    this.#failures = 0
    this.#endPause()
    void this.#link?.end(0)
    this.#link = null
  }

  /** Call it when the computer wakes up or changes networks. */
  onWake(): void {
    if (this.#endPause()) this.#begin()
    else this.#link?.onWake()
  }

  /** Handles an event of the searching link. */
  onEvent(event: EngineEvent): void {
    const link = this.#link
    if (link === null || event.type !== 'connected') return
    this.#link = null
    this.stop()
    this.#options.onConnected(link, event)
  }

  /** Handles the failure of the searching link. */
  onFailed(): void {
    this.#link = null
    if (!this.#isRunning) return
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
