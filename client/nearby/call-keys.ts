/**
 * The keys of a call between two computers that don't know each other, and the number that their people compare
 * (docs/nearby.md). The called side commits to a nonce before it sees the caller's key, and reveals it only once a person
 * is asked: someone between the two can't search for keys that give both sides the same number.
 */
import {
  createHash,
  createHmac,
  diffieHellman,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { newSecret, publicKeyOf, SecureChannel } from '#shared/signaling/secure-channel'

/** One side's key pair for one call. */
export class CallKey {
  readonly #secret: KeyObject
  /** 32 bytes in base64url. */
  readonly publicKey: string

  /** Without a `secret`, generates a new one; tests pass a known one. */
  constructor(secret: KeyObject = newSecret('X25519')) {
    this.#secret = secret
    this.publicKey = secret.export({ format: 'jwk' }).x ?? ''
  }

  /**
   * The secrets shared with the holder of `other`. `commitment` is the called side's. `null` if `other` is no key, or
   * gives no shared secret.
   */
  agree(other: string, commitment: string, side: 'caller' | 'computer'): CallSecrets | null {
    const [computer, caller] = side === 'caller' ? [other, this.publicKey] : [this.publicKey, other]
    try {
      const shared = diffieHellman({
        privateKey: this.#secret,
        publicKey: publicKeyOf('X25519', other),
      })
      const transcript = Buffer.concat([
        Buffer.from('thruflux nearby 1'),
        ...[computer, commitment, caller].map((part) => Buffer.from(part, 'base64url')),
      ])
      const salt = createHash('sha256').update(transcript).digest()
      return new CallSecrets(createHmac('sha256', salt).update(shared).digest(), side)
    } catch {
      return null
    }
  }
}

/** The boxes of a call, and its number. */
export class CallSecrets {
  readonly #early: Buffer
  readonly channel: SecureChannel

  constructor(early: Buffer, side: 'caller' | 'computer') {
    this.#early = early
    const other = side === 'caller' ? 'computer' : 'caller'
    this.channel = new SecureChannel(this.#expand(side), this.#expand(other))
  }

  /** Six digits, the same on both sides unless someone is between them. */
  safety(nonce: string): string {
    const bytes = this.#expand('verify', Buffer.from(nonce, 'base64url'))
    return String(bytes.readUInt32BE(0) % 1_000_000).padStart(6, '0')
  }

  /** HKDF-Expand (RFC 5869) for one block. */
  #expand(label: string, context = Buffer.alloc(0)): Buffer {
    return createHmac('sha256', this.#early)
      .update(`thruflux nearby 1 ${label}`)
      .update(context)
      .update('\x01')
      .digest()
  }
}

/** 32 random bytes in base64url. */
export const newNonce = (): string => randomBytes(32).toString('base64url')

/** The commitment to a nonce: 32 bytes in base64url. */
export const commitmentTo = (nonce: string): string =>
  createHash('sha256')
    .update('thruflux nearby 1 commit')
    .update(Buffer.from(nonce, 'base64url'))
    .digest('base64url')

/** True if `commitment` is to this nonce. */
export const isCommittedTo = (commitment: string, nonce: string): boolean => {
  const [given, made] = [commitment, commitmentTo(nonce)].map((text) => Buffer.from(text))
  return given?.length === made?.length && timingSafeEqual(given as Buffer, made as Buffer)
}
