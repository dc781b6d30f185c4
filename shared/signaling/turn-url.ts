/** TURN URLs, as the signaling server sends them and clients read them. */
import { turnBounds } from '#shared/signaling/messages'

/** A TURN server; `host` is a name or a literal address without brackets. */
export type TurnUrl = {
  readonly host: string
  readonly port: number
  /** `tls` is TLS over TCP, to a server whose certificate is valid for the URL's host. */
  readonly transport: 'udp' | 'tcp' | 'tls'
}

/** RFC 7065 section 3.2. */
const defaultPorts = { turn: 3478, turns: 5349 } as const

const form =
  /^(turns?):(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::([0-9]{1,5}))?(?:\?transport=(udp|tcp))?$/i

/**
 * Reads `turn:host[:port][?transport=udp|tcp]` and `turns:host[:port][?transport=tcp]` (RFC 7065); `null` for anything
 * else, such as TLS over UDP.
 */
export function parseTurnUrl(text: string): TurnUrl | null {
  if (text.length > turnBounds.characters) return null
  const match = form.exec(text)
  if (match === null) return null
  const [, schemeText, address, name, portText, transport] = match
  const scheme = schemeText?.toLowerCase() === 'turns' ? 'turns' : 'turn'
  const port = portText === undefined ? defaultPorts[scheme] : Number(portText)
  const protocol = transport?.toLowerCase()
  if (scheme === 'turns' && protocol === 'udp') return null
  if (port < 1 || port > 65_535) return null
  return {
    host: address ?? name ?? '',
    port,
    transport: scheme === 'turns' ? 'tls' : protocol === 'tcp' ? 'tcp' : 'udp',
  }
}

/** The inverse of `parseTurnUrl`. */
export const formatTurnUrl = ({ host, port, transport }: TurnUrl): string => {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return transport === 'tls' ? `turns:${place}` : `turn:${place}?transport=${transport}`
}
