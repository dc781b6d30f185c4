/** The files of a transfer that runs, page by page. */
import * as z from 'zod'
import { limits } from '#shared/limits'
import type { ItemKind } from '#shared/state/app-state'

/** Which files of a list are meant, in the order in which people look for them. */
export const fileFilters = ['all', 'active', 'waiting', 'done', 'skipped', 'problem'] as const

export type FileFilter = (typeof fileFilters)[number]

export type FileCounts = Readonly<Record<FileFilter, number>>

/**
 * How far one end knows a file to be. `received`: verified, without its own name yet. `sent`: taken
 * by the receiver's computer; whether it is saved only that knows. `present`: there before.
 */
export type FileState =
  'waiting' | 'active' | 'received' | 'saved' | 'sent' | 'present' | 'skipped' | 'failed'

export type TransferFile = {
  /** In the offer; the same as long as the transfer runs. */
  readonly index: number
  readonly path: string
  /** Other kinds are listed only when they failed. */
  readonly kind: Exclude<ItemKind, 'text'>
  readonly size: number
  /** How much of it this end knows to be there. */
  readonly bytes: number
  readonly state: FileState
}

/** A page of the list, at most `limits.entriesShown`. */
export type FilePage = {
  /** By filter, whatever is searched. */
  readonly counts: FileCounts
  /** Files that filter and search leave. */
  readonly total: number
  readonly offset: number
  readonly files: readonly TransferFile[]
}

/** A file whose state is final, or was. */
export type ChangedFile = Pick<TransferFile, 'path' | 'size' | 'state'>

/** What became of the files of a watched transfer since the last time. */
export type FileChanges = {
  /** Those that are done now, one way or another: the first of them. */
  readonly files: readonly ChangedFile[]
  /** How many others. */
  readonly more: number
  /** Files on their way: the first of them, and how many. */
  readonly active: readonly string[]
  readonly activeFiles: number
}

/** Decodes what a page is asked by. */
export const fileQuerySchema = z.object({
  filter: z.enum(fileFilters),
  /** In the path; letters of ASCII match in either case. */
  query: z.string().max(limits.searchCharacters),
  offset: z.int().min(0).max(limits.entriesOffered),
  limit: z.int().min(1).max(limits.entriesShown),
})

export type FileQuery = z.infer<typeof fileQuerySchema>
