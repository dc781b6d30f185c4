/** What a receiver can look at before it accepts: the offer folder by folder, and its own folder. */
import type { AppError } from '#shared/errors'
import type { ConflictSummary, ItemKind, MappedName } from '#shared/state/app-state'

/** One entry of a folder of the offer. */
export type ListingEntry = {
  readonly name: string
  readonly kind: ItemKind
  /** In it, when it is a folder; else 1 and its size. */
  readonly files: number
  readonly bytes: number
  readonly mtimeMs: number
}

/** The part of the offer to list. */
export type OfferQuery = {
  /** A folder; `''`: the top. */
  readonly path: string
  /** If not empty, all files below the folder whose path contains it are listed. */
  readonly query: string
  readonly offset: number
  /** At most `limits.entriesShown`. */
  readonly limit: number
}

/** A page of a folder of the offer, or of a search in it: at most `limits.entriesShown` entries, folders first, numbers by value. */
export type Listing = {
  readonly path: string
  readonly offset: number
  /** The number of entries of that folder, or of matches. The name of a match is its path in the folder. */
  readonly total: number
  readonly entries: readonly ListingEntry[]
}

/** A file that would meet another one of its name. */
export type Conflict = {
  readonly path: string
  readonly bytes: number
  readonly thereBytes: number
  readonly offeredIsNewer: boolean
}

/**
 * The reason why a folder asks for care: it is the home folder or above it, programs in it or in a folder of it are run
 * at log-in, programs are started from it or read their settings there, or names of the offer, at any depth,
 * begin with a dot.
 */
export type TargetCaution = 'home' | 'start-up' | 'programs' | 'settings' | 'hidden-names'

/** What accepting into a folder would mean; nothing was created there. */
export type Preflight = {
  readonly directory: string
  /** `null` unless the folder can't be received into. */
  readonly error: AppError | null
  readonly cautions: readonly TargetCaution[]
  readonly conflicts: ConflictSummary
  /** The first `limits.entriesShown`, as the other lists. */
  readonly conflictPaths: readonly Conflict[]
  /** Files that are chosen, and their sizes. */
  readonly wantedFiles: number
  readonly wantedBytes: number
  readonly resumedBytes: number
  /** Bytes that have to be free, and that are. */
  readonly neededBytes: number
  readonly freeBytes: number
  /** Names that will be written differently, those that are not listed included. */
  readonly mappedCount: number
  readonly mappedNames: readonly MappedName[]
  /** Files that the file system can't hold. */
  readonly tooLarge: readonly string[]
}

/** What was deleted of an unfinished receive. */
export type Forgotten = { readonly files: number; readonly bytes: number }
