/** Multicast DNS (RFC 6762) on one interface, the seam at which tests put a network of their own. */
import { createSocket, type Socket } from 'node:dgram'
import type { Packet } from 'dns-packet'
import makeMdns from 'multicast-dns'
import type { NearAddress } from '#client/lan/interfaces'

/** Who listens; `from` has a zone where one is needed. */
export type MulticastListener = {
  /** Whether a packet is decoded, which costs a hostile one's sender far less than us. */
  readonly admits: (bytes: Buffer, from: string) => boolean
  /** A packet that was admitted and made sense. */
  readonly onPacket: (packet: Packet, from: string) => void
  /** Called at most once: nothing more is heard or sent. */
  readonly onBroken: () => void
}

/** Sends to, and hears, one interface. */
export type MulticastLine = {
  /** What can't be sent is lost, as anything may be. */
  send(packet: Packet): void
  close(): void
}

/** Opens a line at one address of this computer. */
export type OpenMulticast = (place: NearAddress, listener: MulticastListener) => MulticastLine

const groups = { 4: '224.0.0.251', 6: 'ff02::fb' } as const

/** The system's. */
export const systemMulticast: OpenMulticast = (place, listener) => {
  const type = place.family === 4 ? 'udp4' : 'udp6'
  return multicastOver(
    createSocket({ type, reuseAddr: true, ipv6Only: place.family === 6 }),
    place,
    listener,
  )
}

/** The same over a socket that is not bound yet. */
export function multicastOver(
  socket: Socket,
  { family, address }: NearAddress,
  { admits, onPacket, onBroken }: MulticastListener,
): MulticastLine {
  const type = family === 4 ? 'udp4' : 'udp6'
  let isOver = false
  const line = makeMdns({
    type,
    ip: groups[family],
    interface: family === 4 ? address : `::${address.replace(/^[^%]*/, '')}`,
    // At the interface's own address, nothing that is sent to a group would arrive.
    bind: family === 4 ? '0.0.0.0' : '::',
    socket,
  })
  putBeforeDecoder(socket, admits)
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

/** The library decodes whatever arrives; one packet of 65 kB keeps it busy for half a second. */
function putBeforeDecoder(socket: Socket, admits: MulticastListener['admits']): void {
  const decoders = socket.listeners('message')
  socket.removeAllListeners('message')
  socket.on('message', (bytes: Buffer, info: { readonly address: string }) => {
    if (admits(bytes, info.address)) for (const decode of decoders) decode.call(socket, bytes, info)
  })
}
