import type { Effect, Room, Step } from '#signaling/rooms'

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

/**
 * Where rooms are kept. Everything is asynchronous and atomic per room, and rooms are plain data,
 * so that several nodes can share one store.
 */
export interface RoomStore {
  /** How full the store is. */
  usage(): Promise<Usage>
  /** True when `address` and its networks may have one more session, with `limit` for one address. */
  fits(address: string, limit: number): Promise<boolean>
  /**
   * Keeps a new room if its nameplate is free, or, when `recycle` is set, only if the nameplate
   * rests. Says whether it did.
   */
  create(room: Room, recycle: boolean): Promise<boolean>
  /** The nameplate that the owner with this key may reclaim. */
  findByOwner(owner: string): Promise<string | null>
  /** The owner's key of a nameplate; `null` when nobody may reclaim it. */
  ownerOf(nameplate: string): Promise<string | null>
  /** Replaces a room by the result of `change` and returns the effects; atomic. */
  update(nameplate: string, change: (room: Room | null) => Step): Promise<readonly Effect[]>
  /** Nameplates whose phase is over at `now` (ms). */
  due(now: number): Promise<readonly string[]>
}
