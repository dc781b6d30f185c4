/**
 * Meeting on the local network: announces shares of this program there and finds shares of others,
 * by mDNS. Sessions reach a found share at its embedded signaling server.
 */
import type { Clock } from '#client/clock'
import {
  type Announcement,
  announcementsIn,
  isOf,
  mayConcernShares,
  question,
  withdrawnIn,
} from '#client/lan/announcement'
import { Announcer } from '#client/lan/announcer'
import { type NearAddress, nearAddresses } from '#client/lan/interfaces'
import { type OpenMulticast, systemMulticast } from '#client/lan/multicast'
import { MulticastSockets } from '#client/lan/multicast-sockets'
import { askForName } from '#client/lan/name-question'
import { type LocalServer, probe } from '#client/signaling/local-server'
import type { ServerAddress, ServerLocator } from '#client/signaling/server-locator'
import { signalingPath } from '#shared/signaling/paths'
import type { LocalNetworkStatus } from '#shared/state/local-network-status'

/** Delays of the first repeated questions, ms; later ones follow every five seconds. */
const askAgainMs = [250, 750, 1500] as const
const askOnMs = 5000

/** Limits the servers that one search reports; the hash of a different share matches once in 2^64. */
const maxFound = 16

/** Dependencies of `LocalNetwork`. */
export type LocalNetworkOptions = {
  /** The embedded server. */
  readonly server: ServerLocator
  readonly port: number
  readonly clock: Clock
  /** The initial visibility; see `setVisible`. */
  readonly isVisible: boolean
  readonly answersAt: (address: string) => Promise<boolean>
  readonly onStatus: (status: LocalNetworkStatus) => void
  /** True if the embedded server has the page that receives in a browser. */
  readonly hasPage?: boolean
  /** The system's multicast by default. */
  readonly open?: OpenMulticast
  readonly addresses?: () => readonly NearAddress[]
}

/** The server that announces a nameplate, at the announcement's source address. */
export type FoundServer = ServerAddress & {
  /** Identifies the announcement across its addresses. */
  readonly instance: string
}

/** Receives the announcements of a network. */
export type Browser = {
  /** `server`: the signaling server at the announcement's source address. */
  readonly onAnnouncement: (announcement: Announcement, server: FoundServer) => void
  readonly onWithdrawn: (instance: string) => void
}

/** The local network as sessions see it. */
export interface NearNetwork {
  /** The embedded server, which hosts announced shares. */
  readonly server: ServerLocator
  /** Shows or hides announced shares, as a person chooses. */
  setVisible(isVisible: boolean): void
  /** True while shares are visible there and others are searched for. */
  readonly isVisible: boolean
  /** Calls `listener` whenever visibility changes, until the returned function is called. */
  onVisible(listener: () => void): () => void
  /** False if searching is useless: it is turned off, or this computer is on no network. */
  readonly isThere: boolean
  /** Announces a share that the embedded server hosts, until the returned function is called. */
  announce(nameplate: string): () => void
  /**
   * Searches for shares with this nameplate until the returned function is called. `onFound`
   * receives each address once.
   */
  search(nameplate: string, onFound: (server: FoundServer) => void): () => void
  /** Announces this computer with these texts, until the returned function is called. */
  announceComputer(instance: string, texts: Announcement['texts']): () => void
  /** Passes on all announcements until the returned function is called; asks for them at the beginning. */
  browse(browser: Browser): () => void
  /** Resolves an mDNS name to its address; see `askForName`. */
  resolve(name: string, onAnswer: (address: string | null) => void): () => void
}

/** Each program has one. */
export class LocalNetwork implements NearNetwork {
  readonly server: ServerLocator
  readonly #clock: Clock
  readonly #addresses: () => readonly NearAddress[]
  readonly #sockets: MulticastSockets
  readonly #announcer: Announcer
  readonly #listeners = new Set<() => void>()
  #isVisible: boolean

