import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { limits } from '#shared/limits'
import {
  type ClientMessage,
  decodeClientMessage,
  decodeHealth,
  decodeServerMessage,
  encode,
  maxMailboxes,
  type ServerMessage,
  turnBounds,
} from '#shared/signaling/messages'

const text = (alphabet: string, minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength })

const base64url = 'ABCXYZabcxyz0189-_'
const peer = text('0123456789abcdef', 16)
const bits256 = text(base64url, 43)
const box = text(base64url, 22, 200)
const mailbox = text(base64url, 43)
const body = text(`${base64url}+/=`, 1, 200)
const nameplate = fc.integer({ min: 1000, max: 999_999 }).map(String)
const ttlS = fc.integer({ min: 1, max: turnBounds.ttlS })
const turnText = text('turn:relay.example?[]~!09', 1, turnBounds.characters)

/** A record whose optional keys are sometimes absent. */
const message = <T>(
  required: { readonly [key: string]: fc.Arbitrary<unknown> },
  optional: { readonly [key: string]: fc.Arbitrary<unknown> } = {},
): fc.Arbitrary<T> =>
  fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required) },
  ) as fc.Arbitrary<T>

const is = (t: string) => fc.constant(t)
const v = fc.constant(1)

const clientMessages: { readonly [t in ClientMessage['t']]: fc.Arbitrary<ClientMessage> } = {
  host: fc.oneof(
    message<ClientMessage>(
      { t: is('host'), v },
      { key: bits256, nameplate, visible: fc.boolean() },
    ),
    message<ClientMessage>(
      { t: is('host'), v, key: bits256, owner: bits256, proof: text(base64url, 86) },
      { nameplate },
    ),
  ),
  join: message({ t: is('join'), v, nameplate }, { key: bits256, pass: bits256, body }),
  sealed: message({ t: is('sealed'), key: bits256, box }),
  listen: message({
    t: is('listen'),
    v,
    mailboxes: fc.array(mailbox, { minLength: 1, maxLength: maxMailboxes }),
  }),
  relay: message({ t: is('relay'), to: peer, body }),
  grant: message({ t: is('grant'), peer }),
  notify: message({ t: is('notify'), mailbox, body }),
  leave: message({ t: is('leave') }),
}

const code = fc.constantFrom('E_PEER_GONE', 'E_NO_SUCH_CODE', 'E_RATE_LIMITED', 'E_INTERNAL')
const serverMessages: { readonly [t in ServerMessage['t']]: fc.Arbitrary<ServerMessage> } = {
  welcome: message({ t: is('welcome'), nonce: bits256, key: bits256 }),
  sealed: message({ t: is('sealed'), box }),
  pass: message({ t: is('pass'), pass: bits256 }),
  hosted: message({ t: is('hosted'), nameplate, ttlS }),
  joined: message({ t: is('joined'), peer }),
  waiting: message({ t: is('waiting') }),
  peer: message({ t: is('peer'), peer }, { body }),
  relay: message({ t: is('relay'), from: peer, body }),
  turn: message({
    t: is('turn'),
    peer,
    urls: fc.array(turnText, { minLength: 1, maxLength: turnBounds.urls }),
    username: turnText,
    credential: turnText,
    ttlS,
  }),
  'server-relay': message(
    { t: is('server-relay'), peer, ticket: bits256 },
    { node: text('abcxyz019-', 1, 32) },
  ),
  listening: message({ t: is('listening') }),
  notify: message({ t: is('notify'), mailbox, body }, { pass: bits256 }),
  notified: message({ t: is('notified'), mailbox, reached: fc.boolean() }),
  gone: message({ t: is('gone'), peer }),
  error: message({ t: is('error'), code }, { peer, mailbox }),
}

const anyClientMessage = fc.oneof(...Object.values(clientMessages))
const anyServerMessage = fc.oneof(...Object.values(serverMessages))

