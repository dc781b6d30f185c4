/** The files of a running transfer, page by page. */
import * as z from 'zod'
import { limits } from '#shared/limits'
import type { ItemKind } from '#shared/state/app-state'

/** Filters for the list of files, in the order in which people need them. */
export const fileFilters = ['all', 'active', 'waiting', 'done', 'skipped', 'problem'] as const

export type FileFilter = (typeof fileFilters)[number]

export type FileCounts = Readonly<Record<FileFilter, number>>

/**
 * The state of a file as this end knows it. `received`: verified, without its own name yet. `sent`: received by the
 * other computer; only that one knows whether it is saved. `present`: existed before.
 */
export type FileState =
  'waiting' | 'active' | 'received' | 'saved' | 'sent' | 'present' | 'skipped' | 'failed'

export type TransferFile = {
  /** Position in the offer; constant while the transfer runs. */
  readonly index: number
  readonly path: string
  /** Other kinds are listed only when they failed. */
  readonly kind: Exclude<ItemKind, 'text'>
  readonly size: number
  /** Bytes of it that this end knows to be received. */
  readonly bytes: number
  readonly state: FileState
}

/** A page of the list, at most `limits.entriesShown`. */
export type FilePage = {
  /** Numbers by filter, regardless of the search. */
  readonly counts: FileCounts
  /** Number of files that match filter and search. */
  readonly total: number
  readonly offset: number
  readonly files: readonly TransferFile[]
}

/** A file whose state is or was final. */
export type ChangedFile = Pick<TransferFile, 'path' | 'size' | 'state'>

/** Changes to the files of a watched transfer since the previous event. */
export type FileChanges = {
  /** The first of the files that are done, successfully or not. */
  readonly files: readonly ChangedFile[]
  /** Number of other such files. */
  readonly more: number
  /** The first of the files under way, and the number of all. */
  readonly active: readonly string[]
  readonly activeFiles: number
}

/** Decodes the query for a page. */
export const fileQuerySchema = z.object({
  filter: z.enum(fileFilters),
  /** Matched within the path; ASCII letters match in either case. */
  query: z.string().max(limits.searchCharacters),
  offset: z.int().min(0).max(limits.entriesOffered),
  limit: z.int().min(1).max(limits.entriesShown),
})

export type FileQuery = z.infer<typeof fileQuerySchema>
