/**
 * Boxes and proofs implemented from docs/signaling.md, independently of the server and the app, to reveal
 * mistakes that both share.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'

/** DER of a secret key without its 32 bytes (RFC 8410); the OID is the only difference. */
const derPrefix = {
  X25519: '302e020100300506032b656e04220420',
  Ed25519: '302e020100300506032b657004220420',
}

function secretKey(curve: keyof typeof derPrefix): KeyObject {
  const key = Buffer.concat([Buffer.from(derPrefix[curve], 'hex'), randomBytes(32)])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

const publicText = (secret: KeyObject): string => secret.export({ format: 'jwk' }).x ?? ''
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')

/** Values that both sides exchanged at the beginning of a socket. */
export type Beginning = {
  readonly nonce: string
  readonly server: string
  readonly client: string
}

/** An X25519 key of either side. */
export class ExchangeKey {
  readonly #secret = secretKey('X25519')
  /** The public one, 43 characters of base64url. */
  readonly text = publicText(this.#secret)

  /** The boxes of a socket with this key at one end. */
  boxes(beginning: Beginning): Boxes {
    const isClient = beginning.client === this.text
    const other = isClient ? beginning.server : beginning.client
    const publicKey = createPublicKey({
      key: { kty: 'OKP', crv: 'X25519', x: other },
      format: 'jwk',
    })
    const shared = diffieHellman({ privateKey: this.#secret, publicKey })
    const { nonce, client, server } = beginning
    const salt = Buffer.concat([bytesOf(nonce), bytesOf(client), bytesOf(server)])
    const keyOf = (end: 'client' | 'server') =>
      Buffer.from(hkdfSync('sha256', shared, salt, `thruflux signaling 1 ${end}`, 32))
    const [clients, servers] = [keyOf('client'), keyOf('server')]
    return isClient ? new Boxes(clients, servers) : new Boxes(servers, clients)
  }
}

function counted(count: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(count, 8)
  return bytes
}

/** The boxes of both directions of one socket. */
export class Boxes {
  readonly #own: Buffer
  readonly #other: Buffer
  #sealed = 0
  #opened = 0

  constructor(own: Buffer, other: Buffer) {
    this.#own = own
    this.#other = other
  }

  seal(text: string): string {
    const cipher = createCipheriv('aes-256-gcm', this.#own, counted(this.#sealed))
    this.#sealed += 1
    const sealed = [cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** Opens the other end's next box; `null` if the box is a different one. */
  open(box: string): string | null {
    const bytes = bytesOf(box)
    if (bytes.length < 16) return null
    try {
      const cipher = createDecipheriv('aes-256-gcm', this.#other, counted(this.#opened))
      cipher.setAuthTag(bytes.subarray(-16))
      const text = Buffer.concat([cipher.update(bytes.subarray(0, -16)), cipher.final()])
      this.#opened += 1
      return text.toString('utf8')
    } catch {
      return null
    }
  }
}

/** The Ed25519 key of a nameplate's owner. */
export class OwnerSecret {
  readonly #secret = secretKey('Ed25519')
  /** The public one, 43 characters of base64url. */
  readonly text = publicText(this.#secret)

  /** The proof for a socket with this beginning. */
  prove({ nonce, server, client }: Beginning): string {
    const said = Buffer.from(`thruflux owner 1 ${nonce} ${server} ${client}`)
    return sign(null, said, this.#secret).toString('base64url')
  }
}
