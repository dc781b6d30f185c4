// The libraries that the app loads from the system, read from its programs, and the packages that bring them.
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../../lib/cache.mjs'
import { Failure } from '../../lib/failure.mjs'
import { capture } from '../../lib/run.mjs'

/** Parts of the C library, all in one package whose version counts. */
const ofLibc = /^(lib(c|m|dl|rt|pthread|resolv|util)\.so|ld-linux)/

/** @type {Record<string, string>} */
const packages = JSON.parse(readFileSync(join(root, 'build/linux/libraries.json'), 'utf8'))

function isElf(file) {
  const head = Buffer.alloc(4)
  const opened = openSync(file, 'r')
  readSync(opened, head, 0, 4, 0)
  closeSync(opened)
  return head.equals(Buffer.from('\x7fELF', 'latin1'))
}

/** Programs and libraries below a folder. */
export function elfFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => lstatSync(path).isFile() && isElf(path))
    .sort()
}

/**
 * What an ELF file asks of its system, out of what `readelf --dynamic --version-info` prints: names of libraries, and
 * the newest version of the C library.
 * @param {string} printed
 * @returns {{ libraries: string[], libc: number[] | undefined }}
 */
export function needsOf(printed) {
  const libraries = [...printed.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => name)
  const versions = [...printed.matchAll(/Name: GLIBC_(\d+)\.(\d+)/g)].map(([, a, b]) => [+a, +b])
  const [newest] = versions.sort(([a, b], [c, d]) => c - a || d - b)
  return { libraries, libc: newest }
}

/** What all programs below a folder need of the system, without the libraries that are there themselves. */
export function neededBy(folder) {
  const files = elfFiles(folder)
  const own = new Set(files.map((file) => basename(file)))
  const all = files.map((file) => {
    const printed = capture('readelf', ['--wide', '--dynamic', '--version-info', file])
    if (printed === undefined) throw new Failure(`readelf can't read ${file}.`)
    return needsOf(printed)
  })
  const libraries = [...new Set(all.flatMap((needs) => needs.libraries))]
    .filter((name) => !own.has(name) && !ofLibc.test(name))
    .sort()
  const [libc = [2, 17]] = all
    .flatMap((needs) => (needs.libc ? [needs.libc] : []))
    .sort(([a, b], [c, d]) => c - a || d - b)
  return { libraries, libc: libc.join('.'), own: [...own].sort() }
}

/**
 * The Debian packages of those libraries. Throws a Failure about a library that the table does not know.
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
