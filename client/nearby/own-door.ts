/**
 * The door of this computer: a nameplate at the embedded server that is announced with the computer's name, so that
 * others on the network can call (docs/nearby.md). It changes every hour, so that it can't be followed for long.
 */
import type { Clock } from '#client/clock'
import { newInstance } from '#client/lan/announcement'
import type { NearNetwork } from '#client/lan/local-network'
import { encodeComputer, type MarkKeys, markOf } from '#client/nearby/computer-announcement'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import { SignalingClient, type SignalingConnection } from '#client/signaling/signaling-client'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'

/** Dependencies of `OwnDoor`. */
export type OwnDoorOptions = {
  readonly network: NearNetwork
  readonly clock: Clock
  readonly random: () => number
  /** The name that everyone may see; `null` for contacts alone. */
  readonly name: () => string | null
  /** Returns the key shared with each contact, and this side's public key there. */
  readonly marks: () => readonly MarkKeys[]
  readonly onMessage: (message: ServerMessage) => void
  /** The place was lost, and all calls with it. */
  readonly onLost: () => void
  /** True while a call is open, during which the door stays. */
  readonly isBusy: () => boolean
}

const renewEveryMs = 3_600_000

/** Announced and open between `open` and `close`. */
export class OwnDoor {
  readonly #options: OwnDoorOptions
  #signaling: SignalingConnection | null = null
  #door: string | null = null
  /** The announced instance; empty while there is none. */
  #instance = newInstance()
  #withdraw: () => void = () => undefined
  #cancelRenewal: () => void = () => undefined
  #announced = ''
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: OwnDoorOptions) {
    this.#options = options
  }

  /** The instance under which it is announced. */
  get instance(): string {
    return this.#instance
  }

  open(): void {
    if (this.#signaling !== null) return
    const { network, clock, random, onMessage, onLost } = this.#options
    const owner = new NameplateOwner()
    // Six digits, because the server prefers shorter ones for shares.
    const wish = (): string => String(100_000 + Math.floor(random() * 900_000))
    this.#instance = newInstance()
    const signaling = new SignalingClient({
      ...{ clock, random, server: network.server },
      hello: (greeting) => ({ ...owner.claim(greeting, wish()), visible: true }),
      onUp: () => undefined,
      onMessage: (message) => {
        if (message.t !== 'hosted') {
          onMessage(message)
          return
        }
        owner.got(message.nameplate)
        this.#door = message.nameplate
        this.announce()
      },
      onDown: ({ code }) => {
        this.#hide()
        if (code === 'E_NO_SUCH_CODE') owner.forget()
        onLost()
      },
    })
    this.#signaling = signaling
    signaling.start()
    this.#renewLater()
  }

  /** Announces the door again if its name or its contacts have changed. */
  announce(): void {
    const { network, name, marks } = this.#options
    if (this.#door === null || this.#signaling === null) return
    const keys = marks()
    const announced = JSON.stringify([this.#door, this.#instance, name(), keys])
    if (announced === this.#announced) return
    this.#withdraw()
    this.#announced = announced
    const texts = encodeComputer({
      door: this.#door,
      name: name(),
      marks: keys.map((one) => markOf(one, this.#instance)),
    })
    this.#withdraw = network.announceComputer(this.#instance, texts)
  }

  send(message: ClientMessage): void {
    this.#signaling?.send(message)
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#signaling?.onWake()
  }

  /** Resolves when the socket is closed. */
  async close(): Promise<void> {
    this.#cancelRenewal()
    this.#hide()
    this.#farewell = Promise.all([this.#farewell, this.#signaling?.close()])
    this.#signaling = null
    await this.#farewell
  }

  #hide(): void {
    this.#withdraw()
    this.#withdraw = () => undefined
    this.#announced = ''
    this.#door = null
  }

  #renewLater(): void {
    this.#cancelRenewal()
    this.#cancelRenewal = this.#options.clock.after(renewEveryMs, () => {
      if (this.#options.isBusy()) {
        this.#renewLater()
        return
      }
      void this.close()
      this.open()
    })
  }
}
