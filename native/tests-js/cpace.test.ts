import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CpaceInput,
  generator,
  generatorString,
  multiply,
  randomScalar,
  scalarOf,
  sessionKey,
  shareOf,
} from './cpace.js'
import { CpacePeer } from './cpace-peer.js'

type Side = { readonly scalar: string; readonly data: string }
type RunVector = {
  readonly name: string
  readonly secret: string
  readonly channel: string
  readonly session: string
  readonly initiator: Side
  readonly responder: Side
  readonly expect: Readonly<
    Record<
      'generator_string' | 'generator' | 'initiator_share' | 'responder_share' | 'product' | 'key',
      string
    >
  >
}
type ElementVector = {
  readonly name: string
  readonly scalar: string
  readonly element: string
  readonly expect: { readonly product: string | null }
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../docs/vectors/cpace.json', import.meta.url), 'utf8'),
) as { readonly vectors: readonly (RunVector | ElementVector)[] }
const runs = vectors.filter((vector) => 'key' in vector.expect) as readonly RunVector[]
const elements = vectors.filter((vector) => 'element' in vector)

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const hex = (value: Uint8Array | null) =>
  value === null ? null : Buffer.from(value).toString('hex')

const inputOf = ({ secret, channel, session }: RunVector): CpaceInput => ({
  secret: bytes(secret),
  channel: bytes(channel),
  session: bytes(session),
})

describe('PAIR-01: the vectors hold for another implementation', () => {
  it.each(runs)('$name', (vector) => {
    const { initiator, responder, expect: expected } = vector
    const input = inputOf(vector)
    expect(hex(generatorString(input))).toBe(expected.generator_string)
    expect(hex(generator(input))).toBe(expected.generator)
    const first = {
      share: shareOf(scalarOf(bytes(initiator.scalar)), input),
      data: bytes(initiator.data),
    }
    const second = {
      share: shareOf(scalarOf(bytes(responder.scalar)), input),
      data: bytes(responder.data),
    }
    expect(hex(first.share)).toBe(expected.initiator_share)
    expect(hex(second.share)).toBe(expected.responder_share)
    const product = multiply(scalarOf(bytes(initiator.scalar)), second.share)
    expect(hex(product)).toBe(expected.product)
    expect(hex(multiply(scalarOf(bytes(responder.scalar)), first.share))).toBe(expected.product)
    expect(hex(sessionKey(input.session, product ?? new Uint8Array(), first, second))).toBe(
      expected.key,
    )
  })

  it.each(elements)('$name', ({ scalar, element, expect: expected }) => {
    expect(hex(multiply(scalarOf(bytes(scalar)), bytes(element)))).toBe(expected.product)
  })
})

describe('PAIR-01: the engine and another implementation', () => {
  const isLong = process.env['THRU_LONG_TESTS'] === '1'
  const rounds = isLong ? 10_000 : 500
  let peer: CpacePeer

  beforeAll(() => {
    peer = new CpacePeer()
  })
  afterAll(() => peer.close())

  const upTo = (most: number) => randomBytes(randomInt(most + 1))
  const someInput = (): CpaceInput => ({
    // Up to the size of words and keys, of about the hash's block, or far beyond.
    secret: upTo([32, 160, 2000][randomInt(3)] ?? 0),
    channel: upTo(300),
    session: upTo(32),
  })

  it(
    `derive the same keys in ${rounds} runs`,
    async () => {
      for (let round = 0; round < rounds; ++round) {
        const input = someInput()
        const scalar = randomScalar()
        const own = { share: shareOf(scalar, input), data: upTo(200) }
        const other = { share: await peer.start(input), data: upTo(200) }
        const isInitiator = round % 2 === 0
        const key = await peer.finish(isInitiator ? 'responder' : 'initiator', own, other.data)
        const product = multiply(scalar, other.share)
        if (product === null) throw new Error('the engine sent no element')
        const [first, second] = isInitiator ? [own, other] : [other, own]
        const about = JSON.stringify({ scalar: String(scalar), own, other, input })
        expect(hex(key), about).toBe(hex(sessionKey(input.session, product, first, second)))
      }
    },
    isLong ? 1_800_000 : 180_000,
  )

  const data = bytes('00')

  it.each(elements.filter(({ expect: { product } }) => product === null))(
    'both refuse $name',
    async ({ element }) => {
      for (const role of ['initiator', 'responder'] as const) {
        await peer.start(someInput())
        expect(await peer.finish(role, { share: bytes(element), data }, data)).toBeNull()
        expect(multiply(randomScalar(), bytes(element))).toBeNull()
      }
    },
  )

  it('accept and refuse the same shares with a flipped bit', async () => {
    const input = someInput()
    const share = shareOf(randomScalar(), input)
    let refused = 0
    for (let bit = 0; bit < 256; ++bit) {
      const flipped = Uint8Array.from(share)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      await peer.start(input)
      const key = await peer.finish('responder', { share: flipped, data }, data)
      expect(key === null, `bit ${bit} of ${hex(share)}`).toBe(
        multiply(randomScalar(), flipped) === null,
      )
      refused += key === null ? 1 : 0
    }
    expect(refused).toBeGreaterThan(64)
  })

  it('the engine refuses its own share', async () => {
    const share = await peer.start(someInput())
    expect(await peer.finish('initiator', { share, data }, data)).toBeNull()
  })
})
