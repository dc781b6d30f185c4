import type { Effect, Room, Step } from '#signaling/rooms/rooms'

/** Lengths that a nameplate may have, in the order in which they are used. */
export const nameplateDigits = [4, 5, 6] as const

/** One of `nameplateDigits`. */
export type NameplateDigits = (typeof nameplateDigits)[number]

/** How full a store is. */
export type Usage = {
  /** Rooms by phase: those that rest are no sessions any more. */
  readonly phases: { readonly [phase in Room['phase']]: number }
  /** Nameplates by length that can't be given out, resting ones included. */
  readonly taken: { readonly [digits in NameplateDigits]: number }
}

/** How many sessions there may be. */
export type SessionBounds = {
  /** Sessions of all together, the new one included. */
  readonly maxSessions: number
  /** Sessions of one address, and in multiples of the networks around it; `null` for no such limit. */
  readonly maxPerAddress: number | null
}

/** What has to be so for a new room to be kept. */
export type Terms = SessionBounds & {
  /** Only a nameplate that rests is taken, and none that is free. */
  readonly recycle: boolean
}

/** What became of a new room: `taken` is its nameplate, `full` the store, `owner` has another room. */
export type Creation = 'kept' | 'taken' | 'full' | 'owner'

/** Which changes a store that has no room for more still makes: those of who is there already. */
export type Need = 'running' | 'new'

/**
 * Where rooms are kept. Everything is asynchronous and atomic per room, and rooms are plain data, so
 * that several nodes can share one store. What a change has for sockets, the store itself brings there:
 * to each socket in the order of the changes, whatever node it is on. Rejects with a `StoreError` while
 * it can't; what was asked for is then done whole or not at all.
 */
export interface RoomStore {
  /** Brings effects to sockets of this node; the server sets it. */
  deliver: (effects: readonly Effect[]) => void
  /** How full the store is, or was at most `ageMs` ago, 0 unless given. */
  usage(ageMs?: number): Promise<Usage>
  /** Keeps a new room under these terms, and then delivers `effects`. */
  create(room: Room, terms: Terms, effects: readonly Effect[]): Promise<Creation>
  /** The nameplate that the owner with this key may reclaim. */
  findByOwner(owner: string): Promise<string | null>
  /** The owner's key of a nameplate; `null` when nobody may reclaim it. */
  ownerOf(nameplate: string): Promise<string | null>
  /**
   * Replaces a room by the result of `change`, delivers the effects, and returns them, too. `change` is
   * called again when somebody else was faster, and with `true` when one that rests would be a session beyond `bounds`.
   */
  update(
    nameplate: string,
    change: (room: Room | null, isFull: boolean) => Step,
    need?: Need,
    bounds?: SessionBounds,
  ): Promise<readonly Effect[]>
  /** Nameplates whose phase is over at `now` (ms); perhaps only the first of many. */
  due(now: number): Promise<readonly string[]>
}
