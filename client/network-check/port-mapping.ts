/** Checks that the router could open a port: only detects protocols, and opens nothing. */
import { type Clock, systemClock } from '#client/clock'
import { findRouter } from '#client/port-mapping/find-router'
import { defaultGateway } from '#client/port-mapping/gateway'
import type { MappingProtocol } from '#client/port-mapping/router'
import { scopeOfAddress } from '#client/signaling/address-scope'
import { withTimeout } from '#client/with-timeout'
import { type Finding, finding } from '#shared/state/network-check'

/** Limits the check, because a person is waiting. */
const patienceMs = 4500

/** Reports the router's port mapping protocols. */
export async function checkPortMapping(
  find: () => Promise<string | null> = defaultGateway,
  clock: Clock = systemClock,
): Promise<Finding> {
  const router = await findRouter(clock, find)
  if (router === null) return finding('mapping', 'gateless', {})
  const answers = await Promise.all(
    router.protocols.map((each) =>
      withTimeout<MappingProtocol | null>(clock, patienceMs, each, () => null),
    ),
  )
  const found = answers.filter((each): each is MappingProtocol => each !== null)
  const protocols = found.map(({ name }) => name)
  if (protocols.length === 0) return finding('mapping', 'none', {})
  const isNested = found.some(
    ({ outside }) => outside !== null && scopeOfAddress(outside) !== 'public',
  )
  return finding('mapping', isNested ? 'nested' : 'found', { protocols })
}
