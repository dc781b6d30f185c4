#!/usr/bin/env node
// macos-build.mjs [--tests] [darwin-x64] [darwin-arm64]: compiles and links the engine for macOS, on Linux with zig and
// on a Mac with vcpkg's libraries, and joins both architectures in out/native/darwin-universal. Checks every
// file's loaded libraries, their paths, the minimum macOS and the exports. --tests also builds the test programs.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ensurePackages } from './deps/apt.mjs'
import { librariesOf, publishFiles } from './lib/addon-files.mjs'
import { enginePrograms } from './lib/emulated-tests.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { llvmTool, problemsOf, readMachO } from './lib/mach-o.mjs'
import { runLogged } from './lib/run.mjs'
import { nativeBuild } from './native-build.mjs'
import { targetBuild, targetOutput } from './target-build.mjs'

/** Mach-O's names of our targets' processors. */
const archOf = { 'darwin-x64': 'x86_64', 'darwin-arm64': 'arm64' }
const testPrograms = [...enginePrograms, 'thru_cpace_peer']

/** Builds a target on a Mac of either kind: build tools must run on the Mac's own processor. */
async function buildOnMac(name, cmakeTargets) {
  const host = `-DVCPKG_HOST_TRIPLET=${process.arch}-osx-thru`
  const preset = name.replace('darwin', 'macos') + '-vcpkg'
  const dir = await nativeBuild(preset, cmakeTargets, { settings: [host] })
  const triplet = name.replace('darwin-', '') + '-osx-thru'
  const libraries = librariesOf('darwin', join(dir, 'vcpkg_installed', triplet))
  await publishFiles([join(dir, 'thruflux.node'), ...libraries], targetOutput(name))
}

/**
 * Makes the files of `folder` load each other by name from this folder: Meson mistakes zig's linker for an ELF one, and
 * vcpkg uses its own paths. A Mac signs changed files when it packs the app.
 */
async function nameByPlace(folder, arch) {
  const files = readdirSync(folder)
  const log = join(folder, '..', 'names.log')
  for (const name of files) {
    const file = join(folder, name)
    const { id, loads, paths } = readMachO(file, arch)
    const own = loads.filter(
      (path) => files.includes(basename(path)) && !path.startsWith('@rpath/'),
    )
    const changes = [
      ...(id === `@rpath/${name}` ? [] : ['-id', `@rpath/${name}`]),
      ...own.flatMap((path) => ['-change', path, `@rpath/${basename(path)}`]),
      ...paths.filter((path) => path !== '@loader_path').flatMap((path) => ['-delete_rpath', path]),
    ]
    if (changes.length === 0) continue
    const command = [...changes, file]
    await runLogged('setting library paths', llvmTool('names'), command, { log })
  }
  rmSync(log, { force: true })
}

/** Throws a Failure that names every problem of the files in `folder`. */
function check(folder, archs) {
  const files = readdirSync(folder)
  const problems = files.flatMap((name) =>
    archs.flatMap((arch) =>
      problemsOf(name, readMachO(join(folder, name), arch), files).map(
        (problem) => `  ${name} (${arch}) ${problem}`,
      ),
    ),
  )
  if (problems.length > 0)
    throw new Failure(`${folder} won't work on other Macs:\n${problems.join('\n')}`)
  console.log(`  ${folder}: ${files.length} files, each for ${archs.join(' and ')}`)
}

async function joinTargets(names) {
  const folder = targetOutput('darwin-universal')
  const log = `${folder}.log`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(targetOutput(names[0]))) {
    const parts = names.map((name) => join(targetOutput(name), file))
    const command = ['-create', ...parts, '-output', join(folder, file)]
    await runLogged('joining processors', llvmTool('lipo'), command, { log })
  }
  rmSync(log, { force: true })
  return folder
}

async function main(args) {
  const asked = args.filter((arg) => arg in archOf)
  const unknown = args.find((arg) => !(arg in archOf) && arg !== '--tests')
  if (unknown) throw new Failure(`"${unknown}" is not one of ${Object.keys(archOf).join(', ')}.`)
  const names = asked.length > 0 ? asked : Object.keys(archOf)
  if (process.platform === 'linux') await ensurePackages(['llvm-19'])
  const programs = args.includes('--tests') ? testPrograms : []
  const build = process.platform === 'darwin' ? buildOnMac : targetBuild
  for (const name of names) {
    await build(name, ['thru_addon', ...programs])
    await nameByPlace(targetOutput(name), archOf[name])
    check(targetOutput(name), [archOf[name]])
  }
  if (names.length < 2) return
  const universal = await step('joining both processors', () => joinTargets(names))
  check(
    universal,
    names.map((name) => archOf[name]),
  )
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
