/** Answers the engine about computers that hide their addresses behind names of mDNS. */
import type { Clock } from '#client/clock'
import type { NameQuestion } from '#client/engine'
import type { EngineLink, NameWatcher } from '#client/engine-link'
import type { NearNetwork } from '#client/lan/local-network'

/** Names that are asked for at the same time, of all connections together; one gives at most eight. */
const maxAtOnce = 16

/** Names asked for in a minute, so that nobody makes this computer flood its network. */
const maxPerMinute = 60
const minuteMs = 60_000

/** What answering needs. */
export type PeerNamesOptions = {
  readonly engine: Pick<EngineLink, 'post' | 'watchNames'>
  readonly network: Pick<NearNetwork, 'isThere' | 'resolve'>
  readonly clock: Clock
}

class PeerNames implements NameWatcher {
  readonly #options: PeerNamesOptions
  /** How each that is being asked for is given up. */
  readonly #asking = new Map<NameQuestion, () => void>()
  /** When the latest ones were asked for. */
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

/** Does that for all connections of an engine, until it is closed. */
export const answerNames = (options: PeerNamesOptions): void =>
  options.engine.watchNames(new PeerNames(options))