  constructor(options: LocalNetworkOptions) {
    const { server, clock, isVisible, open = systemMulticast, ...rest } = options
    const addresses = options.addresses ?? nearAddresses
    this.server = server
    this.#clock = clock
    this.#addresses = addresses
    this.#sockets = new MulticastSockets({ open, addresses, clock })
    this.#isVisible = isVisible
    this.#announcer = new Announcer({
      ...rest,
      clock,
      isVisible,
      sockets: this.#sockets,
      addresses,
    })
  }

  /** Makes the local network for a program's embedded server; `onStatus` receives each change. */
  static beside(
    server: LocalServer,
    clock: Clock,
    isVisible: boolean,
    onStatus: (status: LocalNetworkStatus) => void,
  ): LocalNetwork {
    const { port, page } = server
    const answersAt = async (address: string): Promise<boolean> =>
      (await probe(port, address)) === 'ours'
    const hasPage = page !== null
    return new LocalNetwork({ server, port, clock, isVisible, answersAt, onStatus, hasPage })
  }

  get isVisible(): boolean {
    return this.#isVisible
  }

  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return
    this.#isVisible = isVisible
    this.#announcer.setVisible(isVisible)
    for (const listener of [...this.#listeners]) listener()
  }

  onVisible(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get isThere(): boolean {
    return this.#isVisible && this.#addresses().length > 0
  }

  announce(nameplate: string): () => void {
    return this.#announcer.announce(nameplate)
  }

  announceComputer(instance: string, texts: Announcement['texts']): () => void {
    return this.#announcer.announceComputer(instance, texts)
  }

  browse({ onAnnouncement, onWithdrawn }: Browser): () => void {
    const leaveSockets = this.#sockets.use({
      concerns: mayConcernShares,
      onSocket: (place) => this.#sockets.send(() => question, place),
      onPacket: (packet, from) => {
        for (const instance of withdrawnIn(packet)) onWithdrawn(instance)
        for (const announcement of announcementsIn(packet)) {
          const { instance, port } = announcement
          onAnnouncement(announcement, { ...addressOf(from, port), instance })
        }
      },
    })
    const cancels = askAgainMs.map((delayMs) =>
      this.#clock.after(delayMs, () => this.#sockets.send(() => question)),
    )
    return () => {
      for (const cancel of cancels) cancel()
      leaveSockets()
    }
  }

  search(nameplate: string, onFound: (server: FoundServer) => void): () => void {
    const found = new Set<string>()
    const leaveSockets = this.#sockets.use({
      concerns: mayConcernShares,
      onSocket: (place) => this.#sockets.send(() => question, place),
      onPacket: (packet, from) => {
        for (const announcement of announcementsIn(packet)) {
          const { instance, port } = announcement
          const key = `${from} ${port}`
          if (found.has(key) || found.size >= maxFound || !isOf(announcement, nameplate)) continue
          found.add(key)
          onFound({ ...addressOf(from, port), instance })
        }
      },
    })
    let asked = 0
    let cancel: () => void = () => undefined
    const askLater = (): void => {
      cancel = this.#clock.after(askAgainMs[asked] ?? askOnMs, () => {
        asked += 1
        this.#sockets.send(() => question)
        askLater()
      })
    }
    askLater()
    return () => {
      cancel()
      leaveSockets()
    }
  }

  resolve(name: string, onAnswer: (address: string | null) => void): () => void {
    return askForName(name, { sockets: this.#sockets, clock: this.#clock }, onAnswer)
  }
}

/** A URL can't carry a zone, so the socket connects to the address itself. */
function addressOf(from: string, port: number): ServerAddress {
  const host = from.replace(/^::ffff:/, '')
  const literal = host.replace(/%.*$/, '')
  const url = `ws://${literal.includes(':') ? `[${literal}]` : literal}:${port}${signalingPath}`
  return { url, embedded: true, dial: { host, port } }
}
