import { AddressCounter } from '#signaling/limits/counter'
import type {
  Creation,
  NameplateDigits,
  Need,
  RoomStore,
  SessionBounds,
  Terms,
  Usage,
} from '#signaling/rooms/room-store'
import type { Effect, Room, Step } from '#signaling/rooms/rooms'

/** Keeps the rooms of one process in memory. */
export class MemoryStore implements RoomStore {
  deliver: (effects: readonly Effect[]) => void = () => undefined
  readonly #rooms = new Map<string, Room>()
  readonly #nameplates = new Map<string, string>()
  readonly #taken = { 4: 0, 5: 0, 6: 0 }
  readonly #byAddress = new AddressCounter()
  readonly #phases = { hosted: 0, absent: 0, resting: 0 }

  usage(): Promise<Usage> {
    return Promise.resolve({ phases: { ...this.#phases }, taken: { ...this.#taken } })
  }

  create(room: Room, terms: Terms, effects: readonly Effect[]): Promise<Creation> {
    const creation = this.#judge(room, terms)
    if (creation === 'kept') {
      this.put(room.nameplate, room)
      this.deliver(effects)
    }
    return Promise.resolve(creation)
  }

  findByOwner(owner: string): Promise<string | null> {
    return Promise.resolve(this.#nameplates.get(owner) ?? null)
  }

  ownerOf(nameplate: string): Promise<string | null> {
    return Promise.resolve(this.#rooms.get(nameplate)?.owner ?? null)
  }

  update(
    nameplate: string,
    change: (room: Room | null, isFull: boolean) => Step,
    _need?: Need,
    bounds?: SessionBounds,
  ): Promise<readonly Effect[]> {
    const before = this.#rooms.get(nameplate) ?? null
    let after = change(before, false)
    if (bounds !== undefined && isOneMore(before, after.room) && this.#isFull(after.room, bounds)) {
      after = change(before, true)
    }
    const { room, effects } = after
    this.put(nameplate, room)
    this.deliver(effects)
    return Promise.resolve(effects)
  }

  due(now: number): Promise<readonly string[]> {
    const over: string[] = []
    for (const room of this.#rooms.values()) if (room.until <= now) over.push(room.nameplate)
    return Promise.resolve(over)
  }

  /** Every room, in no order. */
  protected rooms(): Iterable<Room> {
    return this.#rooms.values()
  }

  #isFull({ origin }: Room, { maxSessions, maxPerAddress }: SessionBounds): boolean {
    const { hosted, absent } = this.#phases
    if (hosted + absent >= maxSessions) return true
    return maxPerAddress !== null && !this.#byAddress.fits(origin, maxPerAddress)
  }

  #judge(room: Room, { recycle, ...bounds }: Terms): Creation {
    if (room.owner !== null && this.#nameplates.has(room.owner)) return 'owner'
    if (this.#isFull(room, bounds)) return 'full'
    const present = this.#rooms.get(room.nameplate)
    return (recycle ? present?.phase !== 'resting' : present !== undefined) ? 'taken' : 'kept'
  }

  /** Replaces the room of a nameplate; `null` removes it. */
  protected put(nameplate: string, room: Room | null): void {
    const digits = nameplate.length as NameplateDigits
    const before = this.#rooms.get(nameplate)
    if (before !== undefined && room !== null && areCountedAlike(before, room)) {
      this.#rooms.set(nameplate, room)
      return
    }
    if (before !== undefined) {
      this.#taken[digits] -= 1
      this.#phases[before.phase] -= 1
      if (before.phase !== 'resting') this.#byAddress.remove(before.origin)
      if (before.owner !== null) this.#nameplates.delete(before.owner)
      this.#rooms.delete(nameplate)
    }
    if (room !== null) {
      this.#taken[digits] += 1
      this.#phases[room.phase] += 1
      if (room.phase !== 'resting') this.#byAddress.add(room.origin)
      if (room.owner !== null) this.#nameplates.set(room.owner, nameplate)
      this.#rooms.set(nameplate, room)
    }
  }
}

/** True if the counts don't change, as for most messages of a pairing. */
const areCountedAlike = (one: Room, other: Room): boolean =>
  one.phase === other.phase && one.owner === other.owner && one.origin === other.origin

/** True if an existing room now counts as one more session, or for another address. */
const isOneMore = (before: Room | null, after: Room | null): after is Room =>
  before !== null &&
  after !== null &&
  after.phase !== 'resting' &&
  (before.phase === 'resting' || before.origin !== after.origin)
