/**
 * Keeps the few secrets of a socket from eavesdroppers, even without TLS. Both sides exchange X25519 keys in their
 * first messages, and then use AES-256-GCM (docs/signaling.md, section "sealed").
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const tagBytes = 16

/** One end's key for one socket; a server uses one key for many. */
export class ChannelKey {
  readonly #secret: KeyObject
  /** The public key to send to the other end: 32 bytes in base64url. */
  readonly publicKey: string

  /** Without a `secret`, generates a new one; tests pass a known one. */
  constructor(secret: KeyObject = newSecret('X25519')) {
    this.#secret = secret
    this.publicKey = secret.export({ format: 'jwk' }).x ?? ''
  }

  /**
   * The line to the holder of the public key `other`; `nonce` is the server's for this socket, `end` this side's role.
   * `null` when `other` is no key, or gives no shared secret.
   */
  channelTo(other: string, nonce: string, end: 'client' | 'server'): SecureChannel | null {
    const [client, server] = end === 'client' ? [this.publicKey, other] : [other, this.publicKey]
    try {
      const publicKey = publicKeyOf('X25519', other)
      const shared = diffieHellman({ privateKey: this.#secret, publicKey })
      const salt = Buffer.concat([nonce, client, server].map((part) => decoded(part)))
      const early = createHmac('sha256', salt).update(shared).digest()
      const [fromClient, fromServer] = [
        directionKey(early, 'client'),
        directionKey(early, 'server'),
      ]
      return end === 'client'
        ? new SecureChannel(fromClient, fromServer)
        : new SecureChannel(fromServer, fromClient)
    } catch {
      return null
    }
  }
}

/** The PKCS #8 prefix of a 32-byte secret key (RFC 8410). */
const secretPrefix = {
  X25519: '302e020100300506032b656e04220420',
  Ed25519: '302e020100300506032b657004220420',
} as const

/**
 * A random secret key. Not from `generateKeyPairSync`: exporting such a key deadlocks in Node 20 if its garbage
 * collector visits the job that generated it.
 */
export function newSecret(curve: 'X25519' | 'Ed25519'): KeyObject {
  const key = Buffer.concat([Buffer.from(secretPrefix[curve], 'hex'), randomBytes(32)])
  const secret = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  key.fill(0)
  return secret
}

/** A raw public key of 32 bytes in base64url. Throws for anything else. */
export const publicKeyOf = (curve: 'X25519' | 'Ed25519', x: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: curve, x }, format: 'jwk' })

const decoded = (text: string): Buffer => Buffer.from(text, 'base64url')

/** HKDF-Expand (RFC 5869) for one block; some runtimes of the app lack `hkdfSync`. */
const directionKey = (early: Buffer, from: 'client' | 'server'): Buffer =>
  createHmac('sha256', early).update(`thruflux signaling 1 ${from}\x01`).digest()

/** Both directions of one socket. Each message can be opened once, in the order of sealing. */
export class SecureChannel {
  readonly #ownKey: Buffer
  readonly #otherKey: Buffer
  #sent = 0
  #opened = 0

  constructor(ownKey: Buffer, otherKey: Buffer) {
    this.#ownKey = ownKey
    this.#otherKey = otherKey
  }

  /** Seals a text; returns base64url. */
  seal(text: string): string {
    const cipher = createCipheriv('aes-256-gcm', this.#ownKey, counterBytes(this.#sent))
    this.#sent += 1
    return Buffer.concat([
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]).toString('base64url')
  }

  /** The text of the other end's next box; `null` for anything else. */
  open(box: string): string | null {
    const bytes = decoded(box)
    if (bytes.length < tagBytes) return null
    const decipher = createDecipheriv('aes-256-gcm', this.#otherKey, counterBytes(this.#opened))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    try {
      const text = decipher.update(bytes.subarray(0, -tagBytes))
      const plaintext = Buffer.concat([text, decipher.final()]).toString('utf8')
      this.#opened += 1
      return plaintext
    } catch {
      return null
    }
  }
}

/** 96 bits, most significant first; a socket has far fewer than 2^48 messages. */
function counterBytes(count: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUIntBE(count, 6, 6)
  return bytes
}
