/**
 * The first message of a joiner that sends (docs/protocol.md, "Requests"): a payload of pairing that the engine never
 * sees, and the failures with which the two clients answer a joiner of the wrong kind. Also used by the web page.
 */
import type { ErrorCode } from '#shared/errors'
import type { ClientMessage } from '#shared/signaling/messages'

const version = 2
const types = { pake1: 1, failure: 6, sending: 7 } as const

/** Bytes of the version, the type and the run, with which every payload begins. */
const headBytes = 18
const idBytes = 16

/** A joiner's announcement that it sends. */
export type Sending = {
  /** 32 hexadecimal digits, the same whenever one sending joins again. */
  readonly id: string
}

/** `id` as in `Sending`; `run`: 16 random bytes, new for each join. */
export function encodeSending(id: string, run: Uint8Array): string {
  const bytes = new Uint8Array(headBytes + idBytes)
  bytes.set([version, types.sending])
  bytes.set(run.subarray(0, headBytes - 2), 2)
  for (let at = 0; at < idBytes; at += 1) {
    bytes[headBytes + at] = parseInt(id.slice(2 * at, 2 * at + 2), 16)
  }
  return toBase64url(bytes)
}

/** `null` for any other payload. */
export function decodeSending(body: string): Sending | null {
  const bytes = payload(body, types.sending)
  if (bytes === null || bytes.length < headBytes + idBytes) return null
  const id = bytes.subarray(headBytes, headBytes + idBytes)
  return { id: Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('') }
}

/** True for the first message of a receiver's pairing. */
export const isReceiving = (body: string): boolean => payload(body, types.pake1) !== null

/** The message that refuses the joiner `to`, whose first message is `first`. */
export function refusal(to: string, first: string, code: ErrorCode): ClientMessage {
  const run = (fromBase64url(first) ?? new Uint8Array(headBytes)).subarray(2, headBytes)
  const name = Array.from(code, (letter) => letter.charCodeAt(0))
  const body = toBase64url(Uint8Array.from([version, types.failure, ...run, ...name]))
  return { t: 'relay', to, body }
}

/** The failure in `body` that answers the first message `first`; `null` for any other message. */
export function failureFor(first: string, body: string): ErrorCode | null {
  const answer = payload(body, types.failure)
  const asked = fromBase64url(first)
  if (answer === null || asked === null) return null
  const isAboutIt = asked.subarray(2, headBytes).every((byte, at) => answer[2 + at] === byte)
  const name = String.fromCharCode(...answer.subarray(headBytes))
  return isAboutIt && refusals.has(name) ? (name as ErrorCode) : null
}

/** Failures that a host may answer to a Sending. */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  'E_CODE_LOCKED',
  'E_CODE_SHARES',
  'E_RATE_LIMITED',
  'E_TOO_MANY_RECEIVERS',
])

function payload(body: string, type: number): Uint8Array | null {
  const bytes = fromBase64url(body)
  if (bytes === null || bytes.length < headBytes) return null
  return bytes[0] === version && bytes[1] === type ? bytes : null
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Neither Node's nor a browser's own functions are on both sides. */
function toBase64url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3)
    const group = (a << 16) | (b << 8) | c
    const digits = [18, 12, 6, 0].map((shift) => alphabet.charAt((group >> shift) & 63))
    text += digits.slice(0, Math.min(4, bytes.length - at + 1)).join('')
  }
  return text
}

/** `null` for a text that isn't base64url. */
function fromBase64url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  for (let at = 0; at < bytes.length; at += 1) {
    const first = Math.floor((at * 4) / 3)
    const pair = (digitAt(text, first) << 6) | digitAt(text, first + 1)
    bytes[at] = (pair >> (4 - 2 * (at % 3))) & 255
  }
  return bytes
}

const digitAt = (text: string, at: number): number => alphabet.indexOf(text.charAt(at))
