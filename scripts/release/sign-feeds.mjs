#!/usr/bin/env node
/*
 * Writes and signs the feeds of a release: what installed copies look for. Runs on the computer that has the key, and needs no
 * network:
 *
 *   sign-feeds.mjs --key FILE --release FOLDER --out FEEDS [--staged 10] [--days 30]
 *
 * FOLDER has the files of the release's draft, checked by their checksums. FEEDS becomes what the server of updates has, packages
 * included. The key is an Ed25519 key of openssl; THRU_KEY_PASSPHRASE decrypts it.
 */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../lib/cache.mjs'
import { Failure, isMain, runMain } from '../lib/failure.mjs'
import { product } from '../package/product.mjs'

/** Packages that bring themselves up to date, by what follows the version in their names. */
const kinds = [
  { platform: 'linux', arch: 'x64', name: /^linux-x64(-substitute)?\.AppImage$/ },
  { platform: 'linux', arch: 'arm64', name: /^linux-arm64(-substitute)?\.AppImage$/ },
  { platform: 'win32', arch: 'x64', name: /^win-x64(-substitute)?-setup\.exe$/ },
  { platform: 'darwin', arch: 'universal', name: /^mac-universal(-substitute)?\.zip$/ },
]

/** The app's own reader of feeds: nothing is signed that it would refuse. */
async function reader() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { openFeed, signedBytes } from '#client/update/signed-feed'
        export { feedName, feedSchema, updateLimits } from '#shared/update/feed'`,
      resolveDir: root,
    },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', absWorkingDir: root },
  })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  return import(`data:text/javascript;base64,${code}`)
}

/**
 * Reads a private key. Others of this computer must not be able to read it.
 * @param {string} path
 */
export function readKey(path) {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new Failure(`Others can read ${path}: change that first (chmod 600).`)
  const passphrase = process.env.THRU_KEY_PASSPHRASE
  try {
    return createPrivateKey({ key: readFileSync(path), format: 'pem', passphrase })
  } catch {
    throw new Failure(
      `${path} can't be read as a private key: set THRU_KEY_PASSPHRASE to its passphrase.`,
    )
  }
}

/** The public half as `resources/update-keys.json` has it: the 32 bytes at the end of its DER form. */
export const publicKeyOf = (key) =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')

async function sha512Of(path) {
  const hash = createHash('sha512')
  for await (const part of createReadStream(path)) hash.update(part)
  return hash.digest('base64')
}

/** To the second, as feeds have it. */
const timeOf = (ms) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** Half of a character at the end would be none. */
const cut = (text, length) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

/**
 * Signs a feed for each package of `version` in `folder` and writes it into `out`, with the package; answers with the feeds' names.
 * @param {{ folder: string, out: string, key: import('node:crypto').KeyObject, version?: string, staged?: number, days?: number,
 *   nowMs?: number }} about
 * @returns {Promise<string[]>}
 */
export async function signFeeds({ folder, out, key, ...terms }) {
  const { version = product.version, staged = 100, days = 30, nowMs = Date.now() } = terms
  const { openFeed, signedBytes, feedName, feedSchema, updateLimits } = await reader()
  const names = readdirSync(folder)
  const prefix = `thruflux-${version}-`
  const releaseNotes = readFileSync(join(folder, 'release-notes.md'), 'utf8')
  const written = []
  mkdirSync(out, { recursive: true })
  for (const { platform, arch, name } of kinds) {
    const found = names.find((one) => one.startsWith(prefix) && name.test(one.slice(prefix.length)))
    if (found === undefined) continue
    const path = join(folder, found)
    const feed = {
      version,
      files: [{ url: found, sha512: await sha512Of(path), size: statSync(path).size }],
      releaseDate: timeOf(nowMs),
      expires: timeOf(nowMs + days * 24 * 60 * 60 * 1000),
      stagingPercentage: staged,
      releaseNotes: cut(releaseNotes, updateLimits.notes),
    }
    const parsed = feedSchema.safeParse(feed)
    if (!parsed.success) {
      const why = parsed.error.issues.map(({ path }) => path.join('.') || 'times').join(', ')
      throw new Failure(`The app would refuse this: ${why}.`)
    }
    // The beta channel gets releases, too.
    for (const channel of version.includes('-') ? ['beta'] : ['stable', 'beta']) {
      const feedFile = feedName(channel, platform, arch)
      const content = `${JSON.stringify(feed, undefined, 2)}\n`
      const signature = sign(null, signedBytes(feedFile, content), key).toString('base64')
      const text = `${content}# signature: ${signature}\n`
      const question = { name: feedFile, channel, keys: [publicKeyOf(key)], nowMs, newest: '' }
      const checked = openFeed(text, question)
      if (!checked.ok) throw new Failure(`The app would refuse this: ${checked.error.detail}.`)
      writeFileSync(join(out, feedFile), text)
      written.push(feedFile)
    }
    copyFileSync(path, join(out, found))
  }
  if (written.length === 0)
    throw new Failure(`${folder} has no package of ${version} that brings itself up to date.`)
  return written
}

async function main() {
  const options = ['key', 'release', 'out', 'staged', 'days']
  const { values } = parseArgs({
    options: Object.fromEntries(options.map((name) => [name, { type: 'string' }])),
  })
  const missing = ['key', 'release', 'out'].filter((name) => values[name] === undefined)
  if (missing.length > 0) throw new Failure(`Missing: --${missing.join(', --')}.`)
  const number = (name) => (values[name] === undefined ? undefined : Number(values[name]))
  const key = readKey(values.key)
  const terms = { staged: number('staged'), days: number('days') }
  const names = await signFeeds({ folder: values.release, out: values.out, key, ...terms })
  console.log(`${names.join('\n')}\nsigned by ${publicKeyOf(key)}`)
}

if (isMain(import.meta.url)) runMain(main)
