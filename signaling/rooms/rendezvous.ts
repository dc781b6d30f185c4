import type { ClientMessage } from '#shared/signaling/messages'
import type { Clock } from '#signaling/clock'
import type { Random } from '#signaling/random'
import type { Passes, PassId } from '#signaling/rooms/passes'
import {
  type Creation,
  nameplateDigits,
  type Need,
  type RoomStore,
  type SessionBounds,
} from '#signaling/rooms/room-store'
import {
  type ConnectionId,
  type DetourPlace,
  type Effect,
  participants,
  type Room,
  type RoomEvent,
  type RoomRules,
  type Step,
  step,
} from '#signaling/rooms/rooms'
import { isLoopback } from '#signaling/socket/address'

/** Used share of one length's nameplates above which the next length is taken, so that guessing one stays rare. */
const crowded = 0.3

/** In a space that is 30 % full, this many draws miss once in 10^33. */
const draws = 64

/** How old a count of nameplates may be where the next one is drawn: it changes slowly. */
const usageMs = 1000

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
type NewAssignment = {
  readonly host: ConnectionId
  readonly origin: string
  readonly owner: string
  readonly isVisible: boolean
}
type JoinMessage = Extract<ClientMessage, { readonly t: 'join' }>

/** How a new room was asked for: effects of a refusal, or the owner's room that appeared meanwhile. */
type Opened = { readonly creation: Creation; readonly effects: readonly Effect[] }

/**
 * Brings the rooms' state machine together with where rooms are kept, time and randomness. The store
 * delivers effects; they are returned for those who want to know what came of it.
 */
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

  /** The nameplate that `owner` has here. */
  ownedBy(owner: string): Promise<string | null> {
    return this.#store.findByOwner(owner)
  }

  /**
   * Gives the owner's nameplate back, which is `owned` if that is known, or the requested one, or a free one.
   * Whoever names an `owner` has proved to be it.
   */
  async host(
    host: ConnectionId,
    origin: string,
    { owner, nameplate, visible: isVisible = false }: HostMessage,
    owned: string | null = null,
  ): Promise<readonly Effect[]> {
    // Without a key nobody can prove to be the owner.
    const someKey = (): string => this.#random.bytes(32).toString('base64url')
    const assignment = { host, origin, owner: owner ?? someKey(), isVisible }
    if (owned !== null) return this.#attach(owned, assignment)
    const { creation, effects } = await this.#open(assignment, nameplate)
    if (creation === 'kept') return effects
    if (creation === 'owner') {
      // The same owner got one on another socket just now.
      const other = await this.#store.findByOwner(assignment.owner)
      if (other !== null) return this.#attach(other, assignment)
    }
    const isMiss = nameplate !== undefined && creation === 'taken'
    return this.#refuse(host, isMiss ? 'E_NO_SUCH_CODE' : 'E_SERVER_BUSY')
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
    return this.#apply(
      nameplate,
      { type: 'join', joiner, joinerId, hostId, pass, body, isGuest },
      pass === null ? 'new' : 'running',
    )
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
  grant(
    sender: ConnectionId,
    nameplate: string,
    peer: string,
    detoursAt: DetourPlace,
  ): Promise<readonly Effect[]> {
    const pass = this.#passes.newId()
    return this.#apply(nameplate, { type: 'grant', sender, peer, pass, detoursAt })
  }

  /** A participant said that it leaves. */
  leave(who: ConnectionId, nameplate: string): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'leave', who })
  }

  /** A participant's socket ended. */
  drop(who: ConnectionId, nameplate: string): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'drop', who })
  }

  /** Takes all of whom `isGone` is true out of a room, as if their sockets had ended. */
  release(nameplate: string, isGone: (who: ConnectionId) => boolean): Promise<readonly Effect[]> {
    return this.#store.update(nameplate, (before) => {
      let room = before
      const effects: Effect[] = []
      for (const who of before === null ? [] : participants(before).filter(isGone)) {
        const after: Step = this.#step(room, { type: 'drop', who })
        room = after.room
        effects.push(...after.effects)
      }
      return { room, effects }
    })
  }

  /** Ends what is over by now; the effects concern hosts and joiners of ended sessions. */
  async sweep(): Promise<readonly Effect[]> {
    const effects: Effect[] = []
    for (const nameplate of await this.#store.due(this.#clock.now())) {
      effects.push(...(await this.#apply(nameplate, { type: 'tick' })))
    }
    return effects
  }

  #apply(nameplate: string, event: RoomEvent, need: Need = 'running'): Promise<readonly Effect[]> {
    return this.#store.update(nameplate, (room) => this.#step(room, event), need)
  }

  #attach(nameplate: string, assignment: NewAssignment): Promise<readonly Effect[]> {
    return this.#store.update(
      nameplate,
      (room, isFull) => this.#step(room, { type: 'attach', ...assignment, isFull }),
      'running',
      this.#boundsAt(assignment.origin),
    )
  }

  #step(room: Room | null, event: RoomEvent): Step {
    return step(room, event, this.#rules, this.#clock.now())
  }

  #refuse(host: ConnectionId, code: 'E_NO_SUCH_CODE' | 'E_SERVER_BUSY'): readonly Effect[] {
    const effects = [{ type: 'refuse', to: host, code } as const]
    this.#store.deliver(effects)
    return effects
  }

  /** A new room with this nameplate, or with a free one. */
  async #open(assignment: NewAssignment, nameplate?: string): Promise<Opened> {
    if (nameplate !== undefined) return this.#create(assignment, nameplate, false)
    const { taken } = await this.#store.usage(usageMs)
    for (const digits of nameplateDigits) {
      const space = 9 * 10 ** (digits - 1)
      if (taken[digits] > crowded * space) continue
      const opened = await this.#openAny(assignment, digits, false)
      if (opened.creation !== 'taken') return opened
    }
    return this.#openAny(assignment, 6, true)
  }

  async #openAny(assignment: NewAssignment, digits: number, recycle: boolean): Promise<Opened> {
    for (let draw = 0; draw < draws; draw += 1) {
      const nameplate = this.#random.between(10 ** (digits - 1), 10 ** digits)
      const opened = await this.#create(assignment, String(nameplate), recycle)
      if (opened.creation !== 'taken') return opened
    }
    return { creation: 'taken', effects: [] }
  }

  async #create(assignment: NewAssignment, nameplate: string, recycle: boolean): Promise<Opened> {
    const { room, effects } = this.#step(null, { type: 'open', nameplate, ...assignment })
    if (room === null) return { creation: 'taken', effects: [] }
    const terms = { recycle, ...this.#boundsAt(assignment.origin) }
    return { creation: await this.#store.create(room, terms, effects), effects }
  }

  #boundsAt(origin: string): SessionBounds {
    const { trustLoopback, maxSessions, maxSessionsPerAddress } = this.#rules
    const isExempt = trustLoopback && isLoopback(origin)
    return { maxSessions, maxPerAddress: isExempt ? null : maxSessionsPerAddress }
  }

  #peerId(): string {
    return this.#random.bytes(8).toString('hex')
  }
}
