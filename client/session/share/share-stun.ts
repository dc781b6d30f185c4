/**
 * Keeps a share's STUN servers current, perhaps for weeks. The first one to answer may have disappeared. This computer
 * may have changed networks, or had none at the start.
 */
import type { IceServers } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import type { SessionContext } from '#client/session/session-context'

/** The minimum time between two searches; a server that answers now usually does so a minute later. */
const restMs = 60_000

/** Networks change in bursts. */
const settleMs = 1000

/** Each share session has one. */
export class ShareStun {
  readonly #context: Pick<SessionContext, 'clock' | 'engine' | 'iceServers' | 'server'>
  readonly #session: SessionNumber
  /** The engine's present servers; `null` before it has any, and after the share has ended. */
  #known: IceServers['stun'] | null = null
  #lookedAtMs = 0
  #cancelLook: () => void = () => undefined

  constructor(
    context: Pick<SessionContext, 'clock' | 'engine' | 'iceServers' | 'server'>,
    session: SessionNumber,
  ) {
    this.#context = context
    this.#session = session
  }

  /** The engine has opened the share with these servers. */
  begin({ stun, relayUse }: IceServers): void {
    if (relayUse === 'only') return
    this.#known = stun
    this.#lookedAtMs = this.#context.clock.now()
  }

  /** Updates the servers when a receiver has proved itself, because others may follow; strangers cause no queries. */
  onReceiver(): void {
    if (this.#context.clock.now() - this.#lookedAtMs >= restMs) void this.#look()
  }

  /** Call it when the computer wakes up or changes networks. */
  onWake(): void {
    this.#cancelLook()
    this.#cancelLook = this.#context.clock.after(settleMs, () => void this.#look())
  }

  /** Call it when the share has ended. */
  end(): void {
    this.#cancelLook()
    this.#known = null
  }

  async #look(): Promise<void> {
    if (this.#known === null) return
    this.#lookedAtMs = this.#context.clock.now()
    const found = await this.#context.iceServers(this.#context.server)
    // New settings that are invalid, or allow only relays, apply to later shares.
    if (found.ok && found.value.relayUse !== 'only') this.#take(found.value.stun)
  }

  #take(stun: IceServers['stun']): void {
    if (this.#known === null || JSON.stringify(stun) === JSON.stringify(this.#known)) return
    this.#known = stun
    this.#context.engine.post({ type: 'set-stun', session: this.#session, stun })
  }
}
