/** The stored form of a share that can be reopened after a restart. */
import * as z from 'zod'
import { type ProcessMark, processMarkSchema } from '#client/state/process-mark'
import { keySchema } from '#shared/code/key-text'
import { limits } from '#shared/limits'
import { type RelayUse, relayUses } from '#shared/settings/relay-use'
import {
  codeLives,
  type ShareOptions,
  shareOptionsSchema,
  type SourceItem,
} from '#shared/settings/share-options'
import type { CodeEnd, TransferId } from '#shared/state/app-state'
import { type ContactId, contactIdSchema } from '#shared/state/contacts'
import { transferIdSchema } from '#shared/state/resumable-receive-record'

/** The engine's `admission` event, see `native/index.d.ts`. */
export type Admission = {
  readonly share: string
  readonly wrong: number
  readonly wrongOfShare: number
  readonly receivers: readonly {
    readonly key: string
    readonly next: string | null
    readonly hasPlace: boolean
  }[]
}

/** A receiver that accepted and lacks data, and the contact whose key admitted it. */
export type Returning = { readonly transfer: TransferId; readonly contact: ContactId | null }

type PathItem = Extract<SourceItem, { readonly kind: 'path' }>

/**
 * The command line's rules for this share, which the next program applies again. Settings are not included: the present
 * ones apply. An absent rule was not given.
 */
export type ShareRules = {
  readonly relayUse?: RelayUse | undefined
  /** False: the share is not visible on the local network, and searches nothing there. */
  readonly visible?: boolean | undefined
  readonly portMapping?: boolean | undefined
  /** False: public meeting points may not be used; true: they may. */
  readonly meeting?: boolean | undefined
  readonly keepsHistory?: boolean | undefined
  readonly name?: string | undefined
  /** A proxy in the form of the setting `network.proxy`. */
  readonly proxy?: string | undefined
  readonly background?: boolean | undefined
  /** Speed limits as typed. */
  readonly limitUp?: string | undefined
  readonly limitDown?: string | undefined
}

/** The rules that affect the privacy of the share. */
const discreet = [
  'relayUse',
  'visible',
  'portMapping',
  'keepsHistory',
  'name',
  'proxy',
] as const satisfies readonly (keyof ShareRules)[]

/** True if a program with its own rules reveals no more of the share than its command allowed. */
export const keepsRules = ({ rules }: Pick<RememberedShare, 'rules'>, own: ShareRules): boolean =>
  discreet.every((key) => rules[key] === undefined || rules[key] === own[key]) &&
  (rules.meeting !== false || own.meeting === false)

/** Secret as a whole: it allows anyone to act as the sender, and to join as its receivers. */
export type RememberedShare = {
  /** 32 random hexadecimal digits. */
  readonly id: string
  /** The process that has it open; `null` after an orderly close. */
  readonly keeper: ProcessMark | null
  /** The host name of the computer that the paths belong to. */
  readonly host: string
  readonly title: string
  /** The offered paths; texts are omitted, because they may be secrets. */
  readonly items: readonly PathItem[]
  /** The number of texts, across all programs that shared it. */
  readonly texts: number
  readonly options: ShareOptions
  readonly rules: ShareRules
  readonly paused: boolean
  /** Contacts that were invited and have not joined. */
  readonly to: readonly ContactId[]
  /** The signaling server's address; `null` for the embedded server. */
  readonly server: string | null
  readonly nameplate: string
  readonly words: string
  /** The key that reclaims the nameplate, see `NameplateOwner`. */
  readonly ownerKey: string
  /** The end of the code's lifetime in Unix milliseconds. */
  readonly endsAtMs: number
  readonly codeEnd: CodeEnd | null
  /** `null` before the first request for admission. */
  readonly admission: Admission | null
  readonly returning: readonly Returning[]
  /** The time of the last change in Unix milliseconds. */
  readonly lastSeenMs: number
}

/** Limits the characters in one share's paths; a larger share isn't stored. */
export const maxRememberedBytes = 1024 * 1024

/** The lifetime of unclaimed entries; a server reserves a nameplate for a day. */
const maxAgeMs = 7 * 24 * 60 * 60_000

/** True if no receiver can join or return to the share anymore. */
export const isWorn = (share: RememberedShare, nowMs: number): boolean =>
  nowMs - share.lastSeenMs > maxAgeMs ||
  ((share.codeEnd !== null || share.endsAtMs <= nowMs) && share.returning.length === 0)

const id = z.string().regex(/^[0-9a-f]{32}$/)
const count = z.number().min(0)
const guesses = z.int().min(0).max(400)
const path = z.string().min(1).max(limits.pathBytes)

/** Texts are never written to the disk. */
const itemsSchema = z
  .array(z.strictObject({ kind: z.literal('path'), path, resolved: path.optional() }))
  .max(limits.pathsPerShare)

/** The command accepts any lifetime up to a day. */
const optionsSchema = shareOptionsSchema.extend({
  codeLifeMs: z.int().positive().max(codeLives['24h']),
})

const speed = z.string().max(100)

const rulesSchema = z.object({
  relayUse: z.enum(relayUses).optional(),
  visible: z.boolean().optional(),
  portMapping: z.boolean().optional(),
  meeting: z.boolean().optional(),
  keepsHistory: z.boolean().optional(),
  name: z.string().max(limits.peerNameBytes).optional(),
  proxy: z.string().max(limits.pathBytes).optional(),
  background: z.boolean().optional(),
  limitUp: speed.optional(),
  limitDown: speed.optional(),
})

const admissionSchema = z.object({
  share: id,
  wrong: guesses,
  wrongOfShare: guesses,
  receivers: z
    .array(z.object({ key: keySchema, next: keySchema.nullable(), hasPlace: z.boolean() }))
    .max(2000),
})

/** Decodes a share from the file. */
export const rememberedShareSchema = z.object({
  id,
  keeper: processMarkSchema.nullable(),
  host: z.string().max(255),
  title: z.string().max(limits.pathBytes),
  items: itemsSchema,
  texts: z.int().min(0),
  options: optionsSchema,
  rules: rulesSchema,
  paused: z.boolean(),
  to: z.array(contactIdSchema).max(limits.contactsPerShare),
  server: z.string().max(limits.pathBytes).nullable(),
  nameplate: z.string().regex(/^[1-9][0-9]{3,5}$/),
  words: z.string().regex(/^[a-z]{3,10}(?:-[a-z]{3,10}){2}$/),
  // PKCS #8 of an Ed25519 key (RFC 8410, section 7): 16 constant bytes, then 32 arbitrary ones.
  ownerKey: z.string().regex(/^MC4CAQAwBQYDK2VwBCIEI[A-P][A-Za-z0-9_-]{42}$/),
  endsAtMs: count,
  codeEnd: z.enum(['one-receiver', 'expired', 'everyone']).nullable(),
  admission: admissionSchema.nullable(),
  returning: z
    .array(z.object({ transfer: transferIdSchema, contact: contactIdSchema.nullable() }))
    .max(2000),
  lastSeenMs: count,
})
