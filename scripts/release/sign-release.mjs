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
import { checksumFiles, hashFiles } from './documents.mjs'
import { signManifest, timeOf } from './sign-manifest.mjs'
import { readSigner } from './signing.mjs'

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

/**
 * Signs what updates-to-sign.json of the release in `folder` lists, into `out`; answers with the paths of the manifests. What is
 * the same for all of them (`staged`, `days`, `notes`, `published`, `minFrom`) is in `terms`.
 * @param {{ folder: string, out: string, signers: ReturnType<typeof readSigner>[], terms?: object }} about
 * @returns {Promise<string[]>}
 */
export async function signRelease({ folder, out, signers, terms = {} }) {
  const read = (name) => readFileSync(join(folder, name), 'utf8')
  const manifests = JSON.parse(read('updates-to-sign.json'))
  await checkFiles(folder, ['updates-to-sign.json', 'release-notes.md'])
  const stray = manifests.find((manifest) => manifest.package !== basename(manifest.package))
  if (stray) throw new Failure(`${stray.package} is no name of a file of the release.`)
  await checkFiles(folder, [...new Set(manifests.map((manifest) => manifest.package))])
  // Half of a character at the end would be none.
  const notes = read('release-notes.md')
    .slice(0, mostNotes)
    .replace(/[\uD800-\uDBFF]$/, '')
  // One time for all of them: a release is published at once, however long it takes to sign it.
  const published = terms.published ?? timeOf(Date.now())
  const paths = []
  for (const manifest of manifests) {
    const { package: name, version, channel, target, kind } = manifest
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
