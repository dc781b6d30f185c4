/** The schemas of a server's messages, as in the tables of docs/signaling.md. */

/** A message on the wire. */
export type Message = { readonly t: string; readonly [key: string]: unknown }

/** The fields of each server message that matches its schema. */
export type ServerMessages = {
  welcome: { t: 'welcome'; nonce: string; key: string; joins?: true }
  hosted: { t: 'hosted'; nameplate: string; ttlS: number }
  joined: { t: 'joined'; peer: string }
  waiting: { t: 'waiting' }
  peer: { t: 'peer'; peer: string; body?: string }
  relay: { t: 'relay'; from: string; body: string }
  turn: {
    t: 'turn'
    peer: string
    urls: readonly string[]
    username: string
    credential: string
    ttlS: number
  }
  'server-relay': { t: 'server-relay'; peer: string; ticket: string; node?: string }
  pass: { t: 'pass'; pass: string }
  listening: { t: 'listening' }
  notify: { t: 'notify'; mailbox: string; body: string; pass?: string }
  notified: { t: 'notified'; mailbox: string; reached: boolean }
  gone: { t: 'gone'; peer: string }
  error: { t: 'error'; code: string; peer?: string; mailbox?: string }
  sealed: { t: 'sealed'; box: string }
}

type Schema = { readonly is: string; readonly fits: (value: unknown) => boolean }

const text = (is: string, pattern: RegExp): Schema => ({
  is,
  fits: (value) => typeof value === 'string' && pattern.test(value),
})

const key = text('43 characters of base64url', /^[A-Za-z0-9_-]{43}$/)
const peer = text('16 hexadecimal digits', /^[0-9a-f]{16}$/)
const body = text('1 to 8,192 characters of base64', /^[A-Za-z0-9+/_=-]{1,8192}$/)
const turnText = text('1 to 256 printable ASCII characters', /^[!-~]{1,256}$/)
const wholeFrom1 = (most: number): Schema => ({
  is: most === Infinity ? 'a whole number > 0' : `a whole number from 1 to ${most}`,
  fits: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most,
})
const relayUrl = /^(?=.{1,256}$)turns?:[!-~]+$/
const urls: Schema = {
  is: '1 to 8 URLs with turn: or turns:',
  fits: (value) =>
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= 8 &&
    value.every((url) => typeof url === 'string' && relayUrl.test(url)),
}
const flag: Schema = { is: 'true or false', fits: (value) => typeof value === 'boolean' }
const isTrue: Schema = { is: 'true', fits: (value) => value === true }
const optional = (schema: Schema): Schema => ({
  is: `${schema.is}, or no key`,
  fits: (value) => value === undefined || schema.fits(value),
})

const schemas: { readonly [t in keyof ServerMessages]: Readonly<Record<string, Schema>> } = {
  welcome: { nonce: key, key, joins: optional(isTrue) },
  hosted: {
    nameplate: text('a text of 4 to 6 digits', /^[1-9][0-9]{3,5}$/),
    ttlS: wholeFrom1(Infinity),
  },
  joined: { peer },
  waiting: {},
  peer: { peer, body: optional(body) },
  relay: { from: peer, body },
  turn: { peer, urls, username: turnText, credential: turnText, ttlS: wholeFrom1(86_400) },
  'server-relay': {
    peer,
    ticket: key,
    node: optional(text('1 to 32 of a-z, 0-9 and -', /^[a-z0-9-]{1,32}$/)),
  },
  pass: { pass: key },
  listening: {},
  notify: { mailbox: key, body, pass: optional(key) },
  notified: { mailbox: key, reached: flag },
  gone: { peer },
  error: {
    code: text('a code of at most 64 characters', /^E_[A-Z_]{1,62}$/),
    peer: optional(peer),
    mailbox: optional(key),
  },
  sealed: { box: text('22 to 65,536 characters of base64url', /^[A-Za-z0-9_-]{22,65536}$/) },
}

/** True for a message of this version; a client ignores every other one. */
export const isKnown = (t: string): t is keyof ServerMessages => Object.hasOwn(schemas, t)

/** The first invalid field of a known message: its expected and actual values; `null` if it is valid. */
export function faultOf(message: Message): { expected: string; got: string } | null {
  const { t } = message
  if (!isKnown(t)) return null
  for (const [name, { is, fits }] of Object.entries(schemas[t])) {
    const value = message[name]
    if (fits(value)) continue
    return {
      expected: `${name} of ${t}: ${is}`,
      got: value === undefined ? 'no such key' : JSON.stringify(value),
    }
  }
  return null
}

/** True for a message that an eavesdropper could use, and so travels in a box. */
export const isSecret = ({ t, mailbox }: Message): boolean =>
  ['notify', 'notified', 'turn', 'server-relay', 'pass'].includes(t) ||
  (t === 'error' && mailbox !== undefined)

/** True for an error that is the last message on its socket. */
export const isLast = ({ t, peer: id, mailbox }: Message): boolean =>
  t === 'error' && id === undefined && mailbox === undefined
