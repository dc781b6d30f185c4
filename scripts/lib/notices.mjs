// Whose work the product contains, and under which licenses: THIRD-PARTY-NOTICES.txt, one for all systems.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { product } from '../package/product.mjs'
import { bundledPackages } from './bundled-packages.mjs'
import { root, writeAtomically } from './cache.mjs'
import { Failure } from './failure.mjs'

/** Where the notices stand, also in packages. */
export const noticesFile = join(root, 'out', 'THIRD-PARTY-NOTICES.txt')

/** What may become part of the product: nothing here asks for more than that its notice goes along. */
export const allowed = new Set([
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Zlib', 'Apache-2.0'],
  ...['Apache-2.0 WITH LLVM-exception', 'CC0-1.0', 'CC-BY-3.0-US', 'OFL-1.1'],
  ...['ZPL-2.1', 'MIT AND BSD-3-Clause', 'BlueOak-1.0.0'],
])

/** Only as files of their own, which a person can replace. */
export const allowedShared = new Set(['LGPL-2.1-or-later'])

const licenses = join(root, 'build', 'licenses')

/**
 * @typedef {object} Work something of others
 * @property {string} name with its version where the build knows it
 * @property {string} license by SPDX
 * @property {'static' | 'shared' | 'bundled'} linked
 * @property {string} [copyright] where the text of the license names nobody
 * @property {string[]} texts of its license
 * @property {string[]} [files] names of shared libraries, without `lib` and what follows
 */

/** The native libraries. @returns {Work[]} */
export const nativeWorks = () =>
  JSON.parse(readFileSync(join(licenses, 'native.json'), 'utf8')).map(({ texts, ...work }) => ({
    ...work,
    texts: texts.map((name) => readFileSync(join(licenses, name), 'utf8')),
  }))

/**
 * The npm packages that the last build has something of, or only its `program`.
 * @param {string} [program] as a path below `out`
 * @returns {Work[]}
 */
export const npmWorks = (program) =>
  bundledPackages()
    .filter(({ programs }) => program === undefined || programs.includes(program))
    .map(({ name, version, license, folder }) => {
      const names = readdirSync(folder).filter((file) => /^(licen[cs]e|copying)\b/i.test(file))
      const files = names.sort().map((file) => join(folder, file))
      // A package may name its license and lack the text.
      const kept = join(licenses, `${name}.txt`)
      if (files.length === 0 && existsSync(kept)) files.push(kept)
      const texts = files.map((file) => readFileSync(file, 'utf8'))
      return { name: `${name} ${version}`, license, linked: 'bundled', texts }
    })

/** Electron, and what is neither code of npm nor a library. @returns {Work[]} */
const otherWorks = () => [
  {
    ...{ name: 'Electron', license: 'MIT', linked: 'shared' },
    copyright: 'Chromium, Node.js and what they contain: LICENSES.chromium.html beside the app',
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

/** Why a work may not be in the product; undefined for one that may. @param {Work} work */
export function objection({ name, license, linked, texts }) {
  if (texts.length === 0) return `${name} has no text of its license`
  if (allowed.has(license) || (linked === 'shared' && allowedShared.has(license))) return undefined
  return allowedShared.has(license)
    ? `${name} (${license}) has to stay a shared library`
    : `${name} has a license that is not in the list: ${license}`
}

/** True for a shared library of any system. */
export const isLibrary = (file) => /\.(so(\.\d+)*|dylib|dll)$/.test(file)

/** True when `file` is the shared library `name`, whatever its version and system. */
export function isFileOf(name, file) {
  const plain = file.replace(/^lib/, '')
  return plain.startsWith(name) && /^[-.]/.test(plain.slice(name.length))
}

/** Names of libraries beside the addon that no notice is about. @param {readonly string[]} files */
export function withoutNotice(files) {
  const known = nativeWorks().flatMap((work) => work.files ?? [])
  return files.filter((file) => isLibrary(file) && !known.some((name) => isFileOf(name, file)))
}

const line = '='.repeat(80)

const heading = `Thruflux is under the MIT License, whose text is in the file LICENSE. It contains works of others, which follow with
their licenses. A package has those of them that its system and its format need.`

const replacing = `Libraries under the LGPL are files of their own, beside thruflux.node in the folder out/native of the app: whoever wants
to changes them, and puts a build with the same interface in the place of the file. Nothing in Thruflux hinders that, or
the reverse engineering that it takes. They are unchanged builds of the source archives that native/deps.json of
Thruflux's own source names with their SHA-256; for macOS, builds of those that vcpkg's ports name, with the ports'
patches, of the commit in native/vcpkg.json. Who publishes this package gives those archives and patches to anyone who
asks, for at least three years: ${product.maintainer}.`

/** The text. @param {readonly Work[]} works */
export function noticesOf(works) {
  const sorted = [...works].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  const list = sorted.map(({ name, license, copyright }) =>
    [`${name}: ${license}`, ...(copyright ? [`    ${copyright}`] : [])].join('\n'),
  )
  // Many packages have the same text, some of them often.
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

/** The same works; a Failure about what may not be in the product. @param {Work[]} works */
function checked(works) {
  const objections = works.map(objection).filter(Boolean)
  if (objections.length > 0)
    throw new Failure(`${objections.join('; ')}: see docs/dependencies.md before anything else.`)
  return works
}

/** Writes them for what was just built. */
export const writeNotices = () =>
  writeAtomically(
    noticesFile,
    noticesOf(checked([...npmWorks(), ...nativeWorks(), ...otherWorks()])),
  )

/** Those of the signaling server's package. */
export const serverNoticesFile = join(root, 'out', 'signaling', 'THIRD-PARTY-NOTICES.txt')

/** Writes them for what the server's bundle has. */
export const writeServerNotices = () =>
  writeAtomically(serverNoticesFile, noticesOf(checked(npmWorks('signaling/server.cjs'))))
