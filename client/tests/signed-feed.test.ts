import { describe, expect, it } from 'vitest'
import { feedOf, feedTime, signedFeed, testKey } from '#client/testing/update-feed'
import { openFeed } from '#client/update/signed-feed'
import type { Feed } from '#shared/update/feed'

const name = 'latest-linux.yml'
const nowMs = 1_700_000_000_000
const day = 24 * 60 * 60 * 1000
const [key, other] = [testKey(), testKey()]
const content = feedOf(Buffer.from('a package'), nowMs)
const signed = (more: object = {}, by = key, as = name): string =>
  signedFeed(as, { ...content, ...more }, by)
const open = (text: string, more: object = {}) =>
  openFeed(text, {
    ...{ name, channel: 'stable', keys: [other.publicKey, key.publicKey], nowMs, newest: '' },
    ...more,
  })

it('a feed signed by one of the known keys is valid', () => {
  expect(open(signed())).toEqual({ ok: true, value: content })
  expect(open(signed({}, other)).ok).toBe(true)
})

describe('UPD-01: a feed is rejected', () => {
  it.each<[string, () => string]>([
    ['without a signature', () => `${JSON.stringify(content)}\n`],
    ['of an unknown key', () => signed({}, testKey())],
    ['with a changed byte', () => signed().replace('1.1.0', '9.1.0')],
    ['with an extra byte after the signature', () => `${signed()} `],
    ['that was cut off', () => signed().slice(0, 300)],
    ['that was signed as another feed', () => signed({}, key, 'beta-linux.yml')],
    ['for another kind of computer', () => signed({}, key, 'latest.yml')],
    ['without content', () => ''],
  ])('%s', (_, text) => {
    expect(open(text())).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
  })

  it('if it was signed as text in another encoding', () => {
    const text = Buffer.from(signed({ releaseNotes: 'é' }), 'latin1').toString('utf8')
    expect(open(text).ok).toBe(false)
  })
})

const [file] = content.files
const withFile = (more: object): Partial<Feed> => ({ files: [{ ...file, ...more }] })

it.each<[string, object]>([
  ['has a malformed version', { version: '1.2' }],
  ['has a version of the other channel', { version: '1.2.0-beta.1' }],
  ['offers two packages', { files: [file, file] }],
  ['offers none', { files: [] }],
  ['names another folder', withFile({ url: '../Thruflux.AppImage' })],
  ['names another server', withFile({ url: 'https://elsewhere.example/x' })],
  ['has no hash', withFile({ sha512: '' })],
  ['has an enormous package', withFile({ size: 1e12 })],
  ['has notes that are too long', { releaseNotes: 'x'.repeat(8001) }],
  ['has an unknown key', { path: 'x' }],
  ['is valid for a year', { expires: feedTime(nowMs + 365 * day) }],
  ['ends before it begins', { expires: feedTime(nowMs - day) }],
  ['has an impossible date', { releaseDate: '2023-02-30T25:00:00Z' }],
])('UPD-04: a feed that %s is refused, although it is signed', (_, more) => {
  expect(open(signed(more))).toMatchObject({ error: { code: 'E_UPDATE_UNTRUSTED' } })
})

describe('UPD-02: a feed is rejected', () => {
  it('after it has expired', () => {
    const late = { nowMs: nowMs + 30 * day }
    expect(open(signed(), late)).toMatchObject({ error: { code: 'E_UPDATE_EXPIRED' } })
    expect(open(signed(), { nowMs: nowMs + 30 * day - 1 }).ok).toBe(true)
  })

  it('from the future', () => {
    const early = { nowMs: nowMs - day - 1 }
    expect(open(signed(), early)).toMatchObject({ error: { code: 'E_UPDATE_EXPIRED' } })
    expect(open(signed(), { nowMs: nowMs - day }).ok).toBe(true)
  })

  it('if it is older than an earlier one', () => {
    const newest = feedTime(nowMs + 1000)
    expect(open(signed(), { newest })).toMatchObject({ error: { code: 'E_UPDATE_STALE' } })
    expect(open(signed(), { newest: content.releaseDate }).ok).toBe(true)
  })
})

it('a beta version is allowed on the channel beta', () => {
  const text = signed({ version: '1.2.0-beta.1' }, key, 'beta-linux.yml')
  expect(open(text, { name: 'beta-linux.yml', channel: 'beta' }).ok).toBe(true)
})
