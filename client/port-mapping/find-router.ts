/** Finds this network's router and its protocols for mapping ports. */
import type { Clock } from '#client/clock'
import { defaultGateway } from './gateway'
import { findNatPmp } from './nat-pmp'
import { findPcp } from './pcp'
import type { MappingProtocol, RouterEndpoint } from './router'
import { ownAddressTowards } from './router-question'
import { findUpnp } from './upnp'

/** A router, whose protocols are still being detected. */
export type FoundRouter = {
  readonly place: RouterEndpoint
  /** The best protocol first. Detecting an unsupported one may take seconds, and gives `null`. */
  readonly protocols: readonly Promise<MappingProtocol | null>[]
}

/** The computer's own clock, with timers that don't keep the program running. */
const backgroundClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs).unref()
    return () => clearTimeout(timer)
  },
}

/** Returns `null` if there is no router. */
export type FindRouter = () => Promise<FoundRouter | null>

/** Finds no router, for programs that must not map ports. */
export const noRouter: FindRouter = () => Promise.resolve(null)

/** Only detects protocols, and opens nothing. Returns `null` if there is no router. */
export async function findRouter(
  clock: Clock = backgroundClock,
  find: () => Promise<string | null> = defaultGateway,
): Promise<FoundRouter | null> {
  const gateway = await find()
  const own = gateway === null ? null : await ownAddressTowards(gateway)
  if (gateway === null || own === null) return null
  const place = { gateway, own, clock }
  const protocols = [findPcp(place), findNatPmp(place), findUpnp(place)]
  // No answer of a router may end the program.
  return { place, protocols: protocols.map((each) => each.catch(() => null)) }
}
