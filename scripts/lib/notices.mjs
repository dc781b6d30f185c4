// Writes THIRD-PARTY-NOTICES.txt, the licenses of third-party works in the product, for all systems.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { product } from '../package/product.mjs'
import { bundledPackages } from './bundled-packages.mjs'
import { root, writeAtomically } from './cache.mjs'
import { Failure } from './failure.mjs'

/** The path of the notices, also in packages. */
export const noticesFile = join(root, 'out', 'THIRD-PARTY-NOTICES.txt')

/** Licenses allowed in the product: they require at most that their notice is included. */
export const allowed = new Set([
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Zlib', 'Apache-2.0'],
  ...['Apache-2.0 WITH LLVM-exception', 'CC0-1.0', 'CC-BY-3.0-US', 'OFL-1.1'],
  ...['ZPL-2.1', 'MIT AND BSD-3-Clause', 'BlueOak-1.0.0'],
])

/** Licenses allowed only for separate files and in separate programs, which a user can replace. */
export const allowedShared = new Set(['LGPL-2.1-or-later', 'LGPL-2.1-only'])

const licenses = join(root, 'build', 'licenses')

const require = createRequire(import.meta.url)

/** The text of a file in build/licenses, or of a license by its SPDX name. */
const textOf = (name) =>
  name.endsWith('.txt')
    ? readFileSync(join(licenses, name), 'utf8')
    : require(`spdx-license-list/licenses/${name}.json`).licenseText

/**
 * @typedef {object} Work A third-party work.
 * @property {string} name Name, with its version if the build knows it.
 * @property {string} license SPDX expression.
 * @property {'static' | 'shared' | 'bundled' | 'program'} linked `program`: part of a separate program
 * @property {string} [copyright] Copyright, if the license texts have no name.
 * @property {string[]} texts License texts.
 * @property {string[]} [files] Names of shared libraries, without `lib` and suffixes.
 */

/** The native libraries. @returns {Work[]} */
export const nativeWorks = () =>
  JSON.parse(readFileSync(join(licenses, 'native.json'), 'utf8')).map(({ texts, ...work }) => ({
    ...work,
    texts: texts.map(textOf),
  }))

/**
 * Returns the npm packages in the last build, or only those in `program`.
 * @param {string} [program] path below `out`
 * @returns {Work[]}
 */
export const npmWorks = (program) =>
  bundledPackages()
    .filter(({ programs }) => program === undefined || programs.includes(program))
    .map(({ name, version, license, folder }) => {
      const names = readdirSync(folder).filter((file) => /^(licen[cs]e|copying)\b/i.test(file))
      const files = names.sort().map((file) => join(folder, file))
      // A package can name its license without including the text.
      const kept = join(licenses, `${name}.txt`)
      if (files.length === 0 && existsSync(kept)) files.push(kept)
      const texts = files.map((file) => readFileSync(file, 'utf8'))
      return { name: `${name} ${version}`, license, linked: 'bundled', texts }
    })

/** Electron, and works that are neither npm code nor a library. @returns {Work[]} */
const otherWorks = () => [
  {
    ...{ name: 'Electron', license: 'MIT', linked: 'shared' },
    copyright: 'Chromium, Node.js and their parts: LICENSES.chromium.html next to the app',
    texts: [readFileSync(join(root, 'node_modules/electron/LICENSE'), 'utf8')],
  },
  {
    ...{ name: 'EFF short word list 2', license: 'CC-BY-3.0-US', linked: 'bundled' },
    copyright: 'Joseph Bonneau, Electronic Frontier Foundation',
    texts: [
      'https://www.eff.org/deeplinks/2016/07/new-wordlists-random-passphrases\n' +
        'https://creativecommons.org/licenses/by/3.0/us/\n' +
        'Changed: the dice numbers and the word "yo-yo" are left out.\n',
    ],
  },
]

/** Returns why a work is not allowed in the product, or undefined. @param {Work} work */
export function objection({ name, license, linked, texts }) {
  if (texts.length === 0) return `${name} has no license text`
  const isReplaceable = linked === 'shared' || linked === 'program'
  if (allowed.has(license) || (isReplaceable && allowedShared.has(license))) return undefined
  return allowedShared.has(license)
    ? `${name} (${license}) must stay a shared library`
    : `${name} has a license that is not allowed: ${license}`
}

