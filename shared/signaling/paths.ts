/** The paths of a signaling server, which a page uses without the messages. */

/** The WebSocket's path on the server. */
export const signalingPath = '/v1'

/**
 * The path of a relay of last resort. Its WebSocket presents a ticket, `Authorization: Bearer TICKET`, and receives the
 * bytes of the other side of its pair.
 */
export const serverRelayPath = `${signalingPath}/server-relay`

/** The server relay path of a node in a service of several, by the node's name; `serverRelayPath` for an empty name. */
export const serverRelayPathOf = (node: string): string =>
  node === '' ? serverRelayPath : `${serverRelayPath}/${node}`

/** Answers a GET with `Health`; a client recognizes a signaling server by it. */
export const healthPath = '/healthz'
