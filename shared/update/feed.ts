/** An update feed: a file of electron-updater, written as JSON (docs/updates.md). */
import * as z from 'zod'
import { isBeta, versionPattern } from '#shared/update/version'

/** The two release channels; betas are opt-in. */
export const channels = ['stable', 'beta'] as const
/** One of `channels`. */
export type Channel = (typeof channels)[number]

/** The kinds of package that update themselves. */
export type UpdatableKind = 'appimage' | 'nsis' | 'mac-zip'

const day = 24 * 60 * 60 * 1000

/** Bounds of everything that a feed serves. */
export const updateLimits = {
  /** A feed with its signature, in bytes. */
  feedBytes: 64 * 1024,
  /** The largest package, in bytes; ours have a third of that. */
  packageBytes: 512 * 1024 * 1024,
  /** Longest validity of a feed, in milliseconds: a frozen one is noticed after that. */
  maxLifeMs: 90 * day,
  /** Built-in keys. */
  keys: 4,
  /** Release notes, in UTF-16 units. */
  notes: 8000,
} as const

/** A UTC time with seconds; such times sort as text. */
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .refine((text) => !Number.isNaN(Date.parse(text)))
/** A name that needs no quoting, and can't lead into another folder. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)

/** Decodes a feed, which offers one package. */
export const feedSchema = z
  .strictObject({
    version: z.string().regex(versionPattern),
    files: z.tuple([
      z.strictObject({
        /** Name of the package, in the feed's folder. */
        url: fileName,
        /** Base64. */
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        size: z.int().min(1).max(updateLimits.packageBytes),
      }),
    ]),
    releaseDate: time,
    expires: time,
    /** Percentage of installations that update automatically. */
    stagingPercentage: z.int().min(0).max(100),
    releaseNotes: z.string().max(updateLimits.notes),
  })
  .refine(({ releaseDate, expires }) => {
    const life = Date.parse(expires) - Date.parse(releaseDate)
    return life > 0 && life <= updateLimits.maxLifeMs
  })

/** A decoded feed. */
export type Feed = z.infer<typeof feedSchema>

/** True for a version that this channel may offer. */
export const isOfChannel = (version: string, channel: Channel): boolean =>
  channel === 'beta' || !isBeta(version)

/** An Ed25519 public key: its 32 bytes in base64. */
export const publicKeySchema = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)

/** The name of a platform's feed, below the server's address, as electron-updater expects it. */
export function feedName(channel: Channel, platform: string, arch: string): string {
  const stream = channel === 'stable' ? 'latest' : 'beta'
  if (platform === 'win32') return `${stream}.yml`
  if (platform === 'darwin') return `${stream}-mac.yml`
  return `${stream}-linux${arch === 'x64' ? '' : `-${arch}`}.yml`
}
