/** What a sender can choose, with the defaults. */
import * as z from 'zod'
import { limits } from '#shared/limits'
import { patternsSchema } from '#shared/settings/receive-options'

/** One thing to offer: a file or folder of this computer, or a text that the receiver reads. */
export type SourceItem =
  | { readonly kind: 'path'; readonly path: string }
  /** At most `limits.textBytes` of UTF-8. Shown at the receiver, and not written unless saved. */
  | { readonly kind: 'text'; readonly text: string; readonly name: string }
  /**
   * Standard input, of whatever length, as a file of this name; the only item of its share. It begins when
   * `receivers` (1 .. 1000) have accepted; who comes later is refused with `E_STREAM_STARTED`.
   */
  | {
      readonly kind: 'stream'
      readonly name: string
      readonly receivers: number
      /** An open file or pipe of this process in the place of standard input; not on Windows. */
      readonly descriptor?: number
      /** With another number of bytes it is broken: `E_STREAM_BROKEN`. */
      readonly size?: number
      /** Its end counts only after `ShareSession.endStream`. */
      readonly awaitsProducer?: boolean
    }

export type ShareOptions = {
  /** Left out, with what is in them: patterns as in a `Selection`. */
  readonly exclude: readonly string[]
  /** Left out what the .gitignore files in what is shared leave out. */
  readonly gitignore: boolean
  /** Offer symbolic links that stay in their item as links. */
  readonly links: boolean
  /** At the same time; 0: none for now. */
  readonly maxReceivers: number
  /** The code takes nobody new in after the first receiver that proved to know it. */
  readonly oneReceiver: boolean
  /** A person lets each receiver in; nothing of the share is sent before. */
  readonly approve: boolean
  /** How long a code takes receivers in, milliseconds. */
  readonly codeLifeMs: number
}

const minuteMs = 60_000

/** What people choose from, by the name that the command line has for it. */
export const codeLives = {
  '10min': 10 * minuteMs,
  '1h': 60 * minuteMs,
  '24h': 24 * 60 * minuteMs,
} as const

export const defaultShareOptions: ShareOptions = {
  exclude: [],
  gitignore: false,
  links: true,
  maxReceivers: limits.receiversPerShare,
  oneReceiver: false,
  approve: false,
  codeLifeMs: codeLives['24h'],
}

/** Decodes the number of receivers at the same time. */
export const maxReceiversSchema = z.int().min(0).max(limits.maxReceiversPerShare)

/** Other rules for the code of a share that runs. */
export type CodeChange = Partial<Pick<ShareOptions, 'oneReceiver' | 'approve' | 'codeLifeMs'>>

/** Decodes `ShareOptions` from a window. */
export const shareOptionsSchema = z.object({
  exclude: patternsSchema,
  gitignore: z.boolean(),
  links: z.boolean(),
  maxReceivers: maxReceiversSchema,
  oneReceiver: z.boolean(),
  approve: z.boolean(),
  codeLifeMs: z.literal(Object.values(codeLives)),
})

/** Decodes a `CodeChange` from a window. */
export const codeChangeSchema = z.strictObject({
  oneReceiver: shareOptionsSchema.shape.oneReceiver.exactOptional(),
  approve: shareOptionsSchema.shape.approve.exactOptional(),
  codeLifeMs: shareOptionsSchema.shape.codeLifeMs.exactOptional(),
})
