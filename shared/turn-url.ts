/** Where a TURN server listens, as the signaling server names it and clients read it. */
import { turnBounds } from '#shared/signaling'

/** A TURN server; `host` is a name or a literal address without brackets. */
export type TurnUrl = {
  readonly host: string
  readonly port: number
  readonly transport: 'udp' | 'tcp'
}

const defaultPort = 3478

const form =
  /^turn:(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::([0-9]{1,5}))?(?:\?transport=(udp|tcp))?$/i

/** Reads `turn:host[:port][?transport=udp|tcp]` (RFC 7065); `null` for anything else. */
export function parseTurnUrl(text: string): TurnUrl | null {
  if (text.length > turnBounds.characters) return null
  const match = form.exec(text)
  if (match === null) return null
  const [, address, name, portText, transport] = match
  const port = portText === undefined ? defaultPort : Number(portText)
  if (port < 1 || port > 65_535) return null
  return {
    host: address ?? name ?? '',
    port,
    transport: transport?.toLowerCase() === 'tcp' ? 'tcp' : 'udp',
  }
}

/** The text that `parseTurnUrl` reads as this. */
export const formatTurnUrl = ({ host, port, transport }: TurnUrl): string =>
  `turn:${host.includes(':') ? `[${host}]` : host}:${port}?transport=${transport}`
