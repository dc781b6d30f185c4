/** Texts about the connection of a transfer. */
import { formatBytes, formatCount } from '#shared/format/format'

type Protocol = { readonly family: 4 | 6; readonly transport: 'udp' | 'tcp' }

export const connectionText = {
  title: 'Connection and log',
  log: 'Log',
  protocol: 'Protocol',
  protocolOf: ({ family, transport }: Protocol) =>
    `${transport === 'udp' ? 'UDP' : 'TCP'}, IPv${family.toString()}`,
  address: 'Address',
  relay: 'Relay',
  buffers: 'Socket buffers',
  buffersOf: ({ receive, send }: { readonly receive: number; readonly send: number }) =>
    `${formatBytes(receive)} in, ${formatBytes(send)} out`,
  roundTrip: 'Round trip',
  lost: 'Lost packets',
  late: 'Late, not lost',
  pace: 'Pacing rate',
  underWay: 'Data in flight',
  compressionSaved: 'Saved by compression',
  datagrams: 'Packet size',
  datagramsOf: (bytes: number) => `${formatCount(bytes)} bytes`,
  /** Bottlenecks of the transfer, the longest first. */
  limits: {
    network: 'the network',
    receiver: 'the other computer',
    memory: 'the memory for data in flight',
    peer: 'waiting for the other computer',
    sender: 'the other computer or the network',
    disk: "this computer's disk",
    application: 'nothing to send yet',
    paused: 'a pause',
    limit: 'a speed limit',
    socket: "this computer's network adapter",
    processor: "this computer's processor",
  },
  limitedPart: (what: string, percent: string) => `${what} (${percent})`,
  limitedBy: (parts: readonly string[]) => `What limits the speed: ${parts.join(', ')}.`,
  copyLog: 'Copy log',
  logAbout: 'The log has names of files and people, and addresses, but no codes or keys.',
} as const
