import { createHash } from 'node:crypto'
import type { ClientMessage } from '#shared/signaling'
import type { Clock } from '#signaling/clock'
import type { Random } from '#signaling/random'
import { nameplateDigits, type RoomStore } from '#signaling/room-store'
import {
  type ConnectionId,
  type Effect,
  type RoomEvent,
  type RoomRules,
  step,
} from '#signaling/rooms'
import type { TurnService } from '#signaling/turn-service'

/** Of a length's nameplates; above it the next length is used, so that guessing one stays rare. */
const crowded = 0.3

/** In a space that is 30 % full, this many draws miss once in 10^33. */
const draws = 64

/** Rules of the rooms, and how many there may be. */
export type RendezvousRules = RoomRules & { readonly maxSessions: number }

type HostMessage = Extract<ClientMessage, { readonly t: 'host' }>
type JoinMessage = Extract<ClientMessage, { readonly t: 'join' }>

const hash = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Brings the rooms' state machine together with where rooms are kept, time and randomness. */
export class Rendezvous {
  readonly #store: RoomStore
  readonly #rules: RendezvousRules
  readonly #clock: Clock
  readonly #random: Random
  readonly #turn: TurnService | null

  /** `turn` is `null` when there is no relay to give access to. */
  constructor(
    store: RoomStore,
    rules: RendezvousRules,
    clock: Clock,
    random: Random,
    turn: TurnService | null,
  ) {
    this.#store = store
    this.#rules = rules
    this.#clock = clock
    this.#random = random
    this.#turn = turn
  }

  /** Takes a nameplate back, or gives the one wished for, or one that nobody has. */
  async host(host: ConnectionId, { token, nameplate }: HostMessage): Promise<readonly Effect[]> {
    if (token !== undefined) {
      // Looked up by the hash of 256 random bits: how long that takes tells nothing about a token.
      const ownerHash = hash(token)
      const owned = await this.#store.findByOwner(ownerHash)
      if (owned !== null) return this.#apply(owned, { type: 'attach', host, token, ownerHash })
      if (nameplate === undefined) return [{ type: 'refuse', to: host, code: 'E_NO_SUCH_CODE' }]
    }
    const usage = await this.#store.usage()
    if (usage.sessions >= this.#rules.maxSessions) {
      return [{ type: 'refuse', to: host, code: 'E_SERVER_BUSY' }]
    }
    if (nameplate !== undefined) {
      const opened = await this.#open(host, nameplate, false)
      return opened ?? [{ type: 'refuse', to: host, code: 'E_NO_SUCH_CODE' }]
    }
    for (const digits of nameplateDigits) {
      const space = 9 * 10 ** (digits - 1)
      if (usage.taken[digits] > crowded * space) continue
      const opened = await this.#openAny(host, digits, false)
      if (opened !== null) return opened
    }
    const recycled = await this.#openAny(host, 6, true)
    return recycled ?? [{ type: 'refuse', to: host, code: 'E_SERVER_BUSY' }]
  }

  /** Introduces a joiner to the host of a nameplate. */
  join(joiner: ConnectionId, { nameplate, body }: JoinMessage): Promise<readonly Effect[]> {
    const joinerId = this.#peerId()
    const hostId = this.#peerId()
    return this.#apply(nameplate, { type: 'join', joiner, joinerId, hostId, body })
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

  /** A host lets one of its joiners in; each of the two gets credentials of its own. */
  grant(sender: ConnectionId, nameplate: string, peer: string): Promise<readonly Effect[]> {
    const turn = this.#turn && { host: this.#turn.issue(), joiner: this.#turn.issue() }
    return this.#apply(nameplate, { type: 'grant', sender, peer, turn })
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

  async #openAny(
    host: ConnectionId,
    digits: number,
    recycle: boolean,
  ): Promise<readonly Effect[] | null> {
    for (let draw = 0; draw < draws; draw += 1) {
      const nameplate = this.#random.between(10 ** (digits - 1), 10 ** digits)
      const opened = await this.#open(host, String(nameplate), recycle)
      if (opened !== null) return opened
    }
    return null
  }

  async #open(
    host: ConnectionId,
    nameplate: string,
    recycle: boolean,
  ): Promise<readonly Effect[] | null> {
    const token = this.#random.bytes(32).toString('base64url')
    const open: RoomEvent = { type: 'open', nameplate, host, token, ownerHash: hash(token) }
    const { room, effects } = step(null, open, this.#rules, this.#clock.now())
    return room !== null && (await this.#store.create(room, recycle)) ? effects : null
  }

  #peerId(): string {
    return this.#random.bytes(8).toString('hex')
  }
}
