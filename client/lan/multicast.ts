/** Multicast DNS (RFC 6762) on one interface, the seam at which tests put a network of their own. */
import { createSocket } from 'node:dgram'
import type { Packet } from 'dns-packet'
import makeMdns from 'multicast-dns'
import type { NearAddress } from '#client/lan/interfaces'

/** Called for each packet that made sense; `from` has a zone where one is needed. */
export type OnPacket = (packet: Packet, from: string) => void

/** Sends to, and hears, one interface. */
export type MulticastLine = {
  /** What can't be sent is lost, as anything may be. */
  send(packet: Packet): void
  close(): void
}

/** `onBroken` is called at most once: nothing more is heard or sent. */
export type OpenMulticast = (
  place: NearAddress,
  onPacket: OnPacket,
  onBroken: () => void,
) => MulticastLine

const groups = { 4: '224.0.0.251', 6: 'ff02::fb' } as const

/** The system's. */
export const systemMulticast: OpenMulticast = (place, onPacket, onBroken) => {
  const { family, address } = place
  const type = family === 4 ? 'udp4' : 'udp6'
  let isOver = false
  const line = makeMdns({
    type,
    ip: groups[family],
    interface: family === 4 ? address : `::${address.replace(/^[^%]*/, '')}`,
    // At the interface's own address, nothing that is sent to a group would arrive.
    bind: family === 4 ? '0.0.0.0' : '::',
    socket: createSocket({ type, reuseAddr: true, ipv6Only: family === 6 }),
  })
  const close = (): void => {
    if (isOver) return
    isOver = true
    // Behind what was sent last, a farewell perhaps.
    setImmediate(() => line.destroy())
  }
  line.on('packet', (packet: Packet, { address: from }: { readonly address: string }) => {
    if (!isOver) onPacket(packet, from)
  })
  // Malformed packets, and interfaces without multicast: nothing is heard there, which is noticed.
  line.on('warning', () => undefined)
  line.on('error', () => {
    if (isOver) return
    close()
    onBroken()
  })
  return {
    send: (packet) => {
      if (isOver) return
      if (packet.type === 'response')
        line.respond({ answers: packet.answers ?? [] }, () => undefined)
      else line.query({ questions: packet.questions ?? [] }, () => undefined)
    },
    close,
  }
}
