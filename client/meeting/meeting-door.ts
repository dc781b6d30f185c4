/**
 * Topics and keys of public meeting points. A nameplate becomes a topic that doesn't reveal it, and a key for the
 * messages there; both change every day. The normative text is docs/meeting.md.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto'

/** A topic, and the key that seals messages to it. */
export type Door = {
  /** 64 characters of lower-case hex. */
  readonly topic: string
  readonly key: Buffer
}

/** The day of a time in Unix milliseconds, in UTC: `2026-11-28`. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * Deliberately slow: there are few nameplates, and a table of all of them costs this for each of them on every day.
 * Takes about 0.1 s of another thread, and 32 MiB.
 */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

const nonceBytes = 12
const tagBytes = 16

/** Boxes have a multiple of this size, in bytes, so that their sizes say little. */
const paddingBytes = 512

/** Maximum size of a message, in bytes. */
const maxMessageBytes = 32 * 1024

/** One block of HKDF-Expand (RFC 5869); some runtimes of the app lack `hkdfSync`. */
const expand = (key: Buffer, label: string): Buffer =>
  createHmac('sha256', key).update(`thruflux meet 1 ${label}\x01`).digest()

const derive = (root: Buffer, name: string): Door => ({
  topic: expand(root, `topic ${name}`).toString('hex'),
  key: expand(root, `key ${name}`),
})

/** The door where a host with this nameplate listens on a day. */
export function doorOf(nameplate: string, day: string): Promise<Door> {
  return new Promise((resolve, reject) => {
    scrypt(nameplate, `thruflux meet 1 ${day}`, 32, cost, (error, root) => {
      if (error === null) resolve(derive(root, 'door'))
      else reject(error)
    })
  })
}

/**
 * The door of a key of 256 bits in base64url on a day, which only two sides know: the resume key of a receiver, or the
 * mailbox of a contact. It can't be found by trial, so it is cheap.
 */
export const keyDoorOf = (key: string, day: string): Door =>
  derive(expand(Buffer.from(key, 'base64url'), `known ${day}`), 'door')

/** The door where a joiner receives the host's answers; `run` is the joiner's random number in hex. */
export const replyDoorOf = ({ key }: Door, run: string): Door => derive(key, `reply ${run}`)

/** Seals a message for a door; returns base64url. */
export function sealFor(
  { topic, key }: Door,
  text: string,
  nonce: Buffer = randomBytes(nonceBytes),
): string {
  const bytes = Buffer.from(text)
  const padded = Buffer.alloc(Math.ceil((bytes.length + 2) / paddingBytes) * paddingBytes)
  padded.writeUInt16BE(bytes.length)
  bytes.copy(padded, 2)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(topic))
  const box = [nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(box).toString('base64url')
}

/** The message in a box; `null` if it was not sealed for this door. */
export function openAt({ topic, key }: Door, box: string): string | null {
  if (box.length > 2 * maxMessageBytes) return null
  const bytes = Buffer.from(box, 'base64url')
  if (bytes.length < nonceBytes + tagBytes + paddingBytes) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(topic)).setAuthTag(bytes.subarray(-tagBytes))
  try {
    const sealed = bytes.subarray(nonceBytes, -tagBytes)
    const padded = Buffer.concat([decipher.update(sealed), decipher.final()])
    const length = padded.readUInt16BE()
    return length > padded.length - 2 ? null : padded.toString('utf8', 2, 2 + length)
  } catch {
    return null
  }
}
