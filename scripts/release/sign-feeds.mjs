#!/usr/bin/env node
/*
 * Writes and signs a release's feeds, which installed copies read. Runs offline, on the computer that has the key:
 *
 *   sign-feeds.mjs --key FILE --release FOLDER --out FEEDS [--staged 10] [--days 30]
 *
 * FOLDER has the files of the draft release, verified by their checksums. FEEDS receives all files of the update
 * server, including packages. The key is an Ed25519 key of openssl; THRU_KEY_PASSPHRASE decrypts it.
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

/** Packages that update themselves, by the rest of their names after the version. */
const kinds = [
  { platform: 'linux', arch: 'x64', name: /^linux-x64(-substitute)?\.AppImage$/ },
  { platform: 'linux', arch: 'arm64', name: /^linux-arm64(-substitute)?\.AppImage$/ },
  { platform: 'win32', arch: 'x64', name: /^win-x64(-substitute)?-setup\.exe$/ },
  { platform: 'darwin', arch: 'universal', name: /^mac-universal(-substitute)?\.zip$/ },
]

/** Loads the app's own feed parser, so that only acceptable feeds are signed. */
async function reader() {
  const { runnerImport } = await import('vite')
  const load = (file) => runnerImport(join(root, file), { configFile: false, root })
  const modules = [await load('client/update/signed-feed.ts'), await load('shared/update/feed.ts')]
  return Object.assign({}, ...modules.map(({ module }) => module))
}

/**
 * Reads a private key. It must not be readable by other users.
 * @param {string} path
 */
export function readKey(path) {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new Failure(`Other users can read ${path}. Change that first (chmod 600).`)
  const passphrase = process.env.THRU_KEY_PASSPHRASE
  try {
    return createPrivateKey({ key: readFileSync(path), format: 'pem', passphrase })
  } catch {
    throw new Failure(
      `${path} can't be read as a private key. Set THRU_KEY_PASSPHRASE to its passphrase.`,
    )
  }
}

/** The public key in the form of `resources/update-keys.json`: the last 32 bytes of its DER form. */
export const publicKeyOf = (key) =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')

async function sha512Of(path) {
  const hash = createHash('sha512')
  for await (const part of createReadStream(path)) hash.update(part)
  return hash.digest('base64')
}

/** Formats a time in whole seconds, as in feeds. */
const timeOf = (ms) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** Cuts a text without splitting a surrogate pair. */
const cut = (text, length) => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

/**
 * Signs a feed for each package of `version` in `folder`, writes both to `out`, and returns the feeds' names.
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
      throw new Failure(`The app would reject this feed: ${why}.`)
    }
    // The beta channel also gets releases.
    for (const channel of version.includes('-') ? ['beta'] : ['stable', 'beta']) {
      const feedFile = feedName(channel, platform, arch)
      const content = `${JSON.stringify(feed, undefined, 2)}\n`
      const signature = sign(null, signedBytes(feedFile, content), key).toString('base64')
      const text = `${content}# signature: ${signature}\n`
      const question = { name: feedFile, channel, keys: [publicKeyOf(key)], nowMs, newest: '' }
      const checked = openFeed(text, question)
      if (!checked.ok) throw new Failure(`The app would reject this feed: ${checked.error.detail}.`)
      writeFileSync(join(out, feedFile), text)
      written.push(feedFile)
    }
    copyFileSync(path, join(out, found))
  }
  if (written.length === 0)
    throw new Failure(`${folder} has no package of ${version} that updates itself.`)
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
