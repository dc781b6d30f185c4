import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeKey } from '../release/make-key.mjs'
import { signKeyList, signManifest } from '../release/sign-manifest.mjs'
import { readSigner } from '../release/signing.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sign-'))
  writeFileSync(join(folder, 'Thruflux-1.1.0.AppImage'), 'a package')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const usual = () => ({
  ...{ package: join(folder, 'Thruflux-1.1.0.AppImage'), version: '1.1.0', channel: 'stable' },
  ...{ target: 'linux-x64', kind: 'appimage', out: join(folder, 'feed') },
})

it('a key is for its owner alone, and another run never replaces it', () => {
  const path = join(folder, 'key.pem')
  const { publicKey } = makeKey(path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readSigner(path).publicKey).toBe(publicKey)
  expect(() => makeKey(path)).toThrow("can't be made")
  chmodSync(path, 0o644)
  expect(() => readSigner(path)).toThrow('Others can read')
})

it('an encrypted key needs its passphrase', () => {
  const path = join(folder, 'key.pem')
  makeKey(path, 'a long sentence')
  expect(() => readSigner(path)).toThrow('THRU_KEY_PASSPHRASE')
})

it('a manifest is about the bytes of its package, and stands where the app looks', async () => {
  const signer = makeKey(join(folder, 'key.pem'))
  const path = await signManifest({ ...usual(), signers: [signer], staged: 10, notes: 'New.' })
  expect(path).toBe(join(folder, 'feed/stable/linux-x64-appimage.json'))
  const envelope = JSON.parse(readFileSync(path, 'utf8')) as { payload: string }
  const content = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as object
  expect(content).toMatchObject({
    ...{ version: '1.1.0', size: 9, staged: 10, notes: 'New.', file: 'Thruflux-1.1.0.AppImage' },
  })
})

it('nothing is signed that the app would refuse', async () => {
  const signers = [makeKey(join(folder, 'key.pem'))]
  const sign = (more: object) => signManifest({ ...usual(), ...more, signers })
  await expect(sign({ version: '1.1.0-beta.1' })).rejects.toThrow('The app would refuse this')
  await expect(sign({ version: '1.1' })).rejects.toThrow('version')
  await expect(sign({ days: 91 })).rejects.toThrow('times')
  await expect(sign({ staged: 101 })).rejects.toThrow('staged')
})

it('lists of keys follow each other in one file', async () => {
  const [first, second] = ['a.pem', 'b.pem'].map((name) => makeKey(join(folder, name)))
  if (first === undefined || second === undefined) throw new Error('no keys')
  const out = join(folder, 'feed')
  await signKeyList({ signers: [first], serial: 1, keys: [first.publicKey, second.publicKey], out })
  const path = await signKeyList({ signers: [second], serial: 2, keys: [second.publicKey], out })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(2)
})
