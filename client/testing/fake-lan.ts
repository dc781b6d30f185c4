/** A local network in memory: computers that hear each other's multicast, packet by packet. */
import { decode, encode, type Packet } from 'dns-packet'
import type { NearAddress } from '#client/lan/interfaces'
import type { MulticastListener, OpenMulticast } from '#client/lan/multicast'

/** Packets arrive at once, also at their sender, as they do on a real one. */
export class FakeLan {
  readonly packets: { readonly from: string; readonly packet: Packet; readonly bytes: Buffer }[] =
    []
  isBlocked = false
  readonly #listeners = new Set<MulticastListener>()

  /** Lines of a computer that others hear under its addresses. */
  readonly open: OpenMulticast = ({ address: from }, listener) => {
    this.#listeners.add(listener)
    return {
      send: (packet) => this.send(from, packet),
      close: () => void this.#listeners.delete(listener),
    }
  }

  /** Brings a packet to everybody, in the bytes in which it travels. */
  send(from: string, packet: Packet): void {
    const bytes = encode(packet)
    this.packets.push({ from, packet, bytes })
    if (this.isBlocked) return
    for (const { admits, onPacket } of [...this.#listeners]) {
      if (admits(bytes, from)) onPacket(decode(bytes), from)
    }
  }

  /** Ends all lines, as a system does that forbids them. */
  breakLines(): void {
    for (const listener of [...this.#listeners]) listener.onBroken()
    this.#listeners.clear()
  }

  /** Lines that are open. */
  get lines(): number {
    return this.#listeners.size
  }
}

/** An address of a computer on the network. */
export const near = (address: string, name = 'eth0'): NearAddress => ({
  name,
  family: address.includes(':') ? 6 : 4,
  address,
})
