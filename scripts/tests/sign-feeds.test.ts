import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#client/testing/temporary-folder'
import { openFeed } from '#client/update/signed-feed'
import type { Channel } from '#shared/update/feed'
import { publicKeyOf, readKey, signFeeds } from '../release/sign-feeds.mjs'

const at = temporaryFolder()
const { privateKey: key } = generateKeyPairSync('ed25519')
const nowMs = Date.parse('2026-01-02T03:04:05Z')
const appImage = 'thruflux-1.2.0-linux-x64.AppImage'

beforeEach(() => {
  mkdirSync(at('draft'))
  for (const name of [
    ...[appImage, 'thruflux-1.2.0-linux-x64.deb', 'thruflux-1.2.0-win-x64-setup.exe'],
    ...['thruflux-1.2.0-win-x64-portable.exe', 'thruflux-1.2.0-win-x64.zip'],
    ...['thruflux-1.2.0-mac-universal.zip', 'thruflux-1.1.0-linux-arm64.AppImage'],
    'thruflux-1.2.0-beta.1-linux-arm64.AppImage',
  ])
    writeFileSync(at('draft', name), name)
  writeFileSync(at('draft/release-notes.md'), 'New.\n')
})

const signed = (more: object = {}): Promise<readonly string[]> =>
  signFeeds({ ...{ folder: at('draft'), out: at('feeds'), key, version: '1.2.0', nowMs }, ...more })
const opened = (name: string, channel: Channel = 'stable') =>
  openFeed(readFileSync(at('feeds', name), 'utf8'), {
    ...{ name, channel, keys: [publicKeyOf(key)], nowMs, newest: '' },
  })

it('each package that updates itself is next to feeds that the app can read', async () => {
  const names = ['latest-linux.yml', 'beta-linux.yml', 'latest.yml', 'beta.yml']
  expect(await signed({ staged: 10 })).toEqual([...names, 'latest-mac.yml', 'beta-mac.yml'])
  const sha512 = createHash('sha512').update(appImage).digest('base64')
  expect(opened('latest-linux.yml')).toEqual({
    ok: true,
    value: {
      version: '1.2.0',
      files: [{ url: appImage, sha512, size: appImage.length }],
      ...{ releaseDate: '2026-01-02T03:04:05Z', expires: '2026-02-01T03:04:05Z' },
      ...{ stagingPercentage: 10, releaseNotes: 'New.\n' },
    },
  })
  expect(opened('beta-mac.yml', 'beta').ok).toBe(true)
  expect(readdirSync(at('feeds')).filter((name) => !name.endsWith('.yml'))).toHaveLength(3)
})

it('a pre-release is only in the channel beta', async () => {
  writeFileSync(at('draft/thruflux-1.3.0-beta.1-linux-x64.AppImage'), 'x')
  expect(await signed({ version: '1.3.0-beta.1' })).toEqual(['beta-linux.yml'])
})

it('notes end with a whole character', async () => {
  writeFileSync(at('draft/release-notes.md'), `${'x'.repeat(7999)}\u{1f642}`)
  await signed()
  expect(opened('latest.yml')).toMatchObject({ value: { releaseNotes: 'x'.repeat(7999) } })
})

it.each([
  ['for too long', { days: 91 }, 'times'],
  ['for more than all', { staged: 101 }, 'stagingPercentage'],
  ['of a version without packages', { version: '9.9.9' }, 'has no package of 9.9.9'],
])('nothing is signed %s', async (_, more, problem) => {
  await expect(signed(more)).rejects.toThrow(problem)
})

describe('a key of openssl', () => {
  const made = (...args: readonly string[]): string => {
    const file = at('key.pem')
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', file, ...args])
    chmodSync(file, 0o600)
    return file
  }

  it('signs, and shows its public half as docs/releasing.md says', () => {
    const file = made()
    const shell = `openssl pkey -in '${file}' -pubout -outform DER | tail -c 32 | base64`
    const shown = execFileSync('sh', ['-c', shell], { encoding: 'utf8' }).trim()
    expect(publicKeyOf(readKey(file))).toBe(shown)
  })

  it('must be readable by its owner only', () => {
    const file = made()
    chmodSync(file, 0o644)
    expect(() => readKey(file)).toThrow('Other users can read')
  })

  it('needs its passphrase where it has one', () => {
    const file = made('-aes-256-cbc', '-pass', 'pass:a long sentence')
    expect(() => readKey(file)).toThrow('THRU_KEY_PASSPHRASE')
  })
})