/** Messages of a hostile end: real ones with strange values in them, strange JSON, any text. */
const keys = fc.oneof(
  fc.constantFrom('t', 'v', 'peer', 'body', 'mailboxes', 'urls', '__proto__', 'constructor'),
  fc.string(),
)
const strange = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json(),
  fc
    .tuple(fc.oneof(anyClientMessage, anyServerMessage), keys, fc.jsonValue())
    .map(([base, key, value]) => {
      const members = Object.entries({ ...base }).filter(([name]) => name !== key)
      const pairs = [...members, [key, value] as const]
      return `{${pairs.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`).join(',')}}`
    }),
  fc.tuple(anyClientMessage, fc.nat(), fc.string({ maxLength: 3 })).map(([base, at, insert]) => {
    const whole = encode(base)
    return `${whole.slice(0, at % whole.length)}${insert}${whole.slice((at + 1) % whole.length)}`
  }),
)

const decoders = { decodeClientMessage, decodeServerMessage, decodeHealth }
/** `{"t":""}` becomes `unknown`, an empty error code `E_INTERNAL`, and 1e15 has 16 digits. */
const maxAdded = 12
const runs = { numRuns: 1000 }

const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort())
afterEach(() => {
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort())).toBe(prototype)
})

describe.each(Object.entries(decoders))('FZ-07: %s', (_name, decode) => {
  it('never throws, and returns nothing much longer than its input', () => {
    fc.assert(
      fc.property(strange, (input) => {
        const decoded = decode(input)
        if (decoded.ok) {
          const length = JSON.stringify(decoded.value).length
          expect(length).toBeLessThanOrEqual(input.length + maxAdded)
          expect(Object.getPrototypeOf(decoded.value)).toBe(Object.prototype)
        } else {
          expect(['E_SERVER_PROTOCOL', 'E_PEER_VERSION']).toContain(decoded.error.code)
          expect(decoded.error.detail.length).toBeLessThanOrEqual(200)
        }
      }),
      runs,
    )
  })

  it('refuses a key that every object inherits', () => {
    const inherited = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty')
    const any = fc.oneof(anyClientMessage, anyServerMessage)
    fc.assert(
      fc.property(any, inherited, fc.jsonValue(), (base, key, value) => {
        const whole = encode(base)
        const polluted = `${whole.slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(value)}}`
        expect(decode(polluted)).toMatchObject({ ok: false })
      }),
      runs,
    )
  })
})

describe.each(Object.keys(clientMessages) as ClientMessage['t'][])(
  'FZ-07: a %s of a client',
  (t) => {
    it('survives encoding and decoding, despite extra keys', () => {
      fc.assert(
        fc.property(clientMessages[t], fc.jsonValue(), (sent, extra) => {
          expect(decodeClientMessage(encode(sent))).toEqual({ ok: true, value: sent })
          const more = JSON.stringify({ ...sent, extra, another: null })
          expect(decodeClientMessage(more)).toEqual({ ok: true, value: sent })
        }),
      )
    })
  },
)

describe.each(Object.keys(serverMessages) as ServerMessage['t'][])(
  'FZ-07: a %s of the server',
  (t) => {
    it('survives encoding and decoding, despite extra keys', () => {
      fc.assert(
        fc.property(serverMessages[t], fc.jsonValue(), (sent, extra) => {
          expect(decodeServerMessage(encode(sent))).toEqual({ ok: true, value: sent })
          const more = JSON.stringify({ ...sent, extra, another: null })
          expect(decodeServerMessage(more)).toEqual({ ok: true, value: sent })
        }),
      )
    })
  },
)

it('FZ-07: the longest messages fit into a frame', () => {
  const longest: readonly (ClientMessage | ServerMessage)[] = [
    { t: 'listen', v: 1, mailboxes: Array<string>(maxMailboxes).fill('A'.repeat(43)) },
    { t: 'notify', mailbox: 'A'.repeat(43), body: 'A'.repeat(limits.relayBodyBytes) },
    {
      t: 'turn',
      peer: '0'.repeat(16),
      urls: Array<string>(turnBounds.urls).fill('a'.repeat(turnBounds.characters)),
      username: 'a'.repeat(turnBounds.characters),
      credential: 'a'.repeat(turnBounds.characters),
      ttlS: turnBounds.ttlS,
    },
  ]
  for (const each of longest) {
    expect(encode(each).length).toBeLessThan(limits.signalingFrameBytes / 4)
    const isClients = each.t === 'listen' || each.t === 'notify'
    expect((isClients ? decodeClientMessage : decodeServerMessage)(encode(each)).ok).toBe(true)
  }
})
