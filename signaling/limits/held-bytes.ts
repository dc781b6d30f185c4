/** Bounds what all clients together make the server keep: what they don't read, and messages that they don't end. */
import type { Effect } from '#signaling/rooms/rooms'

/** One of them. */
export type Holder = {
  readonly heldBytes: number
  /** Ends its socket without a handshake, for which it would have to read. */
  readonly terminate: () => void
}

/** Bytes of bodies that these effects bring: all that is long in them. */
export function bodyBytes(effects: readonly Effect[]): number {
  let bytes = 0
  for (const effect of effects) {
    if ('message' in effect && 'body' in effect.message) bytes += effect.message.body?.length ?? 0
  }
  return bytes
}

/** Ends those that hold most until the others have no more than `most` together; how many it ended. */
export function endHeaviest(holders: Iterable<Holder>, most: number): number {
  let total = 0
  const heavy: { readonly holder: Holder; readonly bytes: number }[] = []
  for (const holder of holders) {
    const bytes = holder.heldBytes
    total += bytes
    if (bytes > 0) heavy.push({ holder, bytes })
  }
  if (total <= most) return 0
  heavy.sort((one, other) => other.bytes - one.bytes)
  let ended = 0
  for (const { holder, bytes } of heavy) {
    if (total <= most) break
    holder.terminate()
    total -= bytes
    ended += 1
  }
  return ended
}
