/**
 * Opens the server's sealed messages (docs/signaling.md, section "sealed"). A page in a local network has no WebCrypto,
 * so this doesn't use it.
 */
import { gcm } from '@noble/ciphers/aes.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { extract } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** Bytes of base64url without padding; a text of another form gives other bytes, which open nothing. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )

const textOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** One socket's line from the server. */
export class SealedLine {
  /** The page's public key for this socket. */
  readonly publicKey: string
  readonly #key: Uint8Array
  #opened = 0

  /** `serverKey` and `nonce` are those of the welcome. Throws if they are no key and no nonce. */
  constructor(serverKey: string, nonce: string, secret = x25519.utils.randomSecretKey()) {
    const own = x25519.getPublicKey(secret)
    this.publicKey = textOf(own)
    const server = bytesOf(serverKey)
    const shared = x25519.getSharedSecret(secret, server)
    const salt = new Uint8Array([...bytesOf(nonce), ...own, ...server])
    const early = extract(sha256, shared, salt)
    this.#key = hmac(sha256, early, new TextEncoder().encode('thruflux signaling 1 server\x01'))
  }

  /** The text of the server's next box; `null` for anything else. */
  open(box: string): string | null {
    const nonce = new Uint8Array(12)
    new DataView(nonce.buffer).setUint32(8, this.#opened)
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(
        gcm(this.#key, nonce).decrypt(bytesOf(box)),
      )
      this.#opened += 1
      return text
    } catch {
      return null
    }
  }
}
