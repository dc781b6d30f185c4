/** A router that may map ports of this computer to ports of its own address outside, and how one is asked to. */
import type { Clock } from '#client/clock'
import type { UdpPort } from '#client/engine'

/** Where a router is, and who asks it. */
export type RouterPlace = {
  /** Its address. */
  readonly gateway: string
  /** This computer's address on the way there. */
  readonly own: string
  readonly clock: Clock
}

/** What a router has mapped a port to, and for how long it keeps that. */
export type Mapping = UdpPort & { readonly lifetimeSeconds: number }

/** A protocol that a router has answered by. */
export interface MappingProtocol {
  readonly name: 'PCP' | 'NAT-PMP' | 'UPnP'
  /** The router's address outside; `null`: it comes with a mapping. */
  readonly outside: string | null
  /** Maps a port of this computer, or keeps it mapped, as `before` if that is free. `null`: the router doesn't. */
  map(port: number, before: Mapping | null): Promise<Mapping | null>
  /** Takes a mapping back. */
  unmap(port: number, mapping: Mapping): Promise<void>
}

/** What is asked for: a program that crashed leaves its ports mapped for so long. It asks again after half of it. */
export const leaseSeconds = 1200
