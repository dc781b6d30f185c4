/** How this server's WebSockets are, whatever they carry. */
import { WebSocket, WebSocketServer } from 'ws'
import { frameLimits } from '#shared/signaling/messages'

/** Takes upgrades that somebody else has looked at, to sockets whose messages have so many bytes and fragments at most. */
export const webSocketServer = (
  maxPayload: number,
  maxFragments: number = frameLimits.maxFragments,
): WebSocketServer =>
  new WebSocketServer({
    ...frameLimits,
    maxFragments,
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    // Else the library takes the first that a client names.
    handleProtocols: () => false,
    maxPayload,
  })

/** What may still be on its way from a client that is told to go: far more than an honest one has said by then. */
const maxLateFrames = 1000

/**
 * Cuts a socket whose client goes on for long after it was told to go: its answer has to be read, and each frame before that costs work
 * that nothing else bounds.
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
