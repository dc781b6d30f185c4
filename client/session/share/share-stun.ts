/**
 * Keeps the STUN servers of a share right while it lasts, perhaps for weeks: the one that answered when it began may have
 * ended, and this computer may be in another network since, or have had none then.
 */
import type { IceServers } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import type { SessionContext } from '#client/session/session-context'

/** A server that answers now does so in a minute, mostly. */
const restMs = 60_000

/** Networks come and go in bursts. */
const settleMs = 1000

/** Belongs to one share session. */
export class ShareStun {
  readonly #context: Pick<SessionContext, 'clock' | 'engine' | 'iceServers' | 'server'>
  readonly #session: SessionNumber
  /** What the engine has; `null` before it has any, and when the share is over. */
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

  /** A receiver has proved that it knows the secret: others may follow. For strangers no server is asked. */
  onReceiver(): void {
    if (this.#context.clock.now() - this.#lookedAtMs >= restMs) void this.#look()
  }

  /** The computer woke up, or is in another network. */
  noticeWake(): void {
    this.#cancelLook()
    this.#cancelLook = this.#context.clock.after(settleMs, () => void this.#look())
  }

  /** The share is over. */
  end(): void {
    this.#cancelLook()
    this.#known = null
  }

  async #look(): Promise<void> {
    if (this.#known === null) return
    this.#lookedAtMs = this.#context.clock.now()
    const found = await this.#context.iceServers(this.#context.server)
    // What was set meanwhile and makes no sense, or allows only relays, is for shares that follow.
    if (found.ok && found.value.relayUse !== 'only') this.#take(found.value.stun)
  }

  #take(stun: IceServers['stun']): void {
    if (this.#known === null || JSON.stringify(stun) === JSON.stringify(this.#known)) return
    this.#known = stun
    this.#context.engine.post({ type: 'set-stun', session: this.#session, stun })
  }
}
