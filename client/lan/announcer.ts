/** Announces this program and its shares on the local networks, and checks that they are visible there. */
import type { Packet } from 'dns-packet'
import type { Clock } from '#client/clock'
import {
  announce,
  type Announcement,
  announcementsIn,
  asksForShares,
  mayConcernShares,
  recordsOf,
} from '#client/lan/announcement'
import type { NearAddress } from '#client/lan/interfaces'
import type { MulticastSockets } from '#client/lan/multicast-sockets'
import type { LocalNetworkStatus } from '#shared/state/local-network-status'

/** An announcement is repeated once in case it got lost (RFC 6762, section 8.3). */
const repeatMs = 1000

/** Minimum time between two answers on one network: an answer is longer than a question. */
const restMs = 500

/** A program receives its own packets within milliseconds; a firewall that blocks those blocks all others, too. */
const echoMs = 2000

/** The time between two checks of visibility while something is shared, and while only the computer is announced. */
const checkMs = 15_000
const quietCheckMs = 60_000

/** Limits the announcements in one packet, so that it fits one datagram of any network. */
const maxInPacket = 5

/** Dependencies of `Announcer`. */
export type AnnouncerOptions = {
  readonly sockets: MulticastSockets
  readonly port: number
  readonly clock: Clock
  readonly isVisible: boolean
  readonly addresses: () => readonly NearAddress[]
  /** True if this computer's signaling server answers at one of its addresses. */
  readonly answersAt: (address: string) => Promise<boolean>
  readonly onStatus: (status: LocalNetworkStatus) => void
  /** See `LocalNetworkOptions`. */
  readonly hasPage?: boolean
}

/** Each program has one; it is idle while it announces nothing. */
export class Announcer {
  readonly #options: AnnouncerOptions
  /** Everything that is announced: shares, and this computer. */
  readonly #shares = new Set<Announcement>()
  readonly #computers = new Set<Announcement>()
  /** Networks on which an own announcement was received. */
  readonly #echoes = new Set<string>()
  /** The time of the last answer on each network, or of the next one if it is scheduled. */
  readonly #toldAtMs = new Map<string, number>()
  readonly #cancels = new Set<() => void>()
  #leaveSockets: (() => void) | null = null
  #checks = 0
  #isVisible: boolean
  /** The latest reported status as JSON. */
  #status = ''

  constructor(options: AnnouncerOptions) {
    this.#options = options
    this.#isVisible = options.isVisible
  }

  /** Shows all shares, or hides them. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return
    this.#isVisible = isVisible
    if (isVisible) {
      this.#report({ phase: 'idle' })
      if (this.#shares.size > 0) this.#begin()
    } else {
      this.#tell([...this.#shares], true)
      this.#end()
    }
  }

  #report(status: LocalNetworkStatus): void {
    const text = JSON.stringify(status)
    if (text !== this.#status) this.#options.onStatus(status)
    this.#status = text
  }

  /** Announces a share until the returned function is called. */
  announce(nameplate: string): () => void {
    return this.#add(announce(nameplate, this.#options.port))
  }

  /** Announces this computer with these texts until the returned function is called. */
  announceComputer(instance: string, texts: Announcement['texts']): () => void {
    const computer = { instance, port: this.#options.port, texts }
    this.#computers.add(computer)
    const stop = this.#add(computer)
    return () => {
      stop()
      this.#computers.delete(computer)
    }
  }

  #add(added: Announcement): () => void {
    const isFirstShare = this.#shares.size === this.#computers.size
    this.#shares.add(added)
    if (this.#leaveSockets !== null) {
      this.#tellTwice([added])
      if (isFirstShare) this.#check()
    } else if (this.#isVisible) this.#begin()
    return () => {
      if (!this.#shares.delete(added) || !this.#isVisible) return
      this.#tell([added], true)
      if (this.#shares.size === 0) this.#end()
    }
  }

  #begin(): void {
    this.#leaveSockets = this.#options.sockets.use({
      concerns: mayConcernShares,
      onSocket: (place) => this.#tellTwice([...this.#shares], place),
      onPacket: (packet, _from, place) => this.#onPacket(packet, place),
    })
    this.#check()
  }

