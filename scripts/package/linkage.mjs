#!/usr/bin/env node
// linkage.mjs FOLDER...: checks that the programs and libraries in these folders load on the oldest supported systems:
// they need no symbol newer than that glibc, and no library outside the C library and their own folder.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { compareVersions } from '../deps/version.mjs'
import { Failure, isMain, runMain } from '../lib/failure.mjs'
import { capture } from '../lib/run.mjs'

/** The oldest C library that packages support, of Debian 10 and RHEL 8; Ubuntu 20.04 and Debian 11 have 2.31. */
export const oldestGlibc = '2.28'

/** Parts of the C library, which every system has. */
const ofTheSystem = /^(lib(c|m|dl|pthread|rt|resolv)\.so\.\d+|ld-linux(-x86-64|-aarch64)\.so\.\d+)$/

/** Additional requirements of Node itself, in the oldest versions on these systems (GCC 8's). */
export const ofNode = {
  libraries: ['libstdc++.so.6', 'libgcc_s.so.1'],
  versions: { GLIBCXX: '3.4.25', CXXABI: '1.3.11', GCC: '4.2.0' },
}

/**
 * Parses the output of `readelf -W -d -V`: `needed` libraries, `runpath`, and the newest required version of each kind
 * of symbol, such as `{ GLIBC: '2.17' }`.
 * @param {string} text
 */
export function readLinkage(text) {
  const all = (pattern) => [...text.matchAll(pattern)].map(([, found]) => found)
  /** @type {Record<string, string>} */
  const versions = {}
  // Required symbols are in .gnu.version_r; .gnu.version_d has the file's own, which the system doesn't need.
  const [, wanted = ''] =
    /Version needs section([\s\S]*?)(?:Version symbols section|$)/.exec(text) ?? []
  for (const [, kind, version] of wanted.matchAll(/Name: ([A-Z]+)_([\d.]+)/g))
    if (compareVersions(version, versions[kind] ?? '0') > 0) versions[kind] = version
  return {
    needed: all(/\(NEEDED\)[^[]*\[([^\]]*)\]/g),
    runpath: all(/\((?:RUNPATH|RPATH)\)[^[]*\[([^\]]*)\]/g).at(0),
    versions,
  }
}

/**
 * Returns sentences about why a file doesn't load on every supported system; empty if it does. `beside` are the files
 * in its folder, `more` additional allowed requirements.
 * @param {ReturnType<typeof readLinkage>} linkage
 * @param {{ beside: readonly string[], more?: { libraries: readonly string[], versions: Record<string, string> } }} where
 */
export function troubleOf({ needed, runpath, versions }, { beside, more }) {
  const allowed = { GLIBC: oldestGlibc, ...more?.versions }
  const libraries = new Set(more?.libraries)
  const others = needed.filter((name) => !ofTheSystem.test(name) && !libraries.has(name))
  const missing = others.filter((name) => !beside.includes(name))
  const tooNew = Object.entries(versions).filter(
    ([kind, version]) => !allowed[kind] || compareVersions(version, allowed[kind]) > 0,
  )
  return [
    ...missing.map((name) => `needs ${name}, which is not next to it`),
    ...tooNew.map(
      ([kind, version]) => `needs ${kind}_${version}; allowed: ${allowed[kind] ?? 'none'}`,
    ),
    ...(others.length > 0 && runpath !== '$ORIGIN'
      ? [`searches for libraries in "${runpath ?? ''}" instead of $ORIGIN`]
      : []),
  ]
}

/** True for programs and shared libraries. */
export function isElf(path) {
  const magic = Buffer.alloc(4)
  const file = openSync(path, 'r')
  try {
    readSync(file, magic, 0, 4, 0)
  } finally {
    closeSync(file)
  }
  return magic.equals(Buffer.from('\x7fELF', 'latin1'))
}

/** Checks all programs and libraries below a folder: `{ checked, trouble }`. Sentences begin with the file's path. */
export function checkFolder(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter(isElf)
  const trouble = files.flatMap((path) => {
    const text = capture('readelf', ['-W', '-d', '-V', path])
    if (text === undefined) throw new Failure('readelf is missing: install the package binutils.')
    const more = basename(path) === 'node' ? ofNode : undefined
    const beside = readdirSync(dirname(path))
    return troubleOf(readLinkage(text), { beside, more }).map((each) => `${path} ${each}`)
  })
  return { checked: files.length, trouble }
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    const results = process.argv.slice(2).map(checkFolder)
    const checked = results.reduce((sum, result) => sum + result.checked, 0)
    const trouble = results.flatMap((result) => result.trouble)
    if (checked === 0) throw new Failure('There is no program or library to check.')
    if (trouble.length > 0) throw new Failure(trouble.join('\n'))
    console.log(`${checked} files run with glibc ${oldestGlibc} and the files next to them.`)
  })
}
