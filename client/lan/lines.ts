/** Lines to each local network of this computer, open while in use; networks appear and disappear. */
import type { Packet } from 'dns-packet'
import type { Clock } from '#client/clock'
import type { NearAddress } from '#client/lan/interfaces'
import type { MulticastLine, OpenMulticast } from '#client/lan/multicast'
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
  readonly onLine: (place: NearAddress) => void
}

/** Dependencies of `Lines`. */
export type LinesOptions = {
  readonly open: OpenMulticast
  readonly addresses: () => readonly NearAddress[]
  readonly clock: Clock
}

/** Opened for the first user, closed after the last. */
export class Lines {
  readonly #options: LinesOptions
  readonly #users = new Set<LineUser>()
  readonly #lines = new Map<string, { readonly place: NearAddress; readonly line: MulticastLine }>()
  #cancelLook: () => void = () => undefined
  #heardSinceMs = 0
  /** Packets since then, by source address. */
  readonly #heard = new Map<string, number>()
  #heardInAll = 0

  constructor(options: LinesOptions) {
    this.#options = options
  }

  /** Networks that this computer is on. */
  get places(): readonly NearAddress[] {
    return [...this.#lines.values()].map(({ place }) => place)
  }

  /** Uses the lines until the returned function is called. */
  use(user: LineUser): () => void {
    this.#users.add(user)
    if (this.#users.size === 1) this.#look()
    else for (const place of this.places) user.onLine(place)
    return () => {
      if (!this.#users.delete(user) || this.#users.size > 0) return
      this.#cancelLook()
      for (const { line } of this.#lines.values()) line.close()
      this.#lines.clear()
    }
  }

  /** Sends a packet made by `packetOf` to each network, or only to the one at `place`. */
  send(packetOf: (place: NearAddress) => Packet, place?: NearAddress): void {
    for (const one of this.#lines.values()) {
      if (place === undefined || keyOf(one.place) === keyOf(place))
        one.line.send(packetOf(one.place))
    }
  }

  #look(): void {
    this.#cancelLook = this.#options.clock.after(lookMs, () => this.#look())
    const places = new Map(this.#options.addresses().map((place) => [keyOf(place), place]))
    for (const [key, { line }] of [...this.#lines]) {
      if (places.has(key)) continue
      this.#lines.delete(key)
      line.close()
    }
    for (const [key, place] of places) if (!this.#lines.has(key)) this.#open(key, place)
  }

  #open(key: string, place: NearAddress): void {
    const line = this.#options.open(place, {
      admits: (bytes, from) => this.#admits(bytes, from),
      onPacket: (packet, from) => {
        for (const user of [...this.#users]) user.onPacket(packet, from, place)
      },
      onBroken: () => this.#lines.delete(key),
    })
    this.#lines.set(key, { place, line })
    for (const user of [...this.#users]) user.onLine(place)
  }

  /** Irrelevant packets are not counted, so that a busy network hides no announcement. */
  #admits(bytes: Buffer, from: string): boolean {
    if (scopeOfAddress(from) !== 'private') return false
    if (![...this.#users].some((user) => user.concerns(bytes))) return false
    const now = this.#options.clock.now()
    if (Math.abs(now - this.#heardSinceMs) >= 1000) {
      this.#heardSinceMs = now
      this.#heard.clear()
      this.#heardInAll = 0
    }
    const heard = this.#heard.get(from) ?? 0
    if (heard >= maxPerSource || this.#heardInAll >= maxPerSecond) return false
    this.#heard.set(from, heard + 1)
    this.#heardInAll += 1
    return true
  }
}

/** Each address family of an interface has one line. */
const keyOf = ({ name, family }: NearAddress): string => `${name} ${family}`
