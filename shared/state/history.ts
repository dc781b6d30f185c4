/** Past transfers, as the history shows them. Codes, words and keys are not part of it. */
import * as z from 'zod'
import { type ErrorCode, errorCodes } from '#shared/errors'
import { limits } from '#shared/limits'
import type { TransferId } from '#shared/state/app-state'
import { type ContactId, contactIdSchema } from '#shared/state/contacts'
import { transferIdSchema } from '#shared/state/resumable-receive-record'

/** `interrupted`: the other side may reconnect; `cancelled`: a person ended it. */
export type HistoryOutcome = 'done' | 'interrupted' | 'cancelled' | 'failed'

/** A file that was left out or failed. */
export type HistoryProblem = { readonly path: string; readonly code: ErrorCode }

/** A transfer that has ended; a share has one for each receiver. */
export type NewHistoryEntry = {
  readonly direction: 'sent' | 'received'
  /** Resuming adds no second entry: it replaces the one of the same transfer. */
  readonly transfer: TransferId
  /** Unix milliseconds. */
  readonly endedAtMs: number
  readonly title: string
  /** The other side's name; empty if it never sent one. */
  readonly person: string
  readonly contact: ContactId | null
  /** Includes `texts`. */
  readonly files: number
  readonly texts: number
  readonly bytes: number
  /** Same as in `Outcome`; 0 unless done. */
  readonly identical: number
  readonly identicalBytes: number
  readonly uncompared: number
  readonly offeredFiles: number
  readonly unwantedFiles: number
  /** Time from accepting to the end. */
  readonly durationMs: number
  /** Average bytes of files a second; 0 when nothing was sent. */
  readonly rate: number
  readonly route: 'local' | 'direct' | 'relay' | null
  readonly outcome: HistoryOutcome
  /** The reason why it isn't done. */
  readonly error: ErrorCode | null
  readonly problemCount: number
  /** The first problems. */
  readonly problems: readonly HistoryProblem[]
  /** Receives: the target folder; `null` for texts alone and for standard output. */
  readonly folder: string | null
  /** Receives: the file or folder to look for; the folder above if there are several. */
  readonly target: string | null
  /** Shares: the paths that were shared; none for texts alone. */
  readonly paths: readonly string[]
}

/** An entry of the history. */
export type HistoryEntry = NewHistoryEntry & { readonly id: number }

/** Filters of the history. */
export const historyFilters = ['all', 'received', 'sent', 'problems'] as const

export type HistoryFilter = (typeof historyFilters)[number]

/** A part of the history, the newest first. */
export type HistoryQuery = {
  /** Text in titles, names of people, and paths; empty for all. */
  readonly text: string
  readonly filter: HistoryFilter
  readonly offset: number
  /** At most `limits.historyPage`. */
  readonly limit: number
}

/** `total`: the number of entries with this text and filter. */
export type HistoryPage = { readonly entries: readonly HistoryEntry[]; readonly total: number }

/** Decodes the number of an entry. */
export const historyIdSchema = z.int().positive()

/** Decodes a `HistoryQuery` from a window. */
export const historyQuerySchema = z.strictObject({
  text: z.string().max(200),
  filter: z.enum(historyFilters),
  offset: z.int().min(0),
  limit: z.int().min(1).max(limits.historyPage),
})

const count = z.number().min(0)
const path = z.string().max(limits.pathBytes)

/** Decodes an entry from the file. */
export const historyEntrySchema = z.object({
  id: historyIdSchema,
  direction: z.enum(['sent', 'received']),
  transfer: transferIdSchema,
  endedAtMs: count,
  title: path,
  person: z.string().max(limits.pathBytes),
  contact: contactIdSchema.nullable(),
  files: count,
  texts: count.default(0),
  bytes: count,
  identical: count,
  identicalBytes: count,
  uncompared: count,
  offeredFiles: count,
  unwantedFiles: count,
  durationMs: count,
  rate: count,
  route: z.enum(['local', 'direct', 'relay']).nullable(),
  outcome: z.enum(['done', 'interrupted', 'cancelled', 'failed']),
  error: z.enum(errorCodes).nullable(),
  problemCount: count,
  problems: z.array(z.object({ path, code: z.enum(errorCodes) })).max(limits.historyProblems),
  folder: path.nullable(),
  target: path.nullable(),
  paths: z.array(path).max(limits.historyPaths),
})
