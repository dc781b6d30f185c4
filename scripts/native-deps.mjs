#!/usr/bin/env node
// Provides the native libraries of native/deps.json. Network-facing ones are built once from the distribution's source
// packages into the user's cache; the rest are the system's. Prints the prefix for CMake's THRU_DEPS_PREFIX.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyPatches, patchTextOf } from './deps/patches.mjs'
import { planBuild } from './deps/plan.mjs'
import { recipes } from './deps/recipes.mjs'
import {
  distributionOf,
  readOsRelease,
  SourceArchive,
  storedSource,
  unlistedAllowed,
} from './deps/sources.mjs'
import { whyNotSystem } from './deps/system.mjs'
import { cacheRoot, hashOf, root, withLock } from './lib/cache.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { capture, runLogged } from './lib/run.mjs'

const nativeCache = join(cacheRoot, 'native')

function keyOf(names, dependencies) {
  const compiler = capture('cc', ['--version'])
  if (!compiler)
    throw new Failure(
      'There is no C compiler. Install the packages gcc and g++, or run npm run build as root to install them.',
    )
  const recipe = readFileSync(new URL('./deps/recipes.mjs', import.meta.url), 'utf8')
  const wanted = JSON.stringify(names.map((name) => [name, dependencies[name]]))
  const unlisted = String(unlistedAllowed())
  const patches = names.map(patchTextOf).join('')
  return hashOf(wanted, unlisted, recipe, patches, compiler, process.arch).slice(0, 16)
}

async function buildAll(config, names, prefix) {
  const log = `${prefix}.log`
  rmSync(log, { force: true })
  // The lock on this prefix protects the folder; leftovers of a killed run can be deleted.
  const work = `${prefix}.work`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  try {
    const sources = new Map(names.map((name) => [name, storedSource(config.dependencies[name])]))
    if ([...sources.values()].includes(undefined)) await fetchMissing(config, sources, work, log)
    for (const name of names) {
      const { path, version } = sources.get(name)
      const source = join(work, name)
      mkdirSync(source)
      await step(`building ${name} ${version}`, async () => {
        await runLogged(
          `unpacking ${name}`,
          'tar',
          ['-xf', path, '-C', source, '--strip-components=1'],
          { log },
        )
        await applyPatches(name, source, log)
        await recipes[name]({ source, prefix: join(work, 'prefix'), log })
      })
    }
    relocate(join(work, 'prefix'), prefix)
    renameSync(join(work, 'prefix'), prefix)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Adds the sources that are not in the cache yet. */
export async function fetchMissing(config, sources, work, log) {
  const distribution = distributionOf(readOsRelease())
  const archive = new SourceArchive(config, distribution, work, log)
  await step('fetching the lists of source packages', () => archive.update())
  for (const [name, kept] of sources) {
    if (kept) continue
    const fetched = await step(`fetching the source of ${name}`, () =>
      archive.fetch(name, config.dependencies[name]),
    )
    sources.set(name, fetched)
  }
}

/** Replaces the installation path in the .pc and .cmake files of `folder` with the final prefix. */
export function relocate(from, to, folder = from) {
  const list = capture('find', [folder, '-name', '*.pc', '-o', '-name', '*.cmake'])
  for (const file of list.split('\n').filter(Boolean)) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
  }
}

/**
 * Ensures that the native libraries exist and returns `{ prefix, built }`: the folder for THRU_DEPS_PREFIX, undefined
 * if the system provides all. On systems other than Linux, vcpkg provides them.
 */
export async function nativeDeps() {
  if (process.platform !== 'linux') return { prefix: undefined, built: false }
  if (!capture('pkg-config', ['--version']))
    throw new Failure('pkg-config is missing: install the package pkg-config.')
  const config = JSON.parse(readFileSync(join(root, 'native', 'deps.json'), 'utf8'))
  const canBuild = distributionOf(readOsRelease()) !== undefined
  const names = planBuild(config.dependencies, { canBuild, whyNot: whyNotSystem })
  if (names.length === 0) return { prefix: undefined, built: false }
  const prefix = join(nativeCache, keyOf(names, config.dependencies))
  if (existsSync(prefix)) return { prefix, built: false }
  return withLock(`${prefix}.lock`, async () => {
    if (existsSync(prefix)) return { prefix, built: false }
    await buildAll(config, names, prefix)
    return { prefix, built: true }
  })
}

if (isMain(import.meta.url))
  runMain(async () => console.log((await nativeDeps()).prefix ?? 'system'))
