#!/usr/bin/env node
// Finds an Electron runtime: $ELECTRON_OVERRIDE_DIST_PATH, else npm's official binary (downloaded on first use), else a
// substitute for machines that reach only package registries. ELECTRON_RUNTIME=official or fallback allows only one.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { preparedFallback, prepareFallback } from './deps/electron-fallback.mjs'
import { cacheRoot, root, writeAtomically } from './lib/cache.mjs'
import { Failure, isMain, runMain } from './lib/failure.mjs'

const retryAfterMs = 24 * 3600 * 1000

/** The version in a runtime's folder, or undefined. */
function versionIn(dist) {
  const file = join(dist, 'version')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : undefined
}

function official(choice) {
  const dir = join(root, 'node_modules', 'electron')
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  const dist = join(dir, 'dist')
  if (versionIn(dist) !== version) download(dir, version, choice)
  if (versionIn(dist) === version) return { dist, version, kind: 'official' }
  if (choice !== 'official') return undefined
  throw new Failure(
    `Electron ${version} couldn't be downloaded, and ELECTRON_RUNTIME=official allows no other. Connect to the internet and try again.`,
  )
}

/** Tries the official download. If a substitute is ready, it retries a failed one only after a day or on request. */
function download(dir, version, choice) {
  const refusal = join(cacheRoot, 'electron', `official-${version}.refused`)
  const refused = existsSync(refusal) && Date.now() - statSync(refusal).mtimeMs < retryAfterMs
  if (refused && preparedFallback() && choice !== 'official') return
  console.log(`  downloading Electron ${version} ...`)
  const { status } = spawnSync(process.execPath, [join(dir, 'install.js')], {
    stdio: 'ignore',
    timeout: 300_000,
  })
  if (status !== 0) writeAtomically(refusal, 'the release host could not be reached\n')
}

async function chosenRuntime() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (given) return { dist: given, version: versionIn(given) ?? 'unknown', kind: 'override' }
  const choice = process.env.ELECTRON_RUNTIME || 'any'
  if (!['any', 'official', 'fallback'].includes(choice))
    throw new Failure(`ELECTRON_RUNTIME can be official or fallback, not "${choice}".`)
  return (
    (choice === 'fallback' ? undefined : official(choice)) ??
    preparedFallback() ??
    (await prepareFallback())
  )
}

/** Returns the runtime to use: `{ dist, version, kind, executable }`; kind is 'override', 'official' or 'fallback'. */
export async function electronRuntime() {
  const runtime = await chosenRuntime()
  const program =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ??
    'electron'
  return { ...runtime, executable: join(runtime.dist, program) }
}

if (isMain(import.meta.url))
  runMain(async () => console.log(JSON.stringify(await electronRuntime(), null, 2)))
