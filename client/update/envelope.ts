/**
 * Signed documents by DSSE (github.com/secure-systems-lab/dsse) with Ed25519: what is signed is the
 * type and the bytes, so one kind of document never passes for another.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import type * as z from 'zod'
import { err, ok, type Result } from '#shared/result'
import { canonicalJson } from '#shared/update/canonical'
import { envelopeSchema, updateLimits } from '#shared/update/manifest'
import { type UpdateError, updateError } from '#shared/update/update-error'

/** What stands before the 32 bytes of an Ed25519 key in its DER form (RFC 8410). */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** The first 16 hexadecimal digits of the key's SHA-256: only a hint at which key to try. */
export const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16)

/** The bytes that are signed: the type and the payload, each behind its length. */
export const signedBytes = (payloadType: string, payload: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.byteLength} `,
      'utf8',
    ),
    payload,
  ])

/**
 * The content of a signed document: one of `keys` has signed it, and it is written canonically. Error:
 * `E_UPDATE_UNTRUSTED`, whose detail says what is wrong.
 */
export function openEnvelope<S extends z.ZodType>(
  raw: unknown,
  payloadType: string,
  schema: S,
  keys: readonly string[],
): Result<z.infer<S>, UpdateError> {
  const envelope = envelopeSchema.safeParse(raw)
  if (!envelope.success || envelope.data.payloadType !== payloadType) {
    return untrusted('no envelope of this kind')
  }
  const payload = Buffer.from(envelope.data.payload, 'base64')
  const bytes = signedBytes(payloadType, payload)
  const isSigned = envelope.data.signatures.some(({ keyid, sig }) =>
    keys.some((key) => keyIdOf(key) === keyid && isSignedBy(key, bytes, sig)),
  )
  if (!isSigned) return untrusted('no signature of a key that this version knows')
  const content = schema.safeParse(jsonOf(payload.toString('utf8')))
  if (!content.success) return untrusted('signed, but it makes no sense')
  // Bytes, because a text hides those that are no UTF-8.
  const isCanonical = Buffer.from(canonicalJson(content.data)).equals(payload)
  if (!isCanonical) return untrusted('signed, but not canonical')
  return ok(content.data)
}

function isSignedBy(publicKey: string, bytes: Buffer, signature: string): boolean {
  try {
    const der = Buffer.concat([derPrefix, Buffer.from(publicKey, 'base64')])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, bytes, key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** The value of a JSON text; `undefined` for what is none or too long. */
export function jsonOf(text: string): unknown {
  if (text.length > updateLimits.envelopeBytes) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const untrusted = (detail: string) => err(updateError('E_UPDATE_UNTRUSTED', detail))
