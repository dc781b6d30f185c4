/** A local network in memory whose computers receive each other's multicast. */
import { decode, encode, type Packet } from 'dns-packet'
import type { NearAddress } from '#client/lan/interfaces'
import type { MulticastListener, OpenMulticast } from '#client/lan/multicast'

/** Packets arrive immediately, also at their sender, as on a real network. */
export class FakeLan {
  readonly packets: { readonly from: string; readonly packet: Packet; readonly bytes: Buffer }[] =
    []
  isBlocked = false
  readonly #listeners = new Set<MulticastListener>()

  /** Opens lines under a computer's addresses. */
  readonly open: OpenMulticast = ({ address: from }, listener) => {
    this.#listeners.add(listener)
    return {
      send: (packet) => this.send(from, packet),
      close: () => void this.#listeners.delete(listener),
    }
  }

  /** Delivers a packet to all listeners, in encoded form. */
  send(from: string, packet: Packet): void {
    const bytes = encode(packet)
    this.packets.push({ from, packet, bytes })
    if (this.isBlocked) return
    for (const { admits, onPacket } of [...this.#listeners]) {
      if (admits(bytes, from)) onPacket(decode(bytes), from)
    }
  }

  /** Breaks all lines, like a system that forbids them. */
  breakLines(): void {
    for (const listener of [...this.#listeners]) listener.onBroken()
    this.#listeners.clear()
  }

  get sockets(): number {
    return this.#listeners.size
  }
}

/** An address on the local network. */
export const near = (address: string, name = 'eth0'): NearAddress => ({
  name,
  family: address.includes(':') ? 6 : 4,
  address,
})
