#!/usr/bin/env node
// target-deps.mjs TARGET: builds all native libraries for a target (deps/targets.mjs) once into the user's cache and
// prints their folder. Each library starts from a copy of the previous result, so a changed or failed recipe repeats
// only itself and later ones.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { applyPatches, patchTextOf } from './deps/patches.mjs'
import { distributionOf, readOsRelease, storedSource, unlistedAllowed } from './deps/sources.mjs'
import { recipesFor, recipesOf } from './deps/target-recipes.mjs'
import { cmakeToolchain, mesonCrossFile, targetNamed } from './deps/targets.mjs'
import { toolchainOf } from './deps/toolchain.mjs'
import { cacheRoot, hashOf, root, withLock } from './lib/cache.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { runLogged } from './lib/run.mjs'
import { fetchMissing, relocate } from './native-deps.mjs'

const textOf = (name) => readFileSync(new URL(`./deps/${name}`, import.meta.url), 'utf8')
/** Code that every recipe uses. */
const shared = [textOf('build-systems.mjs'), ...[cmakeToolchain, mesonCrossFile].map(String)]
/** The source of libintl, the only library with our own source. */
const ownSource = () => ['libintl/libintl.c', 'libintl/libintl.h'].map(textOf).join('')

/** Returns a key for each name, of all inputs of that library and the earlier ones, including their `recipes`. */
export function stepKeys(names, { target, tools, dependencies, recipes }) {
  let key = hashOf(JSON.stringify(target), tools.version, String(unlistedAllowed()), ...shared)
  return names.map((name) => {
    const source = dependencies[name] ? JSON.stringify(dependencies[name]) : ownSource()
    key = hashOf(key, name, source + patchTextOf(name), String(recipes[name])).slice(0, 16)
    return key
  })
}

/** True on systems whose package archive has the sources of a target's libraries. */
export const buildsTargets = () =>
  process.platform === 'linux' && distributionOf(readOsRelease()) !== undefined

/** Ensures that a target's libraries exist; returns `{ prefix, target, tools }`: their folder and its toolchain. */
export async function targetDeps(targetName) {
  const target = targetNamed(targetName)
  if (!buildsTargets())
    throw new Failure('Targets are built on Debian or Ubuntu: their sources come from there.')
  const config = JSON.parse(readFileSync(join(root, 'native', 'deps.json'), 'utf8'))
  const tools = await toolchainOf(config, target)
  const dependencies = { ...config.dependencies, ...config.targetDependencies }
  const names = recipesFor(target)
  const home = join(cacheRoot, 'targets', target.name)
  const keys = stepKeys(names, { target, tools, dependencies, recipes: recipesOf(target) })
  const folders = keys.map((key, index) => join(home, `${index}-${names[index]}-${key}`))
  const prefix = folders.at(-1)
  if (!existsSync(prefix)) {
    await withLock(join(home, 'build.lock'), async () => {
      const first = folders.findLastIndex((folder) => existsSync(folder)) + 1
      const rest = names.slice(first)
      const sources = await sourcesOf({ ...config, dependencies }, rest, join(home, 'sources'))
      for (const [index, name] of rest.entries()) {
        const before = folders[first + index - 1]
        const built = { name, before, folder: folders[first + index], source: sources.get(name) }
        await buildStep({ ...built, config, target, tools })
      }
    })
  }
  return { prefix, target, tools }
}

/** Returns `{ path, version }` of the source by name, for those of `names` that have one. */
async function sourcesOf(config, names, work) {
  const packaged = names.filter((name) => config.dependencies[name])
  const sources = new Map(packaged.map((name) => [name, storedSource(config.dependencies[name])]))
  if (![...sources.values()].includes(undefined)) return sources
  mkdirSync(work, { recursive: true })
  try {
    await fetchMissing(config, sources, work, `${work}.log`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  // Fetched sources are in the cache now; the folder that received them is gone.
  return new Map(packaged.map((name) => [name, storedSource(config.dependencies[name])]))
}

async function buildStep({ name, before, folder, source, config, target, tools }) {
  const log = `${folder}.log`
  rmSync(log, { force: true })
  // The lock protects the folder; leftovers of a killed run can be deleted.
  const work = `${folder}.work`
  rmSync(work, { recursive: true, force: true })
  const unpacked = join(work, 'source')
  const prefix = join(work, 'prefix')
  mkdirSync(unpacked, { recursive: true })
  try {
    await step(
      `building ${name} ${source?.version ?? 'of our own'} for ${target.name}`,
      async () => {
        if (before) {
          cpSync(before, prefix, { recursive: true, verbatimSymlinks: true })
          relocate(before, prefix, prefix)
        }
        const unpack = ['-xf', source?.path, '-C', unpacked, '--strip-components=1']
        if (source) await runLogged(`unpacking ${name}`, 'tar', unpack, { log })
        await applyPatches(name, unpacked, log)
        const flags = [...target.flags, ...(target.libraryFlags?.[name] ?? [])]
        const job = { source: unpacked, prefix, log, config, target: { ...target, flags }, tools }
        await recipesOf(target)[name](job)
      },
    )
    relocate(prefix, folder)
    renameSync(prefix, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url))
  runMain(async () => {
    const { prefix } = await targetDeps(process.argv[2])
    console.log(prefix)
  })
