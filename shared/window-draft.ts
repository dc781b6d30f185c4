/**
 * Unfinished input in the window. It survives a reload of the page and never leaves memory: a code is a secret, and a
 * text may be one.
 */
import { z } from 'zod'
import { maxCodeTextLength } from '#shared/code/code-entry'
import { limits } from '#shared/limits'
import { shareChoicesSchema } from '#shared/settings/share-choices'
import type { ShareId } from '#shared/state/app-state'

const link = z.strictObject({
  code: z.string().max(maxCodeTextLength),
  server: z.string().max(limits.pathBytes).nullable(),
})

/** Decodes a `WindowDraft`. */
export const windowDraftSchema = z.strictObject({
  /** The content of the code field. */
  code: z.string().max(maxCodeTextLength),
  /** The link that contained the code. */
  link: link.nullable(),
  /** A text that is being written, and the share it belongs to; `null` for a new share. */
  writing: z
    .strictObject({
      into: z
        .string()
        .max(32)
        .transform((id) => id as ShareId)
        .nullable(),
      words: z.string().max(limits.textBytes),
    })
    .nullable(),
  choices: shareChoicesSchema,
})

export type WindowDraft = z.infer<typeof windowDraftSchema>
