/** A router that may map its external ports to ports of this computer, and its mapping protocols. */
import type { Clock } from '#client/clock'
import type { UdpPort } from '#client/engine'

/** A router's address, and this computer's address towards it. */
export type RouterEndpoint = {
  readonly gateway: string
  /** This computer's address on the way to the gateway. */
  readonly own: string
  readonly clock: Clock
}

/** The external address and port of a mapping, and its lifetime. */
export type Mapping = UdpPort & { readonly lifetimeSeconds: number }

/** A mapping protocol that a router supports. */
export interface MappingProtocol {
  readonly name: 'PCP' | 'NAT-PMP' | 'UPnP'
  /** The router's external address; `null` if mappings carry it. */
  readonly outside: string | null
  /**
   * Maps a port of this computer or renews its mapping, as `before` if that is free. Returns `null`
   * if the router refuses.
   */
  map(port: number, before: Mapping | null): Promise<Mapping | null>
  /** Deletes a mapping. */
  unmap(port: number, mapping: Mapping): Promise<void>
}

/** The requested lifetime, which limits the mappings that a crashed program leaves. They are renewed after half of it. */
export const leaseSeconds = 1200
