/**
 * Asks the router to map the ports of new connections, so that the other side can reach this computer even if both
 * routers filter. Connections never wait for the router: a mapping is one more candidate.
 */
import type { Clock } from '#client/clock'
import type { UdpPort } from '#client/engine'
import type { EngineLink, PortWatcher } from '#client/engine-link'
import { scopeOfAddress, scopeOfServer } from '#client/signaling/address-scope'
import { withTimeout } from '#client/with-timeout'
import { parseServerUrl } from '#shared/signaling/server-url'
import type { FindRouter, FoundRouter } from './find-router'
import { leaseSeconds, type Mapping, type MappingProtocol } from './router'

/** Limits the ports mapped at a time: the table of a small router has room for a few hundred. */
const maxPorts = 64

/** The pause before a router that gave no mapping, or is behind another router, is queried again. */
const quietMs = 10 * 60_000

/** Shorter leases would end between two attempts to renew them. */
const minLeaseSeconds = 120
/** Services use lower ports; the other side drops candidates there. */
const minPort = 1024

const renewAgainMs = 30_000
const maxRenewTries = 3
/** Networks change in bursts. */
const settleMs = 1000
/** Mappings that remain after this time expire later. */
const farewellMs = 2000

/** See `PortMapper`. */
export type PortMapperOptions = {
  readonly clock: Clock
  readonly engine: Pick<EngineLink, 'post' | 'watchPorts'>
  readonly find: FindRouter
  /** True if sessions over this signaling server may have ports mapped, by the settings. */
  readonly isWanted: (server: string) => boolean
}

type Held = { readonly protocol: MappingProtocol; readonly mapping: Mapping }

type Entry = {
  readonly port: UdpPort
  /** The signaling server of the port's session. */
  readonly server: string
  held: Held | null
  /** The latest request for this port; a mapping granted after the port closed is deleted there. */
  asking: Promise<void>
  /** True once its mapping was requested from the router. */
  isAsked: boolean
  failures: number
  cancel: () => void
}

type Known = { readonly router: Promise<FoundRouter | null>; hasMapped: boolean }

/** Observes the sessions of one engine, and their ports. */
export class PortMapper implements PortWatcher {
  readonly #options: PortMapperOptions
  readonly #entries = new Map<string, Entry>()
  /** Detected once for each network, when the first session begins. */
  #known: Known | null = null
  #quietUntilMs = 0
  #cancelRefresh: (() => void) | null = null
  /** Deletions that are still running. */
  readonly #endings = new Set<Promise<void>>()
  #isClosed = false

  constructor(options: PortMapperOptions) {
    this.#options = options
  }

  /** Detects the router when a session over this signaling server begins, ahead of its ports. */
  onSession(server: string): void {
    if (this.#mayAsk(server)) this.#router()
  }

  /** Answers for a new port, for which the engine waits. `server`: its session's server; `null` if the session is over. */
  onOpened({ address, port }: UdpPort, server: string | null): void {
    if (server === null || !this.#mayAsk(server) || this.#entries.size >= maxPorts) {
      this.#answer({ address, port }, null)
      return
    }
    const entry: Entry = {
      port: { address, port },
      server,
      held: null,
      failures: 0,
      asking: Promise.resolve(),
      isAsked: false,
      cancel: () => undefined,
    }
    this.#entries.set(keyOf(entry.port), entry)
    entry.asking = this.#open(entry)
  }

  /** Deletes the mapping of a closed port. */
  onClosed(port: UdpPort): void {
    const entry = this.#entries.get(keyOf(port))
    if (entry !== undefined) this.#awaitAtEnd(this.#close(entry))
  }

  /** Maps everything again, because the router may be a different one. */
  onNetworkChange(): void {
    if (this.#isClosed) return
    this.#known = null
    this.#quietUntilMs = 0
    this.#cancelRefresh ??= this.#options.clock.after(settleMs, () => {
      this.#cancelRefresh = null
      for (const entry of this.#entries.values()) if (entry.held !== null) this.#renew(entry)
    })
  }

  /** Deletes all mappings, except those for which the router does not answer within two seconds. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRefresh?.()
    for (const entry of [...this.#entries.values()]) this.#awaitAtEnd(this.#close(entry))
    await withTimeout(this.#options.clock, farewellMs, Promise.all(this.#endings), () => [])
  }

  /** A server that only this network can reach brings no peers from outside. */
  #mayAsk(server: string): boolean {
    const isQuiet = this.#options.clock.now() < this.#quietUntilMs
    if (this.#isClosed || isQuiet || !this.#options.isWanted(server)) return false
    const scope = scopeOfServer(server)
    return parseServerUrl(server).ok && scope !== 'private' && scope !== 'loopback'
  }

  #router(): Known {
    this.#known ??= { router: this.#options.find().catch(() => null), hasMapped: false }
    return this.#known
  }

