#!/usr/bin/env node
/*
 * release.mjs: the release steps of .github/workflows/release.yml; docs/releasing.md describes the whole process.
 *
 *   release.mjs check TAG          fails unless tag and changelog match the version
 *   release.mjs gather             writes notes and checksums for all files of out/release
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { readVersions } from './lib/changelog.mjs'
import { Failure, isMain, runMain } from './lib/failure.mjs'
import { checkVersion, releaseNotes, writeChecksums } from './release/documents.mjs'

const folder = join(root, 'out', 'release')

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Writes the files that accompany the packages. */
async function gather() {
  mkdirSync(folder, { recursive: true })
  const changes = readVersions().find((one) => one.version === version)
  writeFileSync(
    join(folder, 'release-notes.md'),
    releaseNotes({ version, text: changes?.text ?? '' }),
  )
  await writeChecksums(folder)
}

async function main() {
  const [what, value] = process.argv.slice(2)
  if (what === 'check' && value) checkVersion({ version, tag: value, changelog: readVersions() })
  else if (what === 'gather') await gather()
  else throw new Failure('Usage: release.mjs check TAG, or release.mjs gather.')
}

if (isMain(import.meta.url)) runMain(main)
