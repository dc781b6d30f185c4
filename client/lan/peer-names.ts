/** Resolves mDNS names, which hide other computers' addresses, for the engine. */
import type { Clock } from '#client/clock'
import type { NameQuestion } from '#client/engine'
import type { EngineLink, NameWatcher } from '#client/engine-link'
import type { NearNetwork } from '#client/lan/local-network'

/** Limits the names resolved at a time, across all connections; one connection gives at most eight. */
const maxAtOnce = 16

/** Limits the names resolved per minute, so that a peer can't make this computer flood its network. */
const maxPerMinute = 60
const minuteMs = 60_000

/** Dependencies of `answerNames`. */
export type PeerNamesOptions = {
  readonly engine: Pick<EngineLink, 'post' | 'watchNames'>
  readonly network: Pick<NearNetwork, 'isThere' | 'resolve'>
  readonly clock: Clock
}

class PeerNames implements NameWatcher {
  readonly #options: PeerNamesOptions
  /** Cancels each open question. */
  readonly #asking = new Map<NameQuestion, () => void>()
  /** The times of the latest questions. */
  #askedAtMs: readonly number[] = []

  constructor(options: PeerNamesOptions) {
    this.#options = options
  }

  onAsked(question: NameQuestion, name: string): void {
    if (!this.#mayAsk()) {
      this.#answer(question, null)
      return
    }
    const stop = this.#options.network.resolve(name, (address) => {
      this.#asking.delete(question)
      this.#answer(question, address)
    })
    this.#asking.set(question, stop)
  }

  onDropped(question: NameQuestion): void {
    this.#asking.get(question)?.()
    this.#asking.delete(question)
  }

  close(): void {
    for (const stop of this.#asking.values()) stop()
    this.#asking.clear()
  }

  #mayAsk(): boolean {
    const now = this.#options.clock.now()
    this.#askedAtMs = this.#askedAtMs.filter((at) => Math.abs(now - at) < minuteMs)
    const isTooMuch = this.#asking.size >= maxAtOnce || this.#askedAtMs.length >= maxPerMinute
    if (isTooMuch || !this.#options.network.isThere) return false
    this.#askedAtMs = [...this.#askedAtMs, now]
    return true
  }

  #answer(question: NameQuestion, address: string | null): void {
    this.#options.engine.post({ type: 'answer-name', question, address })
  }
}

/** Resolves names for all connections of an engine, until it is closed. */
export const answerNames = (options: PeerNamesOptions): void =>
  options.engine.watchNames(new PeerNames(options))
