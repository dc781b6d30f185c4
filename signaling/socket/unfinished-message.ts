/** Measures the incomplete message of a client. */
import type { WebSocket } from 'ws'

/** Private fields of the library; tests fail if a version renames them. */
type Receiver = {
  /** 0 between frames. */
  readonly _state?: number
  /** The opcode of the message whose fragments have arrived; 0 between messages. */
  readonly _fragmented?: number
  /** The received part of the incomplete frame. */
  readonly _buffers?: readonly Buffer[]
  /** Complete fragments. */
  readonly _fragments?: readonly Buffer[]
}

const receiverOf = (socket: WebSocket): Receiver =>
  (socket as unknown as { readonly _receiver?: Receiver | null })._receiver ?? {}

/** Bytes of memory in use: a fragment of one byte keeps everything that arrived with it. */
export function unfinishedBytes(socket: WebSocket): number {
  const { _buffers = [], _fragments = [] } = receiverOf(socket)
  if (_buffers.length === 0 && _fragments.length === 0) return 0
  const kept = new Set([..._buffers, ..._fragments].map(({ buffer }) => buffer))
  let bytes = 0
  for (const { byteLength } of kept) bytes += byteLength
  return bytes
}

/** True if there is an incomplete message. */
export function isMidMessage(socket: WebSocket): boolean {
  const { _state = 0, _fragmented = 0, _buffers = [] } = receiverOf(socket)
  return _state !== 0 || _fragmented !== 0 || _buffers.length > 0
}
