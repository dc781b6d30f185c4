/** Lines to each local network of this computer, open while in use; networks appear and disappear. */
import type { Packet } from 'dns-packet'
import type { Clock } from '#client/clock'
import type { NearAddress } from '#client/lan/interfaces'
import type { MulticastSocket, OpenMulticast } from '#client/lan/multicast'
import { scopeOfAddress } from '#client/signaling/address-scope'

/** The time between two checks for changed networks. */
const lookMs = 5000

/** Limits the relevant packets decoded per second, in total and from one address. */
const maxPerSecond = 200
const maxPerSource = 100

/** Receives packets of all lines. */
export type LineUser = {
  /** True if a packet may concern this user, judged without decoding it. */
  readonly concerns: (bytes: Buffer) => boolean
  /** Receives a packet from a peer on a local network; `place` is this computer's receiving address. */
  readonly onPacket: (packet: Packet, from: string, place: NearAddress) => void
  /** Called for each new line. */
  readonly onSocket: (place: NearAddress) => void
}

/** Dependencies of `Lines`. */
export type LinesOptions = {
  readonly open: OpenMulticast
  readonly addresses: () => readonly NearAddress[]
  readonly clock: Clock
}

/** Opened for the first user, closed after the last. */
export class MulticastSockets {
  readonly #options: LinesOptions
  readonly #users = new Set<LineUser>()
  readonly #sockets = new Map<
    string,
    { readonly place: NearAddress; readonly socket: MulticastSocket }
  >()
  #cancelLook: () => void = () => undefined
  #receivedSinceMs = 0
  /** Packets since then, by source address. */
  readonly #received = new Map<string, number>()
  #receivedInAll = 0

  constructor(options: LinesOptions) {
    this.#options = options
  }

  /** Networks that this computer is on. */
  get places(): readonly NearAddress[] {
    return [...this.#sockets.values()].map(({ place }) => place)
  }

  /** Uses the lines until the returned function is called. */
  use(user: LineUser): () => void {
    this.#users.add(user)
    if (this.#users.size === 1) this.#look()
    else for (const place of this.places) user.onSocket(place)
    return () => {
      if (!this.#users.delete(user) || this.#users.size > 0) return
      this.#cancelLook()
      for (const { socket } of this.#sockets.values()) socket.close()
      this.#sockets.clear()
    }
  }

  /** Sends a packet made by `packetOf` to each network, or only to the one at `place`. */
  send(packetOf: (place: NearAddress) => Packet, place?: NearAddress): void {
    for (const one of this.#sockets.values()) {
      if (place === undefined || keyOf(one.place) === keyOf(place))
        one.socket.send(packetOf(one.place))
    }
  }

  #look(): void {
    this.#cancelLook = this.#options.clock.after(lookMs, () => this.#look())
    const places = new Map(this.#options.addresses().map((place) => [keyOf(place), place]))
    for (const [key, { socket }] of [...this.#sockets]) {
      if (places.has(key)) continue
      this.#sockets.delete(key)
      socket.close()
    }
    for (const [key, place] of places) if (!this.#sockets.has(key)) this.#open(key, place)
  }

  #open(key: string, place: NearAddress): void {
    const socket = this.#options.open(place, {
      admits: (bytes, from) => this.#admits(bytes, from),
      onPacket: (packet, from) => {
        for (const user of [...this.#users]) user.onPacket(packet, from, place)
      },
      onBroken: () => this.#sockets.delete(key),
    })
    this.#sockets.set(key, { place, socket })
    for (const user of [...this.#users]) user.onSocket(place)
  }

  /** Irrelevant packets are not counted, so that a busy network hides no announcement. */
  #admits(bytes: Buffer, from: string): boolean {
    if (scopeOfAddress(from) !== 'private') return false
    if (![...this.#users].some((user) => user.concerns(bytes))) return false
    const now = this.#options.clock.now()
    if (Math.abs(now - this.#receivedSinceMs) >= 1000) {
      this.#receivedSinceMs = now
      this.#received.clear()
      this.#receivedInAll = 0
    }
    const received = this.#received.get(from) ?? 0
    if (received >= maxPerSource || this.#receivedInAll >= maxPerSecond) return false
    this.#received.set(from, received + 1)
    this.#receivedInAll += 1
    return true
  }
}

/** Each address family of an interface has one line. */
const keyOf = ({ name, family }: NearAddress): string => `${name} ${family}`
