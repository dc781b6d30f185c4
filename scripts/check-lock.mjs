#!/usr/bin/env node
// What npm may install: package-lock.json names every package by the hash of its content, and none brings anything from elsewhere
// or runs anything at installation. Offline: the hashes themselves are npm's to check, each time it installs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/cache.mjs'
import { isMain } from './lib/failure.mjs'

/**
 * The one package that is a folder of this checkout: it puts `thru` where npm's scripts find programs. Its name has a scope, because
 * `thru` alone is somebody else's package at the registry.
 */
const ownPackages = new Map([['@thruflux/thru', 'cli/bin']])

/** Settings without which a registry's address, or a package's own program, would decide. */
const neededSettings = ['ignore-scripts=true', 'omit-lockfile-registry-resolved=true']

const dependencyLists = ['dependencies', 'devDependencies', 'optionalDependencies']

/** A version or range of a registry; git, http and file addresses, and short names of repositories, are not. */
const isRange = (wanted) => /^(npm:(@[\w.-]+\/)?[\w.-]+@)?[\d.^~<>=|*x -]+(-[\w.]+)?$/.test(wanted)

const nameOf = (path) => path.replace(/^.*node_modules\//, '')

/** Sentences about what package.json asks for. */
function checkManifest(manifest) {
  return dependencyLists.flatMap((list) =>
    Object.entries(manifest[list] ?? {})
      .filter(([name, wanted]) =>
        ownPackages.has(name) ? wanted !== `file:${ownPackages.get(name)}` : !isRange(wanted),
      )
      .map(([name, wanted]) => `${name}: "${wanted}" is no version of a registry`),
  )
}

/** A sentence about what one entry of the lock file names, or undefined. */
function checkEntry(path, entry, aliases) {
  const name = nameOf(path)
  if (entry.link)
    return ownPackages.get(name) === entry.resolved
      ? undefined
      : `${path}: a link to ${entry.resolved}, which is not of this checkout`
  if (entry.resolved)
    return `${path}: comes from ${entry.resolved}, and npm's settings would not count`
  if (entry.inBundle) return `${path}: comes inside another package, without a hash of its own`
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) return `${path}: has no SHA-512`
  if (entry.name && entry.name !== aliases.get(name)) return `${path}: is really ${entry.name}`
  return undefined
}

/** Sentences about packages of which two copies of one version differ. */
function checkCopies(entries) {
  const known = new Map()
  return entries.flatMap(([path, { name = nameOf(path), version, integrity }]) => {
    const key = `${name}@${version}`
    const first = known.get(key) ?? integrity
    known.set(key, first)
    return first === integrity ? [] : [`${path}: differs from another copy of ${key}`]
  })
}

/** Sentences about install scripts that nobody decided on; `npm` runs none, whoever leaves out .npmrc included. */
function checkScripts(entries, { allowScripts = {} }) {
  const bringing = entries
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => nameOf(path))
  return [
    ...bringing
      .filter((name) => allowScripts[name] !== false)
      .map(
        (name) =>
          `${name}: has an install script: say "false" to it in allowScripts of package.json`,
      ),
    ...Object.keys(allowScripts)
      .filter((name) => !bringing.includes(name))
      .map((name) => `${name}: has no install script, and needs no line in allowScripts`),
  ]
}

/** Sentences about what is wrong with a lock file, its package.json and its .npmrc; empty if nothing. */
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
        : [`${path}: a folder of this checkout that is no package of ours`],
    ),
    ...checkCopies(entries.filter(([, entry]) => !entry.link)),
    ...checkScripts(entries, manifest),
  ]
}

/** The files that `checkLock` takes, of this checkout. */
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
