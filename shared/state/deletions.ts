/**
 * An entry that the sender no longer has, but that stays. `changed`: this person changed it. `failed`: the system did not
 * move it. `item-gone`: a whole item is gone or empty, perhaps because a disk is missing. `incomplete`: the sender could
 * not read everything, so nothing was moved; the path is empty.
 */
export type KeptEntry = {
  readonly path: string
  readonly why: 'changed' | 'failed' | 'item-gone' | 'incomplete'
}

/** Outcome of the latest round for entries that the sender no longer has. */
export type Deletions = {
  /** Files and links that are now in `folder` below the target. */
  readonly moved: number
  readonly folder: string
  readonly keptCount: number
  /** The first 1,000. */
  readonly kept: readonly KeptEntry[]
}
