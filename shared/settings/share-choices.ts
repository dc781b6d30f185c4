/** Choices in the window for the next share only; the settings provide the rest. */
import { z } from 'zod'
import { limits } from '#shared/limits'
import { type ShareOptions, shareOptionsSchema } from '#shared/settings/share-options'

export type ShareChoices = Partial<
  Pick<ShareOptions, 'gitignore' | 'oneReceiver' | 'approve' | 'codeLifeMs' | 'maxReceivers'>
> & {
  /** Patterns as typed, with commas between them. */
  readonly exclude?: string
}

const { gitignore, oneReceiver, approve, codeLifeMs, maxReceivers } = shareOptionsSchema.shape

export const shareChoicesSchema = z.strictObject({
  gitignore: gitignore.exactOptional(),
  oneReceiver: oneReceiver.exactOptional(),
  approve: approve.exactOptional(),
  codeLifeMs: codeLifeMs.exactOptional(),
  maxReceivers: maxReceivers.exactOptional(),
  exclude: z.string().max(limits.pathBytes).exactOptional(),
})
