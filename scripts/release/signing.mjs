// What both signing tools share: reading an offline key, and DSSE envelopes (docs/updates.md).
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { Failure } from '../lib/failure.mjs'

/** The 32 bytes of a public key are the end of its DER form. */
const rawKey = (key) => createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)

/**
 * An Ed25519 private key, and the names that go with it.
 * @param {import('node:crypto').KeyObject} key
 */
export function signerOf(key) {
  if (key.asymmetricKeyType !== 'ed25519') throw new Failure('This is not an Ed25519 key.')
  const raw = rawKey(key)
  const id = createHash('sha256').update(raw).digest('hex').slice(0, 16)
  return { key, id, publicKey: raw.toString('base64') }
}

/**
 * Reads a key that make-key.mjs wrote. Others of this computer must not be able to read it.
 * @param {string} path
 */
export function readSigner(path) {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new Failure(`Others can read ${path}: change that first (chmod 600).`)
  }
  const passphrase = process.env.THRU_KEY_PASSPHRASE
  try {
    return signerOf(createPrivateKey({ key: readFileSync(path), format: 'pem', passphrase }))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      `${path} can't be read as a private key: set THRU_KEY_PASSPHRASE to its passphrase.`,
    )
  }
}

/** JSON by RFC 8785, for texts, whole numbers, lists and objects. */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}

/**
 * The envelope of a document.
 * @param {string} payloadType
 * @param {object} content
 * @param {ReturnType<typeof signerOf>[]} signers
 */
export function envelopeOf(payloadType, content, signers) {
  const payload = Buffer.from(canonicalJson(content))
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `
  const bytes = Buffer.concat([Buffer.from(head), payload])
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: signers.map(({ key, id }) => ({
      keyid: id,
      sig: sign(null, bytes, key).toString('base64'),
    })),
  }
}
