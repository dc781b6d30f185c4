#!/usr/bin/env node
// target-build.mjs TARGET [CMake targets...]: cross-builds the engine for a target (deps/targets.mjs). Puts the addon
// into out/native/TARGET/thruflux.node, with the shared libraries that it loads from the same folder. For the target web
// it builds out/native/web/thruflux.wasm.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { pkgConfigOf } from './deps/build-systems.mjs'
import { cmakeToolchain } from './deps/targets.mjs'
import { librariesOf, publishFiles } from './lib/addon-files.mjs'
import { root, withLock } from './lib/cache.mjs'
import { Failure, isMain, runMain, step } from './lib/failure.mjs'
import { runLogged } from './lib/run.mjs'
import { buildDir, needsTests } from './native-build.mjs'
import { targetDeps } from './target-deps.mjs'

const native = join(root, 'native')

/** The folder of a target's addon and its shared libraries. */
export const targetOutput = (name) => join(root, 'out', 'native', name)

/** The CMake target that programs load: an addon, or a page's module. */
const loaded = (name) => (name === 'web' ? 'thru_web' : 'thru_addon')

/** Builds `cmakeTargets` for a target; returns the build folder, the libraries' `prefix` and the `target`. */
export async function targetBuild(name, cmakeTargets = [loaded(name)]) {
  const { prefix, target, tools } = await targetDeps(name)
  const tests = needsTests(name, cmakeTargets)
  const dir = buildDir(name)
  mkdirSync(dir, { recursive: true })
  await withLock(join(dir, 'build.lock'), async () => {
    const log = join(dir, 'build.log')
    rmSync(log, { force: true })
    const run = (what, args) =>
      runLogged(what, 'cmake', args, { log, cwd: native, env: pkgConfigOf(prefix) })
    await step(`building native code (${[name, ...cmakeTargets].join(' ')})`, async () => {
      const settings = settingsOf(dir, { target, tools, prefix, tests })
      if (settings)
        await run('configuring native code', ['--preset', 'target', '-B', dir, ...settings])
      const jobs = String(availableParallelism())
      const chosen = ['-j', jobs, '--target', ...cmakeTargets]
      await run('building native code', ['--build', dir, ...chosen])
    })
  })
  if (cmakeTargets.includes('thru_addon')) await publish(dir, { prefix, target, tools })
  if (cmakeTargets.includes('thru_web'))
    await publishFiles([join(dir, 'thruflux.wasm')], targetOutput(name))
  return { dir, prefix, target }
}

/** Returns the settings to configure the folder with, or undefined if it is up to date. */
function settingsOf(dir, { target, tools, prefix, tests }) {
  const toolchain = join(dir, 'toolchain.cmake')
  // Ninja runs commands in a shell, which would expand $ORIGIN.
  const linkFlags = target.linkFlags.map((flag) => flag.replace('$ORIGIN', "'$ORIGIN'"))
  const content = cmakeToolchain({ ...target, linkFlags }, tools, prefix)
  const settings = [
    `-DCMAKE_TOOLCHAIN_FILE=${toolchain}`,
    `-DTHRU_DEPS_PREFIX=${prefix}`,
    `-DTHRU_TESTS=${tests ? 'ON' : 'OFF'}`,
  ]
  const record = join(dir, 'configured.txt')
  const wanted = [content, ...settings, readFileSync(join(native, 'CMakePresets.json'))].join('\n')
  const isReady = existsSync(join(dir, 'build.ninja')) && existsSync(record)
  if (isReady && readFileSync(record, 'utf8') === wanted) return undefined
  // CMake reads a toolchain file only once, so results cached for another one are wrong.
  rmSync(join(dir, 'CMakeCache.txt'), { force: true })
  writeFileSync(toolchain, content)
  writeFileSync(record, wanted)
  return settings
}

/** Copies the addon and its shared libraries into the output folder, without debug symbols. */
async function publish(dir, { prefix, target, tools }) {
  const addon = join(dir, 'thruflux.node')
  if (!existsSync(addon))
    throw new Failure(`The build left no ${addon}: delete ${dir} and try again.`)
  const log = join(dir, 'strip.log')
  const strip = (file) => runLogged('stripping', tools.strip, ['--strip-unneeded', file], { log })
  const files = [addon, ...librariesOf(target.platform, prefix)]
  const output = targetOutput(target.name)
  await publishFiles(files, output, tools.strip && strip)
  const names = files.map((file) => basename(file))
  for (const name of readdirSync(output).filter((each) => !names.includes(each)))
    rmSync(join(output, name), { recursive: true })
}

if (isMain(import.meta.url)) {
  const [name, ...cmakeTargets] = process.argv.slice(2)
  runMain(() => targetBuild(name, cmakeTargets.length > 0 ? cmakeTargets : undefined))
}
