import { AddressCounter } from '#signaling/counter'
import type { NameplateDigits, RoomStore, Usage } from '#signaling/room-store'
import type { Effect, Room, Step } from '#signaling/rooms'

/** Keeps the rooms of one process; they end with it. */
export class MemoryStore implements RoomStore {
  readonly #rooms = new Map<string, Room>()
  readonly #nameplates = new Map<string, string>()
  readonly #taken = { 4: 0, 5: 0, 6: 0 }
  readonly #byAddress = new AddressCounter()
  readonly #phases = { hosted: 0, absent: 0, resting: 0 }

  usage(): Promise<Usage> {
    return Promise.resolve({ phases: { ...this.#phases }, taken: { ...this.#taken } })
  }

  fits(address: string, limit: number): Promise<boolean> {
    return Promise.resolve(this.#byAddress.fits(address, limit))
  }

  create(room: Room, recycle: boolean): Promise<boolean> {
    const present = this.#rooms.get(room.nameplate)
    if (recycle ? present?.phase !== 'resting' : present !== undefined) {
      return Promise.resolve(false)
    }
    this.#put(room.nameplate, room)
    return Promise.resolve(true)
  }

  findByOwner(owner: string): Promise<string | null> {
    return Promise.resolve(this.#nameplates.get(owner) ?? null)
  }

  ownerOf(nameplate: string): Promise<string | null> {
    return Promise.resolve(this.#rooms.get(nameplate)?.owner ?? null)
  }

  update(nameplate: string, change: (room: Room | null) => Step): Promise<readonly Effect[]> {
    const { room, effects } = change(this.#rooms.get(nameplate) ?? null)
    this.#put(nameplate, room)
    return Promise.resolve(effects)
  }

  due(now: number): Promise<readonly string[]> {
    const over: string[] = []
    for (const room of this.#rooms.values()) if (room.until <= now) over.push(room.nameplate)
    return Promise.resolve(over)
  }

  #put(nameplate: string, room: Room | null): void {
    const digits = nameplate.length as NameplateDigits
    const before = this.#rooms.get(nameplate)
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
