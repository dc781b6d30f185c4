#!/usr/bin/env node
// Checks that package-lock.json pins every package by its hash, and that none comes from elsewhere or runs an install
// script. Works offline: npm verifies the hashes whenever it installs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain } from './lib/failure.mjs'

/**
 * The only package that is a folder of this checkout: it puts `thru` where npm's scripts find programs. It is scoped,
 * because `thru` belongs to another project in the registry.
 */
const ownPackages = new Map([['@thruflux/thru', 'cli/bin']])

/** Settings that prevent a registry's address or a package's install script from taking effect. */
const neededSettings = ['ignore-scripts=true', 'omit-lockfile-registry-resolved=true']

const dependencyLists = ['dependencies', 'devDependencies', 'optionalDependencies']

/** True for a registry version or range; false for git, http and file addresses, and for repository shorthands. */
const isRange = (wanted) => /^(npm:(@[\w.-]+\/)?[\w.-]+@)?[\d.^~<>=|*x -]+(-[\w.]+)?$/.test(wanted)

const nameOf = (path) => path.replace(/^.*node_modules\//, '')

/** Returns sentences about forbidden dependencies in package.json. */
function checkManifest(manifest) {
  return dependencyLists.flatMap((list) =>
    Object.entries(manifest[list] ?? {})
      .filter(([name, wanted]) =>
        ownPackages.has(name) ? wanted !== `file:${ownPackages.get(name)}` : !isRange(wanted),
      )
      .map(([name, wanted]) => `${name}: "${wanted}" is not a registry version`),
  )
}

/** Returns a sentence about an entry of the lock file, or undefined. */
function checkEntry(path, entry, aliases) {
  const name = nameOf(path)
  if (entry.link)
    return ownPackages.get(name) === entry.resolved
      ? undefined
      : `${path}: links to ${entry.resolved}, which is not part of this checkout`
  if (entry.resolved)
    return `${path}: comes from ${entry.resolved}, so npm's settings would not apply`
  if (entry.inBundle) return `${path}: is bundled in another package, without its own hash`
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) return `${path}: has no SHA-512`
  if (entry.name && entry.name !== aliases.get(name)) return `${path}: is really ${entry.name}`
  return undefined
}

/** Returns sentences about copies of one version that differ. */
function checkCopies(entries) {
  const known = new Map()
  return entries.flatMap(([path, { name = nameOf(path), version, integrity }]) => {
    const key = `${name}@${version}`
    const first = known.get(key) ?? integrity
    known.set(key, first)
    return first === integrity ? [] : [`${path}: differs from another copy of ${key}`]
  })
}

/** Returns sentences about unreviewed install scripts. npm runs none of them, even without .npmrc. */
function checkScripts(entries, { allowScripts = {} }) {
  const bringing = entries
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => nameOf(path))
  return [
    ...bringing
      .filter((name) => allowScripts[name] !== false)
      .map(
        (name) => `${name}: has an install script: set it to false in allowScripts of package.json`,
      ),
    ...Object.keys(allowScripts)
      .filter((name) => !bringing.includes(name))
      .map((name) => `${name}: has no install script: remove it from allowScripts`),
  ]
}

/** Returns sentences about problems of a lock file, its package.json and its .npmrc; empty if there are none. */
export function checkLock({ lock, manifest, settings }) {
  if (lock.lockfileVersion !== 3) return ['package-lock.json: is not of version 3']
  const own = lock.packages['']
  const lists = ['version', ...dependencyLists]
  const different = lists.filter(
    (list) => JSON.stringify(own[list]) !== JSON.stringify(manifest[list]),
  )
  const aliases = new Map(
    dependencyLists
      .flatMap((list) => Object.entries(manifest[list] ?? {}))
      .map(([name, wanted]) => [name, /^npm:(.+)@/.exec(wanted)?.[1]]),
  )
  const folders = ['', ...ownPackages.values()]
  const entries = Object.entries(lock.packages).filter(([path]) => !folders.includes(path))
  const lines = settings.split('\n').map((line) => line.trim())
  return [
    ...neededSettings
      .filter((setting) => !lines.includes(setting))
      .map((setting) => `.npmrc: needs ${setting}`),
    ...different.map(
      (list) => `package-lock.json: ${list} differ from package.json: run npm install`,
    ),
    ...checkManifest(manifest),
    ...entries.flatMap(([path, entry]) =>
      path.startsWith('node_modules/')
        ? (checkEntry(path, entry, aliases) ?? [])
        : [`${path}: is a folder of this checkout, but not a known package`],
    ),
    ...checkCopies(entries.filter(([, entry]) => !entry.link)),
    ...checkScripts(entries, manifest),
  ]
}

/** Reads this checkout's files for `checkLock`. */
export function readLock() {
  const read = (name) => readFileSync(join(root, name), 'utf8')
  return {
    lock: JSON.parse(read('package-lock.json')),
    manifest: JSON.parse(read('package.json')),
    settings: read('.npmrc'),
  }
}

if (isMain(import.meta.url)) {
  const problems = checkLock(readLock())
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