  #end(): void {
    this.#leaveSockets?.()
    this.#leaveSockets = null
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
    this.#echoes.clear()
    this.#toldAtMs.clear()
    this.#checks += 1
    this.#report({ phase: this.#isVisible ? 'idle' : 'off' })
  }

  #tellTwice(shares: readonly Announcement[], place?: NearAddress): void {
    this.#tell(shares, false, place)
    this.#after(repeatMs, () =>
      this.#tell(
        shares.filter((one) => this.#shares.has(one)),
        false,
        place,
      ),
    )
  }

  #tell(shares: readonly Announcement[], isOver: boolean, place?: NearAddress): void {
    for (const some of this.#packetsOf(shares)) {
      this.#options.sockets.send((where): Packet => {
        const answers = some.flatMap((share) => recordsOf(share, where, isOver))
        return { type: 'response', answers }
      }, place)
    }
  }

  /** A computer's announcement is long, and has its own packet. */
  #packetsOf(shares: readonly Announcement[]): readonly (readonly Announcement[])[] {
    const others = shares.filter((one) => !this.#computers.has(one))
    const packets = shares.filter((one) => this.#computers.has(one)).map((one) => [one])
    for (let at = 0; at < others.length; at += maxInPacket) {
      packets.push(others.slice(at, at + maxInPacket))
    }
    return packets
  }

  #onPacket(packet: Packet, place: NearAddress): void {
    if (asksForShares(packet)) this.#answer(place)
    const own = new Set([...this.#shares].map(({ instance }) => instance))
    if (announcementsIn(packet).some(({ instance }) => own.has(instance)))
      this.#echoes.add(place.name)
  }

  /** Answers immediately, or once the network has rested; questions in between share that answer. */
  #answer(place: NearAddress): void {
    const key = `${place.name} ${place.family}`
    const now = this.#options.clock.now()
    const told = this.#toldAtMs.get(key)
    if (told !== undefined && told > now) return
    const waitMs = told === undefined ? 0 : Math.max(0, told + restMs - now)
    this.#toldAtMs.set(key, now + waitMs)
    if (waitMs === 0) this.#tell([...this.#shares], false, place)
    else this.#after(waitMs, () => this.#tell([...this.#shares], false, place))
  }

  /** Checks visibility now, after the echo, and then repeatedly. */
  #check(): void {
    this.#checks += 1
    const check = this.#checks
    this.#after(echoMs, () => void this.#conclude(check))
    // Reports early if all is well, which is usual.
    this.#after(0, () => void this.#conclude(check, true))
  }

  async #conclude(check: number, isEarly = false): Promise<void> {
    const { addresses, answersAt, port } = this.#options
    const near = addresses()
    const answers = await Promise.all(near.map(({ address }) => answersAt(address)))
    if (check !== this.#checks) return
    const urls = near.flatMap(({ address, family }, index) =>
      answers[index] === true && !address.includes('%')
        ? [`ws://${family === 6 ? `[${address}]` : address}:${port}`]
        : [],
    )
    const isHeard = this.#echoes.size > 0
    if (isHeard && answers.includes(true))
      this.#report({ phase: 'visible', urls, ...(this.#options.hasPage && { hasPage: true }) })
    else if (!isEarly) {
      const reason =
        near.length === 0 ? 'no-network' : answers.includes(true) ? 'multicast' : 'port'
      this.#report({ phase: 'blocked', reason, urls })
    }
    if (isEarly) return
    const isQuiet = this.#shares.size === this.#computers.size
    this.#after(isQuiet ? quietCheckMs : checkMs, () => {
      if (check !== this.#checks) return
      this.#echoes.clear()
      this.#tell([...this.#shares], false)
      this.#check()
    })
  }

  #after(delayMs: number, run: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#cancels.delete(cancel)
      run()
    })
    this.#cancels.add(cancel)
  }
}
