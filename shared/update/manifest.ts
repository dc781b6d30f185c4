/** What an update manifest and a list of update keys say (docs/updates.md). */
import * as z from 'zod'
import { isBeta, versionPattern } from '#shared/update/version'

/** The two streams of versions: a beta comes to those who chose it. */
export const channels = ['stable', 'beta'] as const
/** See `channels`. */
export type Channel = (typeof channels)[number]

/** The kinds of package that bring themselves up to date. */
export const updatableKinds = ['appimage', 'nsis', 'mac-zip'] as const
/** See `updatableKinds`. */
export type UpdatableKind = (typeof updatableKinds)[number]

const day = 24 * 60 * 60 * 1000

/** Bounds of everything that a feed serves. */
export const updateLimits = {
  /** A manifest or a chain of key lists in its envelope, in bytes. */
  envelopeBytes: 64 * 1024,
  /** The largest package, in bytes; ours have a third of that. */
  packageBytes: 512 * 1024 * 1024,
  /** How long a manifest may be valid, in milliseconds: a frozen one is noticed after that. */
  longestLifeMs: 90 * day,
  /** Keys in a list. */
  keys: 4,
  /** Key lists, one after another, in the life of this product. */
  keyLists: 16,
  /** Texts of what is new, in UTF-16 units. */
  notes: 8000,
  redirects: 5,
} as const

const version = z.string().regex(versionPattern)
/** A day and a time of UTC, to the second. */
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .refine((text) => !Number.isNaN(Date.parse(text)))
/** A name that needs no quoting anywhere, and that leads into no other folder. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)

/** Decodes a manifest. It is about one package, for one kind of computer, on one channel. */
export const manifestSchema = z
  .strictObject({
    format: z.literal(1),
    product: z.literal('thruflux'),
    channel: z.enum(channels),
    version,
    platform: z.enum(['linux', 'win32', 'darwin']),
    arch: z.enum(['x64', 'arm64']),
    kind: z.enum(updatableKinds),
    /** Where the package is, beside the manifest. */
    file: fileName,
    size: z.int().min(1).max(updateLimits.packageBytes),
    sha512: z.string().regex(/^[0-9a-f]{128}$/),
    /** Older versions have to be brought to this one first. */
    minFrom: version,
    published: time,
    expires: time,
    /** How many of a hundred installations get it by themselves. */
    staged: z.int().min(0).max(100),
    /** What is new, as the changelog says it. */
    notes: z.string().max(updateLimits.notes),
  })
  .refine(({ channel, version: offered }) => channel === 'beta' || !isBeta(offered))
  .refine(({ published, expires }) => {
    const life = Date.parse(expires) - Date.parse(published)
    return life > 0 && life <= updateLimits.longestLifeMs
  })

/** See `manifestSchema`. */
export type UpdateManifest = z.infer<typeof manifestSchema>

/** An Ed25519 public key: its 32 bytes in base64. */
export const publicKeySchema = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)

/** Decodes a list of keys that takes the place of list `serial - 1`. */
export const keyListSchema = z.strictObject({
  format: z.literal(1),
  product: z.literal('thruflux'),
  serial: z.int().min(1).max(updateLimits.keyLists),
  keys: z.array(publicKeySchema).min(1).max(updateLimits.keys),
})

/** See `keyListSchema`. */
export type KeyList = z.infer<typeof keyListSchema>

/** What a signed document is about; it is signed together with the content (DSSE). */
export const payloadTypes = {
  manifest: 'application/vnd.thruflux.update-manifest+json',
  keys: 'application/vnd.thruflux.update-keys+json',
} as const

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)

/** Decodes an envelope of DSSE. */
export const envelopeSchema = z.strictObject({
  payloadType: z.string().max(100),
  payload: base64.max(updateLimits.envelopeBytes),
  signatures: z
    .array(z.strictObject({ keyid: z.string().max(64), sig: base64.length(88) }))
    .min(1)
    .max(updateLimits.keys),
})

/** See `envelopeSchema`. */
export type Envelope = z.infer<typeof envelopeSchema>

/** Where the manifest for a kind of computer is, below the address of the feed. */
export const manifestPath = (
  channel: Channel,
  { platform, arch, kind }: Pick<UpdateManifest, 'platform' | 'arch' | 'kind'>,
): string => `${channel}/${platform}-${arch}-${kind}.json`

/** Where the chain of key lists is, below the address of the feed. */
export const keyListsPath = 'keys.json'
