import { sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { envelope, manifestOf, testKey } from '#client/testing/update-feed'
import { keyIdOf, openEnvelope, signedBytes } from '#client/update/envelope'
import { type Installation, judgeManifest } from '#client/update/judge'
import { followKeyLists } from '#client/update/trusted-keys'
import { canonicalJson } from '#shared/update/canonical'
import { type Channel, manifestSchema, payloadTypes } from '#shared/update/manifest'

const file = new URL('../../docs/vectors/update.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly keys: readonly { readonly id: string; readonly publicKey: string }[]
  readonly installation: Installation
  readonly channel: Channel
  readonly now: string
  readonly newestPublished: string
  readonly canonical: { readonly content: unknown; readonly text: string }
  readonly manifests: readonly { name: string; envelope: unknown; expected: string }[]
  readonly chains: readonly { name: string; chain: unknown; expected: object }[]
}
const trusted = vectors.keys.slice(0, 2).map(({ publicKey }) => publicKey)

const judge = (envelope: unknown, more: object = {}) =>
  judgeManifest(envelope, {
    installation: vectors.installation,
    channel: vectors.channel,
    keys: trusted,
    nowMs: Date.parse(vectors.now),
    lot: 'any',
    newestPublished: vectors.newestPublished,
    isAsked: false,
    ...more,
  })

describe('UPD-01, UPD-02: of the manifests that a feed may serve', () => {
  it.each(vectors.manifests)('$name: $expected', ({ envelope, expected }) => {
    const verdict = judge(envelope)
    expect(verdict.ok ? verdict.value.kind : verdict.error.code).toBe(expected)
  })

  it('none counts for a version that was built without keys', () => {
    for (const { envelope } of vectors.manifests) {
      expect(judge(envelope, { keys: [] })).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
    }
  })

  it('none counts with any one byte of its content, type or signature changed', () => {
    const good = vectors.manifests[0]?.envelope as {
      payloadType: string
      payload: string
      signatures: readonly { keyid: string; sig: string }[]
    }
    const bytes = Buffer.from(good.payload, 'base64')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(judge({ ...good, payload: changed.toString('base64') }).ok).toBe(false)
    }
    const [signature] = good.signatures
    const sig = Buffer.from(signature?.sig ?? '', 'base64')
    for (let at = 0; at < sig.length; at += 1) {
      const changed = Buffer.from(sig)
      changed[at] = (changed[at] ?? 0) ^ 1
      const signatures = [{ ...signature, sig: changed.toString('base64') }]
      expect(judge({ ...good, signatures }).ok).toBe(false)
    }
  })
})

it('a document that is signed has one way to be written', () => {
  expect(canonicalJson(vectors.canonical.content)).toBe(vectors.canonical.text)
})

it('a document that is signed is UTF-8', () => {
  const key = testKey()
  const good = envelope('manifest', manifestOf(Buffer.from('x'), 0, { notes: '\ufffd' }), [key])
  const payload = Buffer.from(
    Buffer.from(good.payload, 'base64').toString('latin1').replace('\xef\xbf\xbd', '\xff'),
    'latin1',
  )
  const sig = sign(null, signedBytes(payloadTypes.manifest, payload), key.secret)
  const signatures = [{ keyid: keyIdOf(key.publicKey), sig: sig.toString('base64') }]
  const open = (raw: object) =>
    openEnvelope(raw, payloadTypes.manifest, manifestSchema, [key.publicKey]).ok
  expect(open(good)).toBe(true)
  expect(open({ ...good, payload: payload.toString('base64'), signatures })).toBe(false)
})

it('a key is named by its hash', () => {
  for (const { id, publicKey } of vectors.keys) expect(keyIdOf(publicKey)).toBe(id)
})

it('a person who asks need not wait for the turn of this installation', () => {
  const nobodyYet = vectors.manifests.find(({ expected }) => expected === 'later')?.envelope
  expect(judge(nobodyYet)).toMatchObject({ value: { kind: 'later' } })
  expect(judge(nobodyYet, { isAsked: true })).toMatchObject({ value: { kind: 'update' } })
})

describe('of the key lists that a feed may serve', () => {
  const known = { keys: trusted, serial: 0 }

  it.each(vectors.chains)('$name', ({ chain, expected }) => {
    expect(followKeyLists(known, chain)).toEqual(expected)
  })

  it('an old chain takes nothing back from a version that was built with later keys', () => {
    const twoSteps = vectors.chains.find(({ name }) => name === 'two steps')
    const later = { keys: [vectors.keys[2]?.publicKey ?? ''], serial: 2 }
    expect(followKeyLists(later, twoSteps?.chain)).toEqual(later)
  })

  it.each([null, 7, 'x', {}, [null], [[]], Array.from({ length: 1000 }, () => ({}))])(
    'what is none changes nothing',
    (chain) => {
      expect(followKeyLists(known, chain)).toEqual(known)
    },
  )
})

it('an envelope that is larger than any is refused before it is decoded', () => {
  const payload = Buffer.alloc(100_000, 32).toString('base64')
  const raw = { payloadType: payloadTypes.manifest, payload, signatures: [{ keyid: '', sig: '' }] }
  expect(openEnvelope(raw, payloadTypes.manifest, manifestSchema, trusted).ok).toBe(false)
})
