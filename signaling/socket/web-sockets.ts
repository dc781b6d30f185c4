/** Common behavior of this server's WebSockets. */
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { frameLimits, pageProtocol } from '#shared/signaling/messages'

/** Accepts upgrades that the caller has checked; limits the bytes and fragments of messages. */
export const webSocketServer = (
  maxPayload: number,
  more: Pick<ServerOptions, 'maxFragments' | 'handleProtocols'> = {},
): WebSocketServer =>
  new WebSocketServer({
    ...frameLimits,
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    // Otherwise the library accepts the first subprotocol of a client. A page offers its password as another one.
    handleProtocols: (offered, { headers }) =>
      headers.origin !== undefined && offered.has(pageProtocol) && pageProtocol,
    ...more,
    maxPayload,
  })

/** Frames still accepted from a client after a close: far more than an honest one has sent by then. */
const maxLateFrames = 1000

/**
 * Cuts a socket whose client keeps sending after a close: the server has to read until the client's answer, and nothing
 * else limits the work of these frames.
 */
export function cutWhenLate(socket: WebSocket): void {
  let left = maxLateFrames
  for (const frame of ['message', 'ping', 'pong'] as const) {
    socket.on(frame, () => {
      if (socket.readyState !== WebSocket.CLOSING) return
      left -= 1
      if (left < 0) socket.terminate()
    })
  }
}
