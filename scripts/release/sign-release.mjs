#!/usr/bin/env node
/*
 * Signs all updates of a release at once. Runs on the computer that has the key, and needs no network:
 *
 *   sign-release.mjs --key FILE --release FOLDER --out FEED [--staged 10] [--min-from 0.1.0] [--days 30] [--published TIME]
 *
 * FOLDER has the files of the release's draft. FEED becomes what the server of updates has, packages included. --key may be there
 * twice.
 */
import { copyFileSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, isMain, runMain } from '../lib/failure.mjs'
import { product } from '../package/product.mjs'
import { checksumFiles, hashFiles } from './documents.mjs'
import { signManifest, timeOf } from './sign-manifest.mjs'
import { readSigner } from './signing.mjs'
import { manifestsOf } from './updates.mjs'

/** UTF-16 units of a manifest's notes. */
const mostNotes = 8000

/** Throws a Failure unless every one of `names` has the hash that the release's checksums say. */
async function checkFiles(folder, names) {
  const lines = readFileSync(join(folder, checksumFiles.sha512), 'utf8').trim().split('\n')
  const listed = new Map(lines.map((line) => line.split('  ').reverse()))
  for (const { name, sha512 } of await hashFiles(folder, names))
    if (listed.get(name) !== sha512)
      throw new Failure(
        `${name} is not what ${checksumFiles.sha512} says: sign nothing, fetch the draft again.`,
      )
}

/** Throws a Failure about a manifest that the package's name and the version of this checkout don't ask for. */
function checkList(manifests, version) {
  const stray = manifests.find((manifest) => manifest.package !== basename(manifest.package))
  if (stray) throw new Failure(`${stray.package} is no name of a file of the release.`)
  const isMeant = (manifest) =>
    manifestsOf([manifest.package], version).some((meant) =>
      Object.entries(meant).every(([key, value]) => manifest[key] === value),
    )
  const wrong = manifests.find((manifest) => !isMeant(manifest))
  if (wrong)
    throw new Failure(
      `The draft wants ${wrong.package} signed as ${wrong.version} for ${wrong.target}, ${wrong.kind}, ${wrong.channel}. That is not ` +
        `what ${version}, this checkout's version, has: sign nothing, and find out who wrote updates-to-sign.json.`,
    )
}

/**
 * Signs what updates-to-sign.json of the release in `folder` lists, into `out`; answers with the paths of the manifests. What is
 * the same for all of them (`staged`, `days`, `notes`, `published`, `minFrom`) is in `terms`. The list comes from where packages
 * are built: which version this is, and for which target and channel each package, is not for it to say.
 * @param {{ folder: string, out: string, signers: ReturnType<typeof readSigner>[], terms?: object, version?: string }} about
 * @returns {Promise<string[]>}
 */
export async function signRelease({ folder, out, signers, terms = {}, version = product.version }) {
  const read = (name) => readFileSync(join(folder, name), 'utf8')
  const manifests = JSON.parse(read('updates-to-sign.json'))
  await checkFiles(folder, ['updates-to-sign.json', 'release-notes.md'])
  checkList(manifests, version)
  await checkFiles(folder, [...new Set(manifests.map((manifest) => manifest.package))])
  // Half of a character at the end would be none.
  const notes = read('release-notes.md')
    .slice(0, mostNotes)
    .replace(/[\uD800-\uDBFF]$/, '')
  // One time for all of them: a release is published at once, however long it takes to sign it.
  const published = terms.published ?? timeOf(Date.now())
  const paths = []
  for (const manifest of manifests) {
    const { package: name, channel, target, kind } = manifest
    const file = join(folder, name)
    const about = { package: file, version, channel, target, kind }
    // The terms are for the person who signs to say, not for the draft.
    const path = await signManifest({ notes, ...terms, ...about, published, signers, out })
    copyFileSync(file, join(dirname(path), name))
    paths.push(path)
  }
  return paths
}

async function main() {
  const texts = ['release', 'out', 'staged', 'min-from', 'days', 'published']
  const { values } = parseArgs({
    options: {
      key: { type: 'string', multiple: true },
      ...Object.fromEntries(texts.map((name) => [name, { type: 'string' }])),
    },
  })
  const missing = ['key', 'release', 'out'].filter((name) => values[name] === undefined)
  if (missing.length > 0) throw new Failure(`Missing: --${missing.join(', --')}.`)
  const number = (name) => (values[name] === undefined ? undefined : Number(values[name]))
  const paths = await signRelease({
    ...{ folder: values.release, out: values.out, signers: values.key.map(readSigner) },
    terms: {
      ...{ staged: number('staged'), days: number('days') },
      ...{ minFrom: values['min-from'], published: values.published },
    },
  })
  console.log(paths.join('\n'))
}

if (isMain(import.meta.url)) runMain(main)
