/** Groups effects by the nodes of their sockets. */
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'

/** The node of a socket: a socket's name begins with it. */
export const nodeOf = (who: ConnectionId): string => who.slice(0, 16)

/** Arguments of a script: pairs of a node and its effects as text, in order. */
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
