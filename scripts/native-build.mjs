#!/usr/bin/env node
// native-build.mjs [preset] [targets...]: builds libraries, configures and builds; quiet unless something fails. The
// default is the shipping preset, whose addon is copied to out/native/thruflux.node.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { librariesOf, publishFiles } from './lib/addon-files.mjs'
import { root, withLock } from './lib/cache.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { runLogged } from './lib/run.mjs'
import { nativeDeps } from './native-deps.mjs'

const native = join(root, 'native')

/** The preset whose addon ships on this system. */
export const shippingPreset =
  { win32: 'windows-vcpkg', darwin: `macos-${process.arch}-vcpkg` }[process.platform] ?? 'release'

/** The build folder of a preset. */
export const buildDir = (preset) => join(native, 'build', preset)

/** True if a build needs GoogleTest and nlohmann-json, unlike building and running the app. */
export function needsTests(preset, targets) {
  const without = ['thru_addon', 'thru_core', 'thru_bench', 'thru_web']
  return (
    preset !== 'fuzz' && !(targets.length > 0 && targets.every((name) => without.includes(name)))
  )
}

/**
 * Configures and builds `targets` of a preset (all if empty) with additional CMake `settings`; returns its build
 * folder. `behind` makes it silent and lowers its priority.
 */
export async function nativeBuild(
  preset = shippingPreset,
  targets = [],
  { behind = false, settings = [] } = {},
) {
  if (preset.endsWith('-vcpkg') && !process.env.VCPKG_ROOT) {
    throw new Failure('VCPKG_ROOT is not set: install vcpkg and set VCPKG_ROOT to its folder.')
  }
  const { prefix } = await nativeDeps()
  const tests = needsTests(preset, targets)
  const dir = buildDir(preset)
  mkdirSync(dir, { recursive: true })
  await withLock(join(dir, 'build.lock'), async () => {
    const log = join(dir, 'build.log')
    rmSync(log, { force: true })
    const run = (what, args) => runLogged(what, 'cmake', args, { log, cwd: native, behind })
    const shown = behind ? (_, work) => work() : step
    await shown(`building native code (${[preset, ...targets].join(' ')})`, async () => {
      if (!isConfigured(dir, prefix, tests)) {
        await run('configuring native code', [
          '--preset',
          preset,
          `-DTHRU_DEPS_PREFIX=${prefix ?? ''}`,
          `-DTHRU_TESTS=${tests ? 'ON' : 'OFF'}`,
          ...settings,
        ])
      }
      const chosen = targets.length > 0 ? ['--target', ...targets] : []
      await run('building native code', [
        '--build',
        dir,
        '-j',
        String(availableParallelism()),
        ...chosen,
      ])
    })
  })
  if (preset === shippingPreset) await publishAddon(dir)
  return dir
}

/** True if the folder is configured like this. Ninja detects changes other than prefix, presets and tests. */
function isConfigured(dir, prefix, tests) {
  const cache = join(dir, 'CMakeCache.txt')
  if (!existsSync(join(dir, 'build.ninja')) || !existsSync(cache)) return false
  if (statSync(join(native, 'CMakePresets.json')).mtimeMs > statSync(cache).mtimeMs) return false
  const settings = readFileSync(cache, 'utf8')
  if (tests && settings.includes('THRU_TESTS:BOOL=OFF\n')) return false
  return settings.includes(`THRU_DEPS_PREFIX:PATH=${prefix ?? ''}\n`)
}

/** The folder of vcpkg's libraries for a build in `dir`, or undefined. */
function vcpkgPrefix(dir) {
  const installed = join(dir, 'vcpkg_installed')
  if (!existsSync(installed)) return undefined
  const triplet = readdirSync(installed).find((name) => existsSync(join(installed, name, 'lib')))
  return triplet && join(installed, triplet)
}

/** Copies the addon to where programs load it; on a Mac together with its libraries. */
async function publishAddon(dir) {
  const built = join(dir, 'thruflux.node')
  if (!existsSync(built)) return
  const prefix = process.platform === 'darwin' ? vcpkgPrefix(dir) : undefined
  const libraries = prefix ? librariesOf(process.platform, prefix) : []
  await publishFiles([built, ...libraries], join(root, 'out', 'native'))
}

if (isMain(import.meta.url)) {
  const [preset, ...targets] = process.argv.slice(2)
  runMain(() => nativeBuild(preset, targets))
}
