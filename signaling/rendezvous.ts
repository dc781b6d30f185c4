import type { ClientMessage } from '#shared/signaling'
import { isLoopback } from '#signaling/address'
import type { Clock } from '#signaling/clock'
import type { Passes, PassId } from '#signaling/passes'
import type { Random } from '#signaling/random'
import { nameplateDigits, type RoomStore } from '#signaling/room-store'
import {
  type ConnectionId,
  type Effect,
  type RoomEvent,
  type RoomRules,
  step,
} from '#signaling/rooms'

/** Used share of one length's nameplates above which the next length is taken, so that guessing one stays rare. */
const crowded = 0.3

/** In a space that is 30 % full, this many draws miss once in 10^33. */
const draws = 64

/** Rules of the rooms, and how many there may be. */
export type RendezvousRules = RoomRules & {
  readonly maxSessions: number
  /** Sessions of one address; networks have multiples, see `networksOf`. */
  readonly maxSessionsPerAddress: number
  /** This computer's own addresses count only in `maxSessions`. */
  readonly trustLoopback: boolean
}

type HostMessage = Extract<ClientMessage, { readonly t: 'host' }>
/** Who asks for a nameplate, and from where. */
type NewSeat = {
  readonly host: ConnectionId
  readonly origin: string
  readonly owner: string
  readonly isVisible: boolean
}
type JoinMessage = Extract<ClientMessage, { readonly t: 'join' }>

/** Brings the rooms' state machine together with where rooms are kept, time and randomness. */
export class Rendezvous {
  readonly #store: RoomStore
  #rules: RendezvousRules
  readonly #clock: Clock
  readonly #random: Random
  readonly #passes: Passes

  constructor(
    store: RoomStore,
    rules: RendezvousRules,
    clock: Clock,
    random: Random,
    passes: Passes,
  ) {
    this.#store = store
    this.#rules = rules
    this.#clock = clock
    this.#random = random
    this.#passes = passes
  }

  /** From now on other rules; sessions that are open keep their end. */
  set rules(rules: RendezvousRules) {
    this.#rules = rules
  }

  /** True when `owner`, who has shown to be it, has a nameplate here. */
  async isOwner(owner: string): Promise<boolean> {
    return (await this.#store.findByOwner(owner)) !== null
  }

  /**
   * Gives the owner's nameplate back, or the requested one, or a free one. Whoever names an `owner`
   * has proved to be it.
   */
  async host(
    host: ConnectionId,
    origin: string,
    { owner, nameplate, visible: isVisible = false }: HostMessage,
  ): Promise<readonly Effect[]> {
    const owned = owner === undefined ? null : await this.#store.findByOwner(owner)
    if (owner !== undefined && owned !== null) {
      return this.#apply(owned, { type: 'attach', host, origin, owner, isVisible })
    }
    const usage = await this.#store.usage()
    const sessions = usage.phases.hosted + usage.phases.absent
    if (sessions >= this.#rules.maxSessions || !(await this.#hasRoomFor(origin))) {
      return [{ type: 'refuse', to: host, code: 'E_SERVER_BUSY' }]
    }
    // Without a key nobody can prove to be the owner.
    const someKey = (): string => this.#random.bytes(32).toString('base64url')
    const seat = { host, origin, owner: owner ?? someKey(), isVisible }
    if (nameplate !== undefined) {
      const opened = await this.#open(seat, nameplate, false)
      return opened ?? [{ type: 'refuse', to: host, code: 'E_NO_SUCH_CODE' }]
    }
    for (const digits of nameplateDigits) {
      const space = 9 * 10 ** (digits - 1)
      if (usage.taken[digits] > crowded * space) continue
      const opened = await this.#openAny(seat, digits, false)
      if (opened !== null) return opened
    }
    const recycled = await this.#openAny(seat, 6, true)
    return recycled ?? [{ type: 'refuse', to: host, code: 'E_SERVER_BUSY' }]
  }

  /** Which pass of whoever hosts this nameplate it is; `null` for none. */
  async passOf(nameplate: string, pass: string): Promise<PassId | null> {
    const owner = await this.#store.ownerOf(nameplate)
    return owner === null ? null : this.#passes.idOf(pass, nameplate, owner)
  }

  /** A pass for whom the host of this nameplate invites; `null` when nobody hosts it. */
  async invite(nameplate: string): Promise<string | null> {
    const owner = await this.#store.ownerOf(nameplate)
    return owner === null ? null : this.#passes.issue(nameplate, owner)
  }

  /**
   * Introduces a joiner to the host of a nameplate; `pass` when it is good. For one that `isGuest` there
   * are no hosts but visible ones.
   */
  join(
    joiner: ConnectionId,
    { nameplate, body }: JoinMessage,
    pass: PassId | null,
    isGuest = false,
  ): Promise<readonly Effect[]> {
    const joinerId = this.#peerId()
    const hostId = this.#peerId()
    return this.#apply(nameplate, { type: 'join', joiner, joinerId, hostId, pass, body, isGuest })
  }

  /** Passes a sealed message on within a nameplate. */
  relay(
    sender: ConnectionId,
    nameplate: string,
    to: string,
    body: string,
  ): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'relay', sender, to, body })
  }

  /** A host lets one of its joiners in. */
  grant(sender: ConnectionId, nameplate: string, peer: string): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'grant', sender, peer })
  }

  /** A participant said that it leaves. */
  leave(who: ConnectionId, nameplate: string): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'leave', who })
  }

  /** A participant's socket ended. */
  drop(who: ConnectionId, nameplate: string): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'drop', who })
  }

  /** Ends what is over by now; the effects concern hosts and joiners of ended sessions. */
  async sweep(): Promise<readonly Effect[]> {
    const effects: Effect[] = []
    for (const nameplate of await this.#store.due(this.#clock.now())) {
      effects.push(...(await this.#apply(nameplate, { type: 'tick' })))
    }
    return effects
  }

  #apply(nameplate: string, event: RoomEvent): Promise<readonly Effect[]> {
    return this.#store.update(nameplate, (room) =>
      step(room, event, this.#rules, this.#clock.now()),
    )
  }

  #hasRoomFor(origin: string): Promise<boolean> {
    const { trustLoopback, maxSessionsPerAddress } = this.#rules
    if (trustLoopback && isLoopback(origin)) return Promise.resolve(true)
    return this.#store.fits(origin, maxSessionsPerAddress)
  }

  async #openAny(
    seat: NewSeat,
    digits: number,
    recycle: boolean,
  ): Promise<readonly Effect[] | null> {
    for (let draw = 0; draw < draws; draw += 1) {
      const nameplate = this.#random.between(10 ** (digits - 1), 10 ** digits)
      const opened = await this.#open(seat, String(nameplate), recycle)
      if (opened !== null) return opened
    }
    return null
  }

  async #open(
    seat: NewSeat,
    nameplate: string,
    recycle: boolean,
  ): Promise<readonly Effect[] | null> {
    const open: RoomEvent = { type: 'open', nameplate, ...seat }
    const { room, effects } = step(null, open, this.#rules, this.#clock.now())
    return room !== null && (await this.#store.create(room, recycle)) ? effects : null
  }

  #peerId(): string {
    return this.#random.bytes(8).toString('hex')
  }
}
