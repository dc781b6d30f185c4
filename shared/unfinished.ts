/** Unfinished receives as they are written down and read again; a code's words are no part of it. */
import { z } from 'zod'
import type { TransferId, Unfinished } from '#shared/app-state'
import { limits } from '#shared/limits'
import {
  receiveOptionsSchema,
  selectionChangesSchema,
  selectionSchema,
} from '#shared/receive-options'

/** Decodes a `TransferId` from a window or a file. */
export const transferIdSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .transform((id) => id as TransferId)

const count = z.number().min(0)

const unfinishedSchema: z.ZodType<Unfinished> = z.object({
  transfer: transferIdSchema,
  title: z.string().max(limits.pathBytes),
  from: z.string().max(limits.peerNameBytes),
  directory: z.string().min(1).max(limits.pathBytes),
  options: receiveOptionsSchema,
  selection: selectionSchema,
  changes: selectionChangesSchema,
  bytes: count,
  totalBytes: count,
  lastSeenMs: count,
})

/** Decodes the whole list, newest first. */
export const unfinishedListSchema = z.array(unfinishedSchema).max(limits.unfinishedKept)
