#!/usr/bin/env node
/*
 * Signs what installed copies look for. Runs on the computer that has the key, and needs no network.
 *
 *   sign-manifest.mjs --key FILE --package FILE --version 1.2.0 --channel stable --target linux-x64 --kind appimage
 *       --out FOLDER [--staged 10] [--min-from 0.1.0] [--days 30] [--notes FILE] [--published 2026-01-02T03:04:05Z]
 *   sign-manifest.mjs --key FILE --rotate --serial 1 --public KEY --public KEY --out FOLDER
 *
 * The first form writes the manifest of one package to FOLDER/CHANNEL/TARGET-KIND.json, the second one appends a list of
 * keys to FOLDER/keys.json. --key may be there twice.
 */
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../lib/cache.mjs'
import { Failure, isMain, runMain } from '../lib/failure.mjs'
import { envelopeOf, readSigner } from './signing.mjs'

const usualDays = 30

/** What the app itself uses to read a document: nothing is signed that it would refuse. */
async function reader() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { openEnvelope } from '#client/update/envelope'
        export { keyListSchema, manifestPath, manifestSchema, payloadTypes } from '#shared/update/manifest'
        export { compareVersions } from '#shared/update/version'`,
      resolveDir: root,
    },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', absWorkingDir: root },
  })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  return import(`data:text/javascript;base64,${code}`)
}

async function sha512Of(path) {
  const hash = createHash('sha512')
  for await (const part of createReadStream(path)) hash.update(part)
  return hash.digest('hex')
}

/** To the second, as manifests have it. */
export const timeOf = (ms) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** Signs `content` and reads it back as the app does. */
async function signed(kind, content, signers) {
  const { openEnvelope, payloadTypes, manifestSchema, keyListSchema } = await reader()
  const schema = kind === 'manifest' ? manifestSchema : keyListSchema
  const envelope = envelopeOf(payloadTypes[kind], content, signers)
  const keys = signers.map(({ publicKey }) => publicKey)
  const checked = openEnvelope(envelope, payloadTypes[kind], schema, keys)
  if (checked.ok) return envelope
  const parsed = schema.safeParse(content)
  const why = parsed.success ? '' : parsed.error.issues.map(({ path }) => path.join('.') || 'times')
  throw new Failure(`The app would refuse this: ${checked.error.detail}. ${why}`)
}

/**
 * Writes the signed manifest of a package, and answers with its path.
 * @param {{ signers: ReturnType<typeof readSigner>[], package: string, version: string, channel: string, target: string,
 *   kind: string, out: string, staged?: number, minFrom?: string, days?: number, notes?: string, published?: string }} about
 * @returns {Promise<string>}
 */
export async function signManifest(about) {
  const [platform, arch] = about.target.split('-')
  const published = about.published ?? timeOf(Date.now())
  const days = about.days ?? usualDays
  const content = {
    ...{ format: 1, product: 'thruflux', channel: about.channel, version: about.version },
    ...{ platform, arch, kind: about.kind, file: basename(about.package) },
    size: statSync(about.package).size,
    sha512: await sha512Of(about.package),
    minFrom: about.minFrom ?? '0.0.0',
    published,
    expires: timeOf(Date.parse(published) + days * 24 * 60 * 60 * 1000),
    staged: about.staged ?? 100,
    notes: about.notes ?? '',
  }
  const { compareVersions, manifestPath } = await reader()
  if (compareVersions(content.minFrom, content.version) >= 0)
    throw new Failure(
      `Nobody could be brought to ${content.version}: --min-from ${content.minFrom} is no older version.`,
    )
  const envelope = await signed('manifest', content, about.signers)
  return written(join(about.out, manifestPath(about.channel, content)), envelope)
}

/**
 * Appends a signed list of keys to the chain, and answers with its path.
 * @param {{ signers: ReturnType<typeof readSigner>[], serial: number, keys: string[], out: string }} about
 * @returns {Promise<string>}
 */
export async function signKeyList({ signers, serial, keys, out }) {
  const envelope = await signed('keys', { format: 1, product: 'thruflux', serial, keys }, signers)
  const path = join(out, 'keys.json')
  return written(path, [...chainIn(path), envelope])
}

function chainIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw new Failure(`${path} is no chain of key lists: ${error.message}`)
  }
}

function written(path, document) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`)
  return path
}

const options = {
  ...{ key: { type: 'string', multiple: true }, public: { type: 'string', multiple: true } },
  ...{ rotate: { type: 'boolean' } },
  ...Object.fromEntries(
    ['package', 'version', 'channel', 'target', 'kind', 'out', 'staged', 'min-from', 'days']
      .concat(['notes', 'published', 'serial'])
      .map((name) => [name, { type: 'string' }]),
  ),
}

async function main() {
  const { values } = parseArgs({ options })
  const needed = values.rotate
    ? ['key', 'serial', 'public', 'out']
    : ['key', 'package', 'version', 'channel', 'target', 'kind', 'out']
  const missing = needed.filter((name) => values[name] === undefined)
  if (missing.length > 0) throw new Failure(`Missing: --${missing.join(', --')}.`)
  const signers = values.key.map(readSigner)
  const number = (name) => (values[name] === undefined ? undefined : Number(values[name]))
  const path = values.rotate
    ? await signKeyList({ signers, serial: number('serial'), keys: values.public, out: values.out })
    : await signManifest({
        ...values,
        signers,
        staged: number('staged'),
        days: number('days'),
        minFrom: values['min-from'],
        notes: values.notes === undefined ? undefined : readFileSync(values.notes, 'utf8'),
      })
  console.log(path)
}

if (isMain(import.meta.url)) runMain(main)
