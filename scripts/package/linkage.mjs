#!/usr/bin/env node
// linkage.mjs FOLDER...: whether the programs and libraries of these folders load on the oldest systems that packages
// are for: no symbol newer than their glibc, and no library that is neither of the C library nor beside the file.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { compareVersions } from '../deps/version.mjs'
import { Failure, isMain, runMain } from '../lib/failure.mjs'
import { capture } from '../lib/run.mjs'

/** The oldest C library that packages run with: that of Debian 10 and RHEL 8; Ubuntu 20.04 and Debian 11 have 2.31. */
export const oldestGlibc = '2.28'

/** Parts of the C library, which every system with it has. */
const ofTheSystem = /^(lib(c|m|dl|pthread|rt|resolv)\.so\.\d+|ld-linux(-x86-64|-aarch64)\.so\.\d+)$/

/** What Node itself needs beyond these, in the oldest versions that these systems have (GCC 8's). */
export const ofNode = {
  libraries: ['libstdc++.so.6', 'libgcc_s.so.1'],
  versions: { GLIBCXX: '3.4.25', CXXABI: '1.3.11', GCC: '4.2.0' },
}

/**
 * What `readelf -W -d -V` says of a file: `needed` libraries, `runpath`, and the newest version of each kind of symbol
 * it asks others for, such as `{ GLIBC: '2.17' }`.
 * @param {string} text
 */
export function readLinkage(text) {
  const all = (pattern) => [...text.matchAll(pattern)].map(([, found]) => found)
  /** @type {Record<string, string>} */
  const versions = {}
  // What a file asks for stands in .gnu.version_r; what it offers, in .gnu.version_d, is no concern of the system's.
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
 * Why a file doesn't load on every system that packages are for, in sentences; none when it does. `beside` are the
 * names of the files in its folder, `more` what it may need besides.
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
    ...missing.map((name) => `needs ${name}, which is not beside it`),
    ...tooNew.map(
      ([kind, version]) => `needs ${kind}_${version}, allowed is ${allowed[kind] ?? 'none'}`,
    ),
    ...(others.length > 0 && runpath !== '$ORIGIN'
      ? [`looks for libraries in "${runpath ?? ''}" instead of $ORIGIN`]
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

/** Looks at every program and library below a folder: `{ checked, trouble }`, sentences that begin with the file's path. */
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
    console.log(`${checked} files run with glibc ${oldestGlibc} and what is beside them.`)
  })
}
