/** Texts about the connection of a transfer. */
import { formatBytes } from '#shared/format'

type Protocol = { readonly family: 4 | 6; readonly transport: 'udp' | 'tcp' }

export const connectionText = {
  title: 'Connection and log',
  protocol: 'Protocol',
  protocolOf: ({ family, transport }: Protocol) =>
    `${transport === 'udp' ? 'UDP' : 'TCP'}, IPv${family.toString()}`,
  address: 'Address',
  relay: 'Relay',
  buffers: 'Socket buffers',
  buffersOf: ({ receive, send }: { readonly receive: number; readonly send: number }) =>
    `${formatBytes(receive)} in, ${formatBytes(send)} out`,
  copyLog: 'Copy log',
  logAbout: 'The log has names of files and people, and addresses. It has no codes and no keys.',
} as const
