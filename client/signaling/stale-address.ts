/** Detects sockets with addresses that this computer no longer has. */
import { networkInterfaces } from 'node:os'

/**
 * True if a socket with this address is dead because the computer is on another network. While it is on none, the
 * address may return.
 */
export function isStaleAddress(
  address: string,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): boolean {
  const own = Object.values(interfaces).flatMap((addresses = []) => addresses)
  const [bare = ''] = address.split('%')
  if (own.some((each) => each.address === bare)) return false
  return own.some(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
}
