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
  type Effect,
  type NodeName,
  participants,
  type Room,
  type RoomEvent,
  type RoomRules,
  type Step,
  step,
} from '#signaling/rooms/rooms'
import { isLoopback } from '#signaling/socket/address'

/** Used share of the nameplates of one length above which the next length is used, to keep guesses unlikely. */
const crowded = 0.3

/** If 30% are used, this many draws all miss once in 10^33. */
const draws = 64

/** Maximum age of a usage count for drawing a nameplate; it changes slowly. */
const usageMs = 1000

/** Rules of the rooms, and limits for their number. */
export type RendezvousRules = RoomRules & {
  readonly maxSessions: number
  /** Sessions of one address; networks have multiples, see `networksOf`. */
  readonly maxSessionsPerAddress: number
  /** Counts this computer's own addresses only in `maxSessions`. */
  readonly trustLoopback: boolean
}

type HostMessage = Extract<ClientMessage, { readonly t: 'host' }>
/** A host that requests a nameplate, and its address. */
type NewAssignment = {
  readonly host: ConnectionId
  readonly origin: string
  readonly owner: string
  readonly isVisible: boolean
}
/** A joiner on the local network, or the server's page. */
type Joiner = { readonly isGuest: boolean; readonly isPage: boolean }
type JoinMessage = Extract<ClientMessage, { readonly t: 'join' }>

/** The result of opening a room: effects of a refusal, or the owner's room that appeared meanwhile. */
type Opened = { readonly creation: Creation; readonly effects: readonly Effect[] }

/**
 * Connects the state machine of rooms with their store, time and randomness. The store delivers
 * effects; they are also returned to callers that need the result.
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

  /** Replaces the rules; open sessions keep their end. */
  set rules(rules: RendezvousRules) {
    this.#rules = rules
  }

  /** The nameplate of `owner` on this server. */
  ownedBy(owner: string): Promise<string | null> {
    return this.#store.findByOwner(owner)
  }

  /**
   * Assigns the owner's nameplate (`owned`, if known), the requested one, or a free one. A caller that
   * passes an `owner` has verified its proof.
   */
  async host(
    host: ConnectionId,
    origin: string,
    { owner, nameplate, visible: isVisible = false }: HostMessage,
    owned: string | null = null,
  ): Promise<readonly Effect[]> {
    // Without a key, no client can prove to be the owner.
    const someKey = (): string => this.#random.bytes(32).toString('base64url')
    const assignment = { host, origin, owner: owner ?? someKey(), isVisible }
    if (owned !== null) return this.#attach(owned, assignment)
    const { creation, effects } = await this.#open(assignment, nameplate)
    if (creation === 'kept') return effects
    if (creation === 'owner') {
      // The same owner has just received one on another socket.
      const other = await this.#store.findByOwner(assignment.owner)
      if (other !== null) return this.#attach(other, assignment)
    }
    const isMiss = nameplate !== undefined && creation === 'taken'
    return this.#refuse(host, isMiss ? 'E_NO_SUCH_CODE' : 'E_SERVER_BUSY')
  }

  /** The id of a pass to this nameplate of its current owner; `null` if it is invalid. */
  async passOf(nameplate: string, pass: string): Promise<PassId | null> {
    const owner = await this.#store.ownerOf(nameplate)
    return owner === null ? null : this.#passes.idOf(pass, nameplate, owner)
  }

  /** A pass for receivers that the host of this nameplate invites; `null` without a host. */
  async invite(nameplate: string): Promise<string | null> {
    const owner = await this.#store.ownerOf(nameplate)
    return owner === null ? null : this.#passes.issue(nameplate, owner)
  }

  /**
   * Introduces a joiner to the host of a nameplate; `pass` is set if it is valid. Guests find only
   * visible hosts.
   */
  join(
    joiner: ConnectionId,
    { nameplate, body }: JoinMessage,
    pass: PassId | null,
    { isGuest, isPage }: Joiner = { isGuest: false, isPage: false },
  ): Promise<readonly Effect[]> {
    const joinerId = this.#peerId()
    const hostId = this.#peerId()
    return this.#apply(
      nameplate,
      { type: 'join', joiner, joinerId, hostId, pass, body, isGuest, isPage },
      pass === null ? 'new' : 'running',
    )
  }

  /** Relays a sealed message within a nameplate. */
  relay(
    sender: ConnectionId,
    nameplate: string,
    to: string,
    body: string,
  ): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'relay', sender, to, body })
  }

  /** Admits one of a host's joiners. */
  grant(
    sender: ConnectionId,
    nameplate: string,
    peer: string,
    nodes: { readonly relayNode: NodeName; readonly pageNode: NodeName },
  ): Promise<readonly Effect[]> {
    const pass = this.#passes.newId()
    return this.#apply(nameplate, { type: 'grant', sender, peer, pass, ...nodes })
  }

  /** A participant announced that it leaves. */
  leave(who: ConnectionId, nameplate: string): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'leave', who })
  }

  /** A participant's socket ended. */
  drop(who: ConnectionId, nameplate: string): Promise<readonly Effect[]> {
    return this.#apply(nameplate, { type: 'drop', who })
  }

  /** Removes all participants for which `isGone` is true from a room, as if their sockets had ended. */
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

  /** Ends expired phases; the effects concern hosts and joiners of ended sessions. */
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

  /** Opens a new room with this nameplate, or with a free one. */
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
