/** Which router this network has, and how it can be asked for ports. */
import type { Clock } from '#client/clock'
import { defaultGateway } from './gateway'
import { findNatPmp } from './nat-pmp'
import { findPcp } from './pcp'
import type { MappingProtocol, RouterPlace } from './router'
import { ownAddressTowards } from './router-question'
import { findUpnp } from './upnp'

/** A router that is being asked. */
export type FoundRouter = {
  readonly place: RouterPlace
  /** The best one first; `null` for one that it doesn't speak, which may take seconds to be known. */
  readonly protocols: readonly Promise<MappingProtocol | null>[]
}

/** The computer's own clock, for whose timers no program runs on. */
const backgroundClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs).unref()
    return () => {
      clearTimeout(timer)
    }
  },
}

/** `null`: there is no router. */
export type FindRouter = () => Promise<FoundRouter | null>

/** For who is not to ask any. */
export const noRouter: FindRouter = () => Promise.resolve(null)

/** Asks only who is there, and opens nothing. `null`: there is no router. */
export async function findRouter(
  clock: Clock = backgroundClock,
  find: () => Promise<string | null> = defaultGateway,
): Promise<FoundRouter | null> {
  const gateway = await find()
  const own = gateway === null ? null : await ownAddressTowards(gateway)
  if (gateway === null || own === null) return null
  const place = { gateway, own, clock }
  const protocols = [findPcp(place), findNatPmp(place), findUpnp(place)]
  // Nothing that a router makes of this ends the program.
  return { place, protocols: protocols.map((each) => each.catch(() => null)) }
}
