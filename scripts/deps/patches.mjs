#!/usr/bin/env node
// patches.mjs NAME FOLDER: applies our changes to a native library, native/patches/NAME/*.patch in the order of their
// names, to its source in FOLDER.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { isMain, runMain } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

const patches = join(root, 'native', 'patches')

function patchesOf(name) {
  const folder = join(patches, name)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith('.patch'))
  return files.sort().map((file) => join(folder, file))
}

/** The text of a library's patches, part of the key of its build; empty without patches. */
export const patchTextOf = (name) =>
  patchesOf(name)
    .map((file) => readFileSync(file, 'utf8'))
    .join('')

/** Applies a library's patches to its unpacked source. Fails unless each one matches exactly. */
export async function applyPatches(name, source, log) {
  for (const file of patchesOf(name)) {
    const options = ['-p1', '--fuzz=0', '--batch', '--no-backup-if-mismatch', '-i', file]
    await runLogged(`patching ${name}`, 'patch', options, { log, cwd: source })
  }
}

if (isMain(import.meta.url)) {
  const [name, source] = process.argv.slice(2)
  runMain(() => applyPatches(name, source, join(source, 'patches.log')))
}
