/** Sockets of an address that this computer no longer has. */
import { networkInterfaces } from 'node:os'

/**
 * True when nothing can come back to a socket of this address, since the computer is on another network now. While it
 * is on none, the address may return.
 */
export function hasMovedFrom(
  address: string,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): boolean {
  const own = Object.values(interfaces).flatMap((addresses = []) => addresses)
  const [bare = ''] = address.split('%')
  if (own.some((each) => each.address === bare)) return false
  return own.some(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
}
