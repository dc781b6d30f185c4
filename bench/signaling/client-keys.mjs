// The swarm's keys. Its sockets share one X25519 key: the swarm computes the agreement once, the server per socket.
import {
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto'

const prefixes = {
  X25519: '302e020100300506032b656e04220420',
  Ed25519: '302e020100300506032b657004220420',
}

function newKey(curve) {
  const key = Buffer.concat([Buffer.from(prefixes[curve], 'hex'), randomBytes(32)])
  const secret = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  return { secret, text: secret.export({ format: 'jwk' }).x }
}

const line = newKey('X25519')
/** The public key of all sockets. */
export const lineKey = line.text
const shared = new Map()

function sharedWith(serverKey) {
  const known = shared.get(serverKey)
  if (known) return known
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: serverKey },
    format: 'jwk',
  })
  const secret = diffieHellman({ privateKey: line.secret, publicKey })
  shared.set(serverKey, secret)
  return secret
}

/** Returns a socket's first box in reply to this greeting. */
export function firstBox({ nonce, key }, message) {
  const salt = Buffer.concat([nonce, line.text, key].map((text) => Buffer.from(text, 'base64url')))
  const own = hkdfSync('sha256', sharedWith(key), salt, 'thruflux signaling 1 client', 32)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(own), Buffer.alloc(12))
  const parts = [cipher.update(JSON.stringify(message)), cipher.final(), cipher.getAuthTag()]
  const box = Buffer.concat(parts).toString('base64url')
  return JSON.stringify({ t: 'sealed', key: line.text, box })
}

/** An owner of a nameplate. */
export class Owner {
  #key = newKey('Ed25519')

  /** Returns the `host` message in reply to this greeting. */
  host({ nonce, key }, more = {}) {
    const said = Buffer.from(`thruflux owner 1 ${nonce} ${key} ${line.text}`)
    const proof = sign(null, said, this.#key.secret).toString('base64url')
    return JSON.stringify({
      ...{ t: 'host', v: 1, key: line.text, owner: this.#key.text, proof },
      ...more,
    })
  }
}
