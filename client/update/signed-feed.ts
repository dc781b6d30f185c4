/** Accepts a feed by its signature and dates. Pure: the time is an argument. */
import { createPublicKey, verify } from 'node:crypto'
import { err, ok, type Result } from '#shared/result'
import { type Channel, type Feed, feedSchema, isOfChannel } from '#shared/update/feed'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** Requirements for a feed. */
export type FeedRequirements = {
  /** The requested name, which the signature includes. */
  readonly name: string
  readonly channel: Channel
  /** Any one of these keys may have signed the feed. */
  readonly keys: readonly string[]
}

/** Conditions that may change while an update waits to be installed. */
export type Now = {
  /** Unix milliseconds. */
  readonly nowMs: number
  /** The release date of the newest feed of this channel so far; '' for none. */
  readonly newest: string
}

/** The greatest allowed lead of the signing computer's clock. */
const maxAheadMs = 24 * 60 * 60 * 1000

/** The signed bytes, which include the name so that no feed can pass for another one. */
export const signedBytes = (name: string, content: string): Buffer =>
  Buffer.from(`thruflux update feed ${name}\n${content}`, 'utf8')

/** The content and the signature on the last line, which electron-updater reads as a comment. */
const signedForm = /^([\s\S]*\n)# signature: ([A-Za-z0-9+/]{86}==)\n$/

/** Verifies and decodes a feed. Error: the reason why it is invalid. */
export function openFeed(
  text: string,
  requirements: FeedRequirements & Now,
): Result<Feed, UpdateError> {
  const { name, channel, keys } = requirements
  const [, content, signature] = signedForm.exec(text) ?? []
  if (content === undefined || signature === undefined) return untrusted('no signature')
  const bytes = signedBytes(name, content)
  if (!keys.some((key) => isSignedBy(key, bytes, signature))) {
    return untrusted('no signature of a key that this version knows')
  }
  const feed = feedSchema.safeParse(jsonOf(content))
  if (!feed.success || !isOfChannel(feed.data.version, channel)) {
    return untrusted('signed, but it makes no sense')
  }
  const error = lateness(feed.data, requirements)
  return error === null ? ok(feed.data) : err(error)
}

/** The reason to reject a feed now: it is expired, early or stale; `null` for none. */
export function lateness(
  { releaseDate, expires }: Feed,
  { nowMs, newest }: Now,
): UpdateError | null {
  if (Date.parse(expires) <= nowMs) return updateError('E_UPDATE_EXPIRED', `valid until ${expires}`)
  // Once stored, it would make all later valid feeds stale.
  if (Date.parse(releaseDate) > nowMs + maxAheadMs) {
    return updateError('E_UPDATE_EXPIRED', `valid from ${releaseDate} on`)
  }
  return releaseDate < newest ? updateError('E_UPDATE_STALE', `released ${releaseDate}`) : null
}

/** Precedes the 32 bytes of an Ed25519 key in its DER form (RFC 8410). */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

function isSignedBy(publicKey: string, bytes: Buffer, signature: string): boolean {
  try {
    const der = Buffer.concat([derPrefix, Buffer.from(publicKey, 'base64')])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, bytes, key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const untrusted = (detail: string) => err(updateError('E_UPDATE_UNTRUSTED', detail))
