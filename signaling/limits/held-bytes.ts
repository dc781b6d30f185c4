/** Limits the memory that all clients together occupy with unread and incomplete messages. */
import type { Effect } from '#signaling/rooms/rooms'

/** A client that holds memory. */
export type Holder = {
  readonly heldBytes: number
  /** Ends its socket without a closing handshake, which would require it to read. */
  readonly terminate: () => void
}

/** The bytes of bodies in these effects; everything else in them is short. */
export function bodyBytes(effects: readonly Effect[]): number {
  let bytes = 0
  for (const effect of effects) {
    if ('message' in effect && 'body' in effect.message) bytes += effect.message.body?.length ?? 0
  }
  return bytes
}

/** Ends the heaviest holders until the rest hold at most `most` together; returns the number ended. */
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
