/** A sender's choices, with the defaults. */
import * as z from 'zod'
import { limits } from '#shared/limits'
import { patternsSchema } from '#shared/settings/receive-options'

/** One thing to offer: a file or folder of this computer, or a text that the receiver reads. */
export type SourceItem =
  | {
      readonly kind: 'path'
      readonly path: string
      /** The path that `path` led to when it was first shared; shared until it becomes a link. */
      readonly resolved?: string | undefined
    }
  /** At most `limits.textBytes` of UTF-8. Shown at the receiver, and not written unless saved. */
  | { readonly kind: 'text'; readonly text: string; readonly name: string }
  /**
   * Standard input, of any length, as a file of this name; the only item of its share. It begins when `receivers` (1 ..
   * 1000) have accepted; later receivers are refused with `E_STREAM_STARTED`.
   */
  | {
      readonly kind: 'stream'
      readonly name: string
      readonly receivers: number
      /** An open file or pipe of this process to read instead of standard input; not on Windows. */
      readonly descriptor?: number
      /** Expected number of bytes; with any other the stream fails with `E_STREAM_BROKEN`. */
      readonly size?: number
      /** Its end is valid only after `ShareSession.endStream`. */
      readonly awaitsProducer?: boolean
    }

export type ShareOptions = {
  /** Patterns as in a `Selection`; matching folders are left out with their contents. */
  readonly exclude: readonly string[]
  /** Skip files listed in .gitignore files. */
  readonly gitignore: boolean
  /** Offer symbolic links that stay inside their item as links. */
  readonly links: boolean
  /** Send what symbolic links lead to, not the links. */
  readonly followLinks: boolean
  /** Offer the extended attributes of files and folders, to receivers that keep them. */
  readonly attributes: boolean
  /** At the same time; 0 admits no new ones. */
  readonly maxReceivers: number
  /** The code admits no new receivers after the first one that proved to know it. */
  readonly oneReceiver: boolean
  /** The user admits each receiver; nothing of the share is sent before that. */
  readonly approve: boolean
  /** Browsers may receive, with a page in place of the app. */
  readonly browsers: boolean
  /** The lifetime of a code, milliseconds. */
  readonly codeLifeMs: number
  /** No code is shown: only invited people are admitted, and the share ends with the last of them. */
  readonly invitedOnly: boolean
  /** Reports changes of the items to receivers that follow. */
  readonly watch?: boolean
  /** Only scans the items: no one can join, and no server is used. */
  readonly scanOnly?: boolean
}

const minuteMs = 60_000

/** The choices, by their names on the command line. */
export const codeLives = {
  '10min': 10 * minuteMs,
  '1h': 60 * minuteMs,
  '24h': 24 * 60 * minuteMs,
} as const

export const defaultShareOptions: ShareOptions = {
  exclude: [],
  gitignore: false,
  links: true,
  followLinks: false,
  attributes: false,
  maxReceivers: limits.receiversPerShare,
  oneReceiver: false,
  approve: false,
  browsers: true,
  codeLifeMs: codeLives['24h'],
  invitedOnly: false,
}

/** Decodes the number of simultaneous receivers. */
export const maxReceiversSchema = z.int().min(0).max(limits.maxReceiversPerShare)

/** New rules for the code of a running share. */
export type CodeChange = Partial<Pick<ShareOptions, 'oneReceiver' | 'approve' | 'codeLifeMs'>>

/** Decodes `ShareOptions` from a window. */
export const shareOptionsSchema = z.object({
  exclude: patternsSchema,
  gitignore: z.boolean(),
  links: z.boolean(),
  followLinks: z.boolean().default(false),
  attributes: z.boolean().default(false),
  maxReceivers: maxReceiversSchema,
  oneReceiver: z.boolean(),
  approve: z.boolean(),
  browsers: z.boolean().default(true),
  codeLifeMs: z.literal(Object.values(codeLives)),
  invitedOnly: z.boolean().default(false),
  watch: z.boolean().exactOptional(),
})

/** Decodes a `CodeChange` from a window. */
export const codeChangeSchema = z.strictObject({
  oneReceiver: shareOptionsSchema.shape.oneReceiver.exactOptional(),
  approve: shareOptionsSchema.shape.approve.exactOptional(),
  codeLifeMs: shareOptionsSchema.shape.codeLifeMs.exactOptional(),
})
