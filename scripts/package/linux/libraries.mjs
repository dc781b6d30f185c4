// Finds the system libraries that the app's programs load, and their packages.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compareVersions } from '../../deps/version.mjs'
import { root } from '../../lib/cache.mjs'
import { Failure } from '../../lib/failure.mjs'
import { capture } from '../../lib/run.mjs'
import { isElf, oldestGlibc, readLinkage } from '../linkage.mjs'

/** Parts of the C library, all in one package, for which a version matters. */
const ofLibc = /^(lib(c|m|dl|rt|pthread|resolv|util)\.so|ld-linux)/

/** @type {Record<string, string>} */
const packages = JSON.parse(readFileSync(join(root, 'build/linux/libraries.json'), 'utf8'))

/** Returns the programs and libraries below a folder. */
export function elfFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => lstatSync(path).isFile() && isElf(path))
    .sort()
}

/**
 * Returns the system requirements of all programs below a folder: libraries that it doesn't contain, and the minimum C
 * library version `libc`. `own` are the files that it contains.
 */
export function neededBy(folder) {
  const files = elfFiles(folder)
  const all = files.map((file) => {
    const printed = capture('readelf', ['-W', '-d', '-V', file])
    if (printed === undefined) throw new Failure(`readelf can't read ${file}.`)
    return readLinkage(printed)
  })
  const own = files.map((file) => basename(file)).sort()
  return {
    ...unitedNeeds(all, own),
    own,
  }
}

/**
 * Merges the requirements of several files, without the libraries in `own`.
 * @param {readonly Pick<ReturnType<typeof readLinkage>, 'needed' | 'versions'>[]} all
 * @param {readonly string[]} own
 */
export function unitedNeeds(all, own) {
  const libraries = [...new Set(all.flatMap(({ needed }) => needed))]
    .filter((name) => !own.includes(name) && !ofLibc.test(name))
    .sort()
  const versions = all.flatMap(({ versions }) => versions['GLIBC'] ?? [])
  const libc = versions.sort((a, b) => compareVersions(b, a))[0] ?? oldestGlibc
  return { libraries, libc }
}

/**
 * Returns the Debian packages of those libraries. Throws a Failure about a library missing from the table.
 * @param {{ libraries: string[], libc: string }} needs
 * @returns {string[]}
 */
export function debianPackages({ libraries, libc }) {
  const unknown = libraries.filter((name) => packages[name] === undefined)
  if (unknown.length > 0)
    throw new Failure(
      `The app needs ${unknown.join(', ')}: bundle it, or name its package in build/linux/libraries.json.`,
    )
  return [`libc6 (>= ${libc})`, ...new Set(libraries.map((name) => packages[name]))].sort()
}
