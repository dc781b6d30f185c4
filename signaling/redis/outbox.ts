/** Effects on their way to the nodes that have the sockets. */
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'

/** The node of a socket: its name begins the socket's. */
export const nodeOf = (who: ConnectionId): string => who.slice(0, 16)

/** Arguments of a script: a node, then its effects as text, and so on; each node's in their order. */
export function byNode(effects: readonly Effect[]): readonly string[] {
  const sorted = new Map<string, Effect[]>()
  for (const effect of effects) {
    const node = nodeOf(effect.to)
    const others = sorted.get(node)
    if (others === undefined) sorted.set(node, [effect])
    else others.push(effect)
  }
  return [...sorted].flatMap(([node, own]) => [node, JSON.stringify(own)])
}
