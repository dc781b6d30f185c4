/** Unfinished receives in the form of their file, which never contains a code's words. */
import * as z from 'zod'
import { keySchema } from '#shared/code/key-text'
import { limits } from '#shared/limits'
import {
  defaultReceiveOptions as defaults,
  receiveOptionsSchema,
  selectionChangesSchema,
  selectionSchema,
} from '#shared/settings/receive-options'
import type { ResumableReceive, TransferId } from '#shared/state/app-state'

/** Decodes a `TransferId` from a window or a file. */
export const transferIdSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .transform((id) => id as TransferId)

/** Lets a receiver resume a share without its words. Secret: it never leaves the file. */
export type ResumeKey = {
  /** The share's nameplate, four to six digits. */
  readonly nameplate: string
  /** The key of the engine's `resume-key` event. */
  readonly key: string
  /** The signaling server's address; `null` for the embedded one. */
  readonly server: string | null
  /** The server's pass for reconnecting; `null` without one. */
  readonly pass: string | null
}

/** An unfinished receive in the file's form. */
export type ResumableReceiveRecord = Omit<ResumableReceive, 'hasResumeKey'> & {
  readonly resumeKey: ResumeKey | null
  /** This side's name, if a person chose one; a resumed receive keeps it. */
  readonly ownName?: string | undefined
}

/** The entry without its secrets. */
export const withoutSecret = ({
  transfer,
  title,
  from,
  directory,
  options,
  selection,
  changes,
  bytes,
  totalBytes,
  lastSeenMs,
  resumeKey,
}: ResumableReceiveRecord): ResumableReceive => ({
  transfer,
  title,
  from,
  directory,
  options,
  selection,
  changes,
  bytes,
  totalBytes,
  lastSeenMs,
  hasResumeKey: resumeKey !== null,
})

const count = z.number().min(0)
const title = z.string().max(limits.pathBytes)
const name = z.string().max(limits.peerNameBytes)

const resumeKeySchema = z.object({
  nameplate: z.string().regex(/^[1-9][0-9]{3,5}$/),
  key: keySchema,
  server: z.string().max(limits.pathBytes).nullable(),
  pass: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .nullable(),
})

/** Decodes one entry of the file and keeps unknown keys. */
export const rememberedSchema = z.looseObject({
  transfer: transferIdSchema,
  title,
  from: name,
  directory: z.string().min(1).max(limits.pathBytes),
  options: receiveOptionsSchema,
  selection: selectionSchema,
  changes: selectionChangesSchema,
  bytes: count,
  totalBytes: count,
  lastSeenMs: count,
  resumeKey: resumeKeySchema.nullable(),
  ownName: name.optional(),
})

const option = receiveOptionsSchema.shape

/** Replaces invalid options with harmless defaults. An invalid selection is never replaced. */
export const repairedSchema = rememberedSchema.extend({
  title: title.catch(''),
  from: name.catch(''),
  options: z
    .object({
      conflict: option.conflict.catch('keep-both'),
      choices: option.choices.catch(defaults.choices),
      renames: option.renames,
      compareContent: option.compareContent.catch(defaults.compareContent),
      resume: option.resume.catch(defaults.resume),
      verify: option.verify.catch(defaults.verify),
      keepTimes: option.keepTimes.catch(defaults.keepTimes),
      keepExecutable: option.keepExecutable.catch(defaults.keepExecutable),
      keepAttributes: option.keepAttributes.catch(defaults.keepAttributes),
      makeLinks: option.makeLinks.catch(defaults.makeLinks),
      makeEmptyFolders: option.makeEmptyFolders.catch(defaults.makeEmptyFolders),
      portableNames: option.portableNames.catch(defaults.portableNames),
      mark: option.mark.catch(defaults.mark),
    })
    .catch(defaults),
  bytes: count.catch(0),
  totalBytes: count.catch(0),
  lastSeenMs: count.catch(0),
  resumeKey: resumeKeySchema.nullable().catch(null),
  ownName: name.optional().catch(undefined),
})
