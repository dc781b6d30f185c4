import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CallKey, commitmentTo, isCommittedTo, newNonce } from '#client/nearby/call-keys'
import { decodeCall, encodeCall } from '#client/nearby/call-messages'
import { decodeComputer, encodeComputer, markOf } from '#client/nearby/computer-announcement'

type Side = 'caller' | 'computer'
type Vectors = {
  readonly call: {
    readonly [side in Side]: { readonly secret: string; readonly key: string }
  } & {
    readonly nonce: string
    readonly commitment: string
    readonly number: string
    readonly boxes: readonly { readonly from: Side; readonly text: string; readonly box: string }[]
  }
  readonly mark: {
    readonly shared: string
    readonly publicKey: string
    readonly instance: string
    readonly mark: string
  }
  readonly messages: readonly { readonly body: string; readonly expect: object | null }[]
}

const path = new URL('../../../docs/vectors/nearby.json', import.meta.url)
const { call, mark, messages } = JSON.parse(readFileSync(path, 'utf8')) as Vectors

/** The PKCS #8 form of a raw X25519 secret. */
const keyFrom = (secret: string) =>
  new CallKey(
    createPrivateKey({
      ...{ format: 'der', type: 'pkcs8' },
      key: Buffer.concat([
        Buffer.from('302e020100300506032b656e04220420', 'hex'),
        Buffer.from(secret, 'base64url'),
      ]),
    }),
  )

describe('the vectors of docs/nearby.md', () => {
  it('give both sides the same number, and boxes that the other opens', () => {
    const caller = keyFrom(call.caller.secret)
    const computer = keyFrom(call.computer.secret)
    expect(caller.publicKey).toBe(call.caller.key)
    expect(computer.publicKey).toBe(call.computer.key)
    expect(commitmentTo(call.nonce)).toBe(call.commitment)
    const secrets = {
      caller: caller.agree(computer.publicKey, call.commitment, 'caller'),
      computer: computer.agree(caller.publicKey, call.commitment, 'computer'),
    }
    for (const side of [secrets.caller, secrets.computer]) {
      expect(side?.safety(call.nonce)).toBe(call.number)
    }
    for (const { from, text, box } of call.boxes) {
      const to = from === 'caller' ? secrets.computer : secrets.caller
      expect(secrets[from]?.channel.seal(text)).toBe(box)
      expect(to?.channel.open(box)).toBe(text)
    }
  })

  it('mark a computer for its contact', () => {
    const keys = { key: mark.shared, publicKey: mark.publicKey }
    expect(markOf(keys, mark.instance)).toBe(mark.mark)
    expect(markOf(keys, 'f'.repeat(16))).not.toBe(mark.mark)
  })

  it.each(messages)('are read as specified: %#', ({ body, expect: expected }) => {
    expect(decodeCall(body)).toEqual(expected)
  })
})

describe('someone between two computers', () => {
  it('has another number with each of them', () => {
    const nonce = newNonce()
    const [caller, computer, stranger] = [new CallKey(), new CallKey(), new CallKey()]
    const commitment = commitmentTo(nonce)
    const atCaller = caller.agree(stranger.publicKey, commitment, 'caller')
    const atComputer = computer.agree(stranger.publicKey, commitment, 'computer')
    expect(atCaller?.safety(nonce)).not.toBe(atComputer?.safety(nonce))
    expect(atComputer?.safety(nonce)).not.toBe(atComputer?.safety(newNonce()))
  })

  it("can't reveal another nonce than the one that it committed to", () => {
    const nonce = newNonce()
    expect(isCommittedTo(commitmentTo(nonce), nonce)).toBe(true)
    expect(isCommittedTo(commitmentTo(nonce), newNonce())).toBe(false)
    expect(isCommittedTo('', nonce)).toBe(false)
  })

  it('gets no secrets with a key of small order, or with something else', () => {
    const key = new CallKey()
    for (const bad of [Buffer.alloc(32).toString('base64url'), 'AQ', '']) {
      expect(key.agree(bad, commitmentTo(newNonce()), 'caller')).toBeNull()
    }
  })
})

describe('the announcement of a computer', () => {
  const door = '482913'

  it('says nothing but its name and its door', () => {
    const marks = ['AAAAAAAA']
    const texts = encodeComputer({ door, name: 'Mina’s laptop', marks })
    expect(decodeComputer(texts)).toMatchObject({ door, name: 'Mina’s laptop' })
    const hidden = encodeComputer({ door, name: null, marks: [] })
    expect(Object.keys(hidden)).toEqual(['d', 'c'])
    // The number of marks doesn't depend on the number of contacts.
    expect(hidden.c).toHaveLength(texts.c.length)
    expect(texts.c).toHaveLength(240)
    expect(decodeComputer(texts)?.marks).toContain('AAAAAAAA')
  })

  it.each([
    ['no door', { n: 'a', c: '' }],
    ['a door that is no nameplate', { d: '0123', n: 'a' }],
    ['too many marks', { d: door, c: 'A'.repeat(8 * 40) }],
    ['marks of another length', { d: door, c: 'A'.repeat(9) }],
  ])('is ignored with %s', (_what, texts) => {
    expect(decodeComputer(texts)).toBeNull()
  })

  it('has a name that is short and visible', () => {
    const named = (n: string) => decodeComputer({ d: door, n })?.name
    expect(named('a\u202eb')).toBe('a\\u{202e}b')
    expect(named('x'.repeat(200))).toHaveLength(64)
    expect(named('  ')).toBeNull()
  })
})

it('a body that is longer than a relay may carry is not made', () => {
  const box = 'A'.repeat(6000)
  expect(encodeCall({ t: 'share', box }).length).toBeLessThanOrEqual(8192)
})
