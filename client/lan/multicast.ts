/** Multicast DNS (RFC 6762) on one interface; tests replace it with a simulated network. */
import { createSocket, type Socket } from 'node:dgram'
import type { Packet } from 'dns-packet'
import makeMdns from 'multicast-dns'
import type { NearAddress } from '#client/lan/interfaces'

/** Receives packets; `from` has a zone where one is needed. */
export type MulticastListener = {
  /** True if a packet should be decoded. Decoding costs us far more than sending costs an attacker. */
  readonly admits: (bytes: Buffer, from: string) => boolean
  /** Receives a packet that was admitted and valid. */
  readonly onPacket: (packet: Packet, from: string) => void
  /** Called at most once; the line is dead afterwards. */
  readonly onBroken: () => void
}

/** Sends and receives on one interface. */
export type MulticastSocket = {
  /** Sends a packet, which may get lost. */
  send(packet: Packet): void
  close(): void
}

/** Opens a line at an address of this computer. */
export type OpenMulticast = (place: NearAddress, listener: MulticastListener) => MulticastSocket

const groups = { 4: '224.0.0.251', 6: 'ff02::fb' } as const

/** The system's multicast. */
export const systemMulticast: OpenMulticast = (place, listener) => {
  const type = place.family === 4 ? 'udp4' : 'udp6'
  return multicastOver(
    createSocket({ type, reuseAddr: true, ipv6Only: place.family === 6 }),
    place,
    listener,
  )
}

/** Opens a line over a socket that is not bound yet. */
export function multicastOver(
  socket: Socket,
  { family, address }: NearAddress,
  { admits, onPacket, onBroken }: MulticastListener,
): MulticastSocket {
  const type = family === 4 ? 'udp4' : 'udp6'
  let isOver = false
  const mdns = makeMdns({
    type,
    ip: groups[family],
    interface: family === 4 ? address : `::${address.replace(/^[^%]*/, '')}`,
    // A socket bound to the interface's own address receives no multicast.
    bind: family === 4 ? '0.0.0.0' : '::',
    socket,
  })
  putBeforeDecoder(socket, admits)
  const close = (): void => {
    if (isOver) return
    isOver = true
    // Runs after the last packet, such as a goodbye, was sent.
    setImmediate(() => mdns.destroy())
  }
  mdns.on('packet', (packet: Packet, { address: from }: { readonly address: string }) => {
    if (!isOver) onPacket(packet, from)
  })
  // Ignores malformed packets, and interfaces without multicast, whose silence is noticed elsewhere.
  mdns.on('warning', () => undefined)
  mdns.on('error', () => {
    if (isOver) return
    close()
    onBroken()
  })
  return {
    send: (packet) => {
      if (isOver) return
      if (packet.type === 'response')
        mdns.respond({ answers: packet.answers ?? [] }, () => undefined)
      else mdns.query({ questions: packet.questions ?? [] }, () => undefined)
    },
    close,
  }
}

/** Filters packets before the library, which decodes everything: one packet of 65 kB blocks it for half a second. */
function putBeforeDecoder(socket: Socket, admits: MulticastListener['admits']): void {
  const decoders = socket.listeners('message')
  socket.removeAllListeners('message')
  socket.on('message', (bytes: Buffer, info: { readonly address: string }) => {
    if (admits(bytes, info.address)) for (const decode of decoders) decode.call(socket, bytes, info)
  })
}
