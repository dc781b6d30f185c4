/** Proves that a nameplate belongs to its owner, on every socket, by an Ed25519 signature. */
import { createPrivateKey, type KeyObject, sign, verify } from 'node:crypto'
import { newSecret, publicKeyOf } from '#shared/signaling/secure-channel'

/** The values that both ends of a socket exchange first; they differ on every other socket. */
export type Greeting = {
  /** The nonce of `welcome`. */
  readonly nonce: string
  readonly serverKey: string
  /** The client's `key`. */
  readonly clientKey: string
}

/** The bytes that an owner signs. */
const statement = ({ nonce, serverKey, clientKey }: Greeting): Buffer =>
  Buffer.from(`thruflux owner 1 ${nonce} ${serverKey} ${clientKey}`)

/** The key of one nameplate's owner; no server ever gets it. */
export class OwnerKey {
  readonly #secret: KeyObject
  /** 32 bytes in base64url. */
  readonly publicKey: string

  /** Without a `secret`, generates a new one; tests pass a known one. */
  constructor(secret: KeyObject = newSecret('Ed25519')) {
    this.#secret = secret
    this.publicKey = secret.export({ format: 'jwk' }).x ?? ''
  }

  /** Reads a key from the form of `text`. Throws for any other text. */
  static from(text: string): OwnerKey {
    const key = Buffer.from(text, 'base64url')
    return new OwnerKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }))
  }

  /** The secret key: 64 characters of base64url. */
  get text(): string {
    return this.#secret.export({ format: 'der', type: 'pkcs8' }).toString('base64url')
  }

  /** The signature for one socket: 64 bytes in base64url. */
  prove(greeting: Greeting): string {
    return sign(null, statement(greeting), this.#secret).toString('base64url')
  }
}

/** True when the owner of `publicKey` signed for this socket. */
export function isOwner(publicKey: string, proof: string, greeting: Greeting): boolean {
  try {
    const key = publicKeyOf('Ed25519', publicKey)
    return verify(null, statement(greeting), key, Buffer.from(proof, 'base64url'))
  } catch {
    return false
  }
}
