/**
 * Events and frames of public meeting points, which are Nostr relays (NIP-01): text in, plain data out. An ephemeral
 * kind is passed on and not stored. The normative text is docs/meeting.md.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { schnorr } from '@noble/curves/secp256k1.js'
import * as z from 'zod'

/** The one kind of all our events, by which an operator can recognize or refuse them. */
export const meetingKind = 28_472

/** The only name of our subscriptions: a socket has one. */
export const subscription = 'meet'

/** Maximum length of a frame in either direction, in characters: the usual limit of relays. */
export const maxPointFrame = 64 * 1024

/** Maximum length of a relay's reason, in characters; the rest is dropped. */
const maxReason = 200

/** An event as it is sent. */
export type NostrEvent = {
  readonly id: string
  readonly pubkey: string
  readonly created_at: number
  readonly kind: number
  readonly tags: readonly (readonly string[])[]
  readonly content: string
  readonly sig: string
}

/** A frame from a relay. */
export type PointFrame =
  | {
      readonly t: 'event'
      readonly topic: string
      readonly pubkey: string
      readonly content: string
    }
  | { readonly t: 'ok'; readonly accepted: boolean; readonly reason: string }
  | { readonly t: 'end' }
  | { readonly t: 'closed'; readonly reason: string }

const hex64 = z.string().regex(/^[0-9a-f]{64}$/)
const reason = z.string().transform((text) => text.slice(0, maxReason))

const frameSchema = z.union([
  z
    .tuple([
      z.literal('EVENT'),
      z.literal(subscription),
      z.object({
        pubkey: hex64,
        kind: z.literal(meetingKind),
        tags: z.array(z.array(z.string()).max(16)).max(16),
        content: z.string().max(maxPointFrame),
      }),
    ])
    .transform(([, , { pubkey, tags, content }]): PointFrame => {
      const topic = tags.find(([name]) => name === 'x')?.[1] ?? ''
      return { t: 'event', topic, pubkey, content }
    }),
  z
    .tuple([z.literal('OK'), z.string(), z.boolean(), reason])
    .transform(([, , accepted, why]): PointFrame => ({ t: 'ok', accepted, reason: why })),
  z.tuple([z.literal('EOSE'), z.literal(subscription)]).transform((): PointFrame => ({ t: 'end' })),
  z
    .tuple([z.literal('CLOSED'), z.literal(subscription), reason])
    .transform(([, , why]): PointFrame => ({ t: 'closed', reason: why })),
])

/** Decodes a relay's frame; `null` for notices, frames of other subscriptions, and anything invalid. */
export function decodePointFrame(text: string): PointFrame | null {
  if (text.length > maxPointFrame) return null
  try {
    return frameSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The frame that subscribes to topics, from `sinceS` (Unix seconds) on; it replaces an earlier subscription. */
export const requestFrame = (topics: readonly string[], sinceS: number): string =>
  JSON.stringify(['REQ', subscription, { kinds: [meetingKind], '#x': topics, since: sinceS }])

/** The frame that publishes an event. */
export const eventFrame = (event: NostrEvent): string => JSON.stringify(['EVENT', event])

type Schnorr = typeof schnorr

/** A throwaway key for events (BIP 340). Relays check its signatures; receivers rely on seals instead. */
export class EventSigner {
  readonly #schnorr: Schnorr
  readonly #secret: Uint8Array
  /** 32 bytes in hex. */
  readonly publicKey: string

  private constructor(curve: Schnorr, secret: Uint8Array) {
    this.#schnorr = curve
    this.#secret = secret
    this.publicKey = hexOf(curve.getPublicKey(secret))
  }

  /** Loads the curve on first use; tests pass a known `secret`. */
  static async create(secret: Uint8Array = randomBytes(32)): Promise<EventSigner> {
    const curves = await import('@noble/curves/secp256k1.js')
    return new EventSigner(curves.schnorr, secret)
  }

  /** The event with this content for a topic; `createdS` in Unix seconds. */
  sign(
    topic: string,
    content: string,
    createdS: number,
    random: Uint8Array = randomBytes(32),
  ): NostrEvent {
    const tags = [['x', topic]]
    const parts = [0, this.publicKey, createdS, meetingKind, tags, content]
    const id = createHash('sha256').update(JSON.stringify(parts)).digest()
    const sig = hexOf(this.#schnorr.sign(id, this.#secret, random))
    const head = { id: id.toString('hex'), pubkey: this.publicKey, created_at: createdS }
    return { ...head, kind: meetingKind, tags, content, sig }
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
