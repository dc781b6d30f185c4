/** What a client has sent of a message that it hasn't ended. */
import type { WebSocket } from 'ws'

/** The library has no public names for it; tests fail when a version has others. */
type Receiver = {
  /** 0 between frames. */
  readonly _state?: number
  /** The kind of the message whose fragments came so far; 0 between messages. */
  readonly _fragmented?: number
  /** What came of the frame that isn't whole. */
  readonly _buffers?: readonly Buffer[]
  /** Whole fragments. */
  readonly _fragments?: readonly Buffer[]
}

const receiverOf = (socket: WebSocket): Receiver =>
  (socket as unknown as { readonly _receiver?: Receiver | null })._receiver ?? {}

/** Bytes of memory that it keeps: a fragment of one byte keeps all that arrived together with it. */
export function unfinishedBytes(socket: WebSocket): number {
  const { _buffers = [], _fragments = [] } = receiverOf(socket)
  if (_buffers.length === 0 && _fragments.length === 0) return 0
  const kept = new Set([..._buffers, ..._fragments].map(({ buffer }) => buffer))
  let bytes = 0
  for (const { byteLength } of kept) bytes += byteLength
  return bytes
}

/** Whether there is one. */
export function isMidMessage(socket: WebSocket): boolean {
  const { _state = 0, _fragmented = 0, _buffers = [] } = receiverOf(socket)
  return _state !== 0 || _fragmented !== 0 || _buffers.length > 0
}