/** True for a shared library of any system. */
export const isLibrary = (file) => /\.(so(\.\d+)*|dylib|dll)$/.test(file)

/** True if `file` is the shared library `name`, in any version and on any system. */
export function isFileOf(name, file) {
  const plain = file.replace(/^lib/, '')
  return plain.startsWith(name) && /^[-.]/.test(plain.slice(name.length))
}

/** Returns the libraries next to the addon that no notice covers. @param {readonly string[]} files */
export function withoutNotice(files) {
  const known = nativeWorks().flatMap((work) => work.files ?? [])
  return files.filter((file) => isLibrary(file) && !known.some((name) => isFileOf(name, file)))
}

const line = '='.repeat(80)

const heading = `Thruflux is under the MIT License, whose text is in the file LICENSE. It contains third-party works, listed below with
their licenses. A package contains only those that its system and format need.`

const replacing = `Libraries under the LGPL are separate files next to thruflux.node in the app's folder out/native. You may change them,
and replace a file by a build with the same interface. Nothing in Thruflux prevents that, or the reverse engineering
that it requires. They are unmodified builds of the source archives that native/deps.json in Thruflux's source lists
with their SHA-256. For macOS they are built from the archives and patches of vcpkg's ports, at the commit in
native/vcpkg.json.

An AppImage begins with a separate program, its launcher: release 20251108 of
https://github.com/AppImage/type2-runtime. It is linked with libfuse 3.15.0, which that project changes by a patch. You
may change libfuse, build the launcher again with the scripts of that release, and replace the bytes before the
AppImage's file system.

The publisher of this package gives the sources of these libraries and of the launcher, with patches and build scripts,
to anyone who asks, for at least three years: ${product.maintainer}.`

/** Returns the notices as text. @param {readonly Work[]} works */
export function noticesOf(works) {
  const sorted = [...works].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  const list = sorted.map(({ name, license, copyright }) =>
    [`${name}: ${license}`, ...(copyright ? [`    ${copyright}`] : [])].join('\n'),
  )
  // Many packages share a text, and some have one repeatedly.
  const bearers = new Map()
  for (const { name, texts } of sorted)
    for (const text of texts) {
      const same = text.replaceAll('\r\n', '\n').trim()
      bearers.set(same, [...(bearers.get(same) ?? []), name])
    }
  const texts = [...bearers].map(
    ([text, names]) => `${line}\n${[...new Set(names)].join('\n')}\n${line}\n\n${text}\n`,
  )
  const isReplaceable = works.some(({ license }) => allowedShared.has(license))
  return [heading, list.join('\n'), ...(isReplaceable ? [replacing] : []), ...texts].join('\n\n')
}

/** Returns the works; throws a Failure if one is not allowed in the product. @param {Work[]} works */
function checked(works) {
  const objections = works.map(objection).filter(Boolean)
  if (objections.length > 0)
    throw new Failure(`${objections.join('; ')}. See docs/dependencies.md first.`)
  return works
}

/** Writes the notices of the last build. */
export const writeNotices = () =>
  writeAtomically(
    noticesFile,
    noticesOf(checked([...npmWorks(), ...nativeWorks(), ...otherWorks()])),
  )

/** The notices of the signaling server's package. */
export const serverNoticesFile = join(root, 'out', 'signaling', 'THIRD-PARTY-NOTICES.txt')

/** Native works in the page for browsers. */
const isInPage = ({ name }) =>
  /^(OpenSSL|ngtcp2|BLAKE3|libsodium|LLVM libc\+\+ and compiler-rt)$|in the page for browsers/.test(
    name,
  )

/** Writes the notices of the server's bundle, and of its page for browsers if there is one. */
export function writeServerNotices() {
  const bundle = npmWorks('signaling/server.cjs')
  const page = npmWorks('web').filter(({ name }) => bundle.every((work) => work.name !== name))
  const module = page.length > 0 ? nativeWorks().filter(isInPage) : []
  writeAtomically(serverNoticesFile, noticesOf(checked([...bundle, ...page, ...module])))
}
