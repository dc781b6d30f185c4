/** A receiver's view before it accepts: the offer folder by folder, and its own folder. */
import type { AppError } from '#shared/errors'
import type { Rename } from '#shared/settings/receive-options'
import type { ConflictSummary, ItemKind, MappedName } from '#shared/state/app-state'

/** One entry of a folder of the offer. */
export type ListingEntry = {
  readonly name: string
  readonly kind: ItemKind
  /** Files in a folder and their bytes; for anything else 1 and its size. */
  readonly files: number
  readonly bytes: number
  readonly mtimeMs: number
}

/** The part of the offer to list. */
export type OfferQuery = {
  /** A folder; `''`: the top. */
  readonly path: string
  /** If not empty, lists all files below the folder whose path contains it. */
  readonly query: string
  /** A path with the chosen name of its item may contain it, too. Results have the offered names. */
  readonly renames?: readonly Rename[]
  readonly offset: number
  /** At most `limits.entriesShown`. */
  readonly limit: number
}

/**
 * A page of a folder of the offer, or of a search in it: at most `limits.entriesShown` entries, folders first, numbers
 * by value.
 */
export type Listing = {
  readonly path: string
  readonly offset: number
  /** The number of entries of that folder, or of matches. The name of a match is its path in the folder. */
  readonly total: number
  readonly entries: readonly ListingEntry[]
}

/** An offered file whose name is taken in the target. */
export type Conflict = {
  readonly path: string
  readonly bytes: number
  readonly mtimeMs: number
  readonly thereBytes: number
  readonly thereMtimeMs: number
  readonly offeredIsNewer: boolean
  /** The policy replaces the file that is there. */
  readonly replaced: boolean
}

/**
 * The reason why a folder requires care. `home`: the home folder or one above it. `start-up`: programs in or below it
 * run at log-in. `programs`, `settings`: programs start from it, or read settings there. `hidden-names`: names in the
 * offer, at any depth, begin with a dot.
 */
export type TargetCaution = 'home' | 'start-up' | 'programs' | 'settings' | 'hidden-names'

/** The result of accepting into a folder; nothing has been created there. */
export type Preflight = {
  readonly directory: string
  /** `null` unless the folder can't be received into. */
  readonly error: AppError | null
  readonly cautions: readonly TargetCaution[]
  readonly conflicts: ConflictSummary
  /** Existing files of which only changed parts are received, and the bytes of their new versions. */
  readonly updatedFiles: number
  readonly updatedBytes: number
  /** The first `limits.entriesShown`, like the other lists. */
  readonly conflictPaths: readonly Conflict[]
  /** Number and bytes of the chosen files. */
  readonly wantedFiles: number
  readonly wantedBytes: number
  readonly resumedBytes: number
  /** Bytes that must be free, and bytes that are. */
  readonly neededBytes: number
  readonly freeBytes: number
  /** Names that will be written differently, including unlisted ones. */
  readonly mappedCount: number
  readonly mappedNames: readonly MappedName[]
  /** Files that the file system can't hold. */
  readonly tooLarge: readonly string[]
}

/** The part of an unfinished receive that was deleted. */
export type DeletedPartial = { readonly files: number; readonly bytes: number }
