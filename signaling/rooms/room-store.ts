import type { Effect, Room, Step } from '#signaling/rooms/rooms'

/** Lengths of nameplates, in the order of use. */
export const nameplateDigits = [4, 5, 6] as const

/** One of `nameplateDigits`. */
export type NameplateDigits = (typeof nameplateDigits)[number]

/** The usage of a store. */
export type Usage = {
  /** Rooms by phase; resting ones no longer count as sessions. */
  readonly phases: { readonly [phase in Room['phase']]: number }
  /** Unavailable nameplates by length, including resting ones. */
  readonly taken: { readonly [digits in NameplateDigits]: number }
}

/** Limits for the number of sessions. */
export type SessionBounds = {
  /** Sessions in total, including the new one. */
  readonly maxSessions: number
  /** Sessions of one address, in multiples for the networks around it; `null` for no limit. */
  readonly maxPerAddress: number | null
}

/** Conditions for keeping a new room. */
export type Terms = SessionBounds & {
  /** True to accept only a resting nameplate, never a free one. */
  readonly recycle: boolean
}

/** The result for a new room: `taken` is its nameplate, `full` the store, `owner` has another room. */
export type Creation = 'kept' | 'taken' | 'full' | 'owner'

/** Urgency of a change: a full store still makes changes for current participants. */
export type Need = 'running' | 'new'

/**
 * The storage of rooms. Everything is asynchronous and atomic per room, and rooms are plain data, so
 * several nodes can share one store. The store itself delivers the effects of a change to sockets, in the
 * order of the changes and on any node. Rejects with a `StoreError` while it is unavailable; a change
 * is then made completely or not at all.
 */
export interface RoomStore {
  /** Delivers effects to sockets of this node; the server sets it. */
  deliver: (effects: readonly Effect[]) => void
  /** The store's usage, at most `ageMs` old (default 0). */
  usage(ageMs?: number): Promise<Usage>
  /** Keeps a new room under these terms, then delivers `effects`. */
  create(room: Room, terms: Terms, effects: readonly Effect[]): Promise<Creation>
  /** The nameplate that the owner with this key can reclaim. */
  findByOwner(owner: string): Promise<string | null>
  /** The owner's key of a nameplate; `null` if it can't be reclaimed. */
  ownerOf(nameplate: string): Promise<string | null>
  /**
   * Replaces a room by the result of `change`, delivers the effects, and returns them. `change` is called
   * again after a concurrent change, and with `true` if a resting room would exceed `bounds` as a session.
   */
  update(
    nameplate: string,
    change: (room: Room | null, isFull: boolean) => Step,
    need?: Need,
    bounds?: SessionBounds,
  ): Promise<readonly Effect[]>
  /** Nameplates whose phase has ended at `now` (ms); possibly only the first of many. */
  due(now: number): Promise<readonly string[]>
}