  #answer(port: UdpPort, mapping: Mapping | null): void {
    const mapped = mapping && { address: mapping.address, port: mapping.port }
    this.#options.engine.post({ type: 'add-mapping', port, mapped })
  }

  #isOpen(entry: Entry): boolean {
    return this.#entries.get(keyOf(entry.port)) === entry
  }

  async #open(entry: Entry): Promise<void> {
    const held = await this.#map(entry)
    if (!this.#isOpen(entry)) {
      if (held !== null) await this.#unmap(entry, held)
      return
    }
    this.#answer(entry.port, held?.mapping ?? null)
    if (held === null) this.#entries.delete(keyOf(entry.port))
    else this.#keep(entry, held)
  }

  #keep(entry: Entry, held: Held): void {
    entry.held = held
    entry.failures = 0
    const seconds = Math.min(held.mapping.lifetimeSeconds, leaseSeconds)
    this.#later(entry, (seconds * 1000) / 2)
  }

  #later(entry: Entry, delayMs: number): void {
    entry.cancel()
    entry.cancel = this.#options.clock.after(delayMs, () => this.#renew(entry))
  }

  #renew(entry: Entry): void {
    entry.cancel()
    entry.asking = entry.asking.then(() => this.#mapAgain(entry))
  }

  async #mapAgain(entry: Entry): Promise<void> {
    if (!this.#isOpen(entry)) return
    const before = entry.held
    if (!this.#options.isWanted(entry.server)) {
      this.#entries.delete(keyOf(entry.port))
      if (before !== null) await this.#unmap(entry, before)
      return
    }
    const held = await this.#map(entry)
    if (held !== null && before !== null && isElsewhere(before, held)) {
      this.#awaitAtEnd(this.#unmap(entry, before))
    }
    if (!this.#isOpen(entry)) {
      if (held !== null) await this.#unmap(entry, held)
    } else if (held !== null) {
      this.#keep(entry, held)
    } else {
      entry.failures += 1
      if (entry.failures < maxRenewTries) this.#later(entry, renewAgainMs)
    }
  }

  async #close(entry: Entry): Promise<void> {
    entry.cancel()
    this.#entries.delete(keyOf(entry.port))
    if (!entry.isAsked) return
    await entry.asking
    const { held } = entry
    entry.held = null
    if (held !== null) await this.#unmap(entry, held)
  }

  #unmap({ port }: Entry, { protocol, mapping }: Held): Promise<void> {
    return protocol.unmap(port.port, mapping).catch(() => undefined)
  }

  #awaitAtEnd(ending: Promise<void>): void {
    const settled = ending.finally(() => this.#endings.delete(settled))
    this.#endings.add(settled)
  }

  /** Queries the known router; if that no longer maps anything, searches for a router once more. */
  async #map(entry: Entry): Promise<Held | null> {
    const known = this.#router()
    const held = await this.#mapBy(known, entry)
    if (held !== null || !known.hasMapped) return held
    if (this.#known === known) this.#known = null
    return this.#mapBy(this.#router(), entry)
  }

  async #mapBy(known: Known, entry: Entry): Promise<Held | null> {
    const { port, held } = entry
    const router = await known.router
    if (router === null || router.place.own !== port.address) return null
    for (const found of router.protocols) {
      const protocol = await found
      if (protocol === null || !mayLeadHere(protocol.outside)) continue
      if (!this.#isOpen(entry)) return null
      entry.isAsked = true
      const mapping = await protocol.map(port.port, held?.mapping ?? null).catch(() => null)
      if (mapping === null) continue
      if (isOfUse(mapping)) {
        known.hasMapped = true
        return { protocol, mapping }
      }
      this.#awaitAtEnd(this.#unmap(entry, { protocol, mapping }))
      break
    }
    if (!known.hasMapped && this.#known === known) {
      this.#known = null
      this.#quietUntilMs = this.#options.clock.now() + quietMs
    }
    return null
  }
}

/** Maps ports for the sessions of an engine, until it is closed. */
export const mapPorts = (options: PortMapperOptions): void =>
  options.engine.watchPorts(new PortMapper(options))

const keyOf = ({ address, port }: UdpPort): string => `${address}:${port}`

/** True for two mappings of one port by different protocols, of which the earlier one is useless. */
const isElsewhere = (before: Held, now: Held): boolean =>
  before.protocol.name !== now.protocol.name && before.mapping.port !== now.mapping.port

/** An address that another router translates again does not lead here (double NAT, RFC 6598). */
const mayLeadHere = (outside: string | null): boolean =>
  outside === null || scopeOfAddress(outside) === 'public'

const isOfUse = ({ address, port, lifetimeSeconds }: Mapping): boolean =>
  mayLeadHere(address) && port >= minPort && lifetimeSeconds >= minLeaseSeconds
