// Chooses the Electron to pack. A release has the pinned one; packages with another are marked as trials.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareFallback } from '../deps/electron-fallback.mjs'
import { electronRuntime } from '../electron-runtime.mjs'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { runLogged } from '../lib/run.mjs'

/**
 * Returns the version of Electron in package-lock.json.
 * @returns {string}
 */
export function pinnedElectron() {
  const manifest = join(root, 'node_modules/electron/package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

/**
 * Returns why a release must not have this runtime, or undefined.
 * @param {{ kind: string, version: string }} runtime
 * @param {string} pinned
 */
export function refusalOf({ kind, version }, pinned) {
  if (kind === 'official' && version === pinned) return undefined
  return `A release requires the official Electron ${pinned}, but this is ${version} (${kind}). Connect to the internet, or use --substitute-runtime for trial packages.`
}

/**
 * Returns a system's runtime: `{ dist, version, kind }`, without `dist` if the packager downloads it. Throws a Failure
 * if a release would not get the pinned one.
 * @param {{ platform: string, arch: string, substitute: boolean }} asked
 * @returns {Promise<{ dist?: string | undefined, version: string, kind: string }>}
 */
export async function runtimeToPack({ platform, arch, substitute }) {
  // This checkout's Electron is for this machine's processor; the substitute has only one.
  const isOwn = platform === process.platform && (arch === process.arch || substitute)
  if (!isOwn && !substitute) return { version: pinnedElectron(), kind: 'official' }
  if (!isOwn) return prepareFallback(platform)
  const runtime = await electronRuntime()
  const refusal = substitute ? undefined : refusalOf(runtime, pinnedElectron())
  if (refusal) throw new Failure(refusal)
  return runtime
}

/**
 * Packs a runtime into the archive that the packager reads, and returns its folder. Returns undefined for the official
 * one, which the packager downloads and verifies itself.
 */
export async function zippedRuntime({ dist, version, kind, platform, arch, folder }) {
  if (dist === undefined || kind === 'official') return undefined
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, `electron-v${version}-${platform}-${arch}.zip`)
  await runLogged('packing the runtime', 'zip', ['-qry0', archive, '.'], {
    log: `${folder}.log`,
    cwd: dist,
  })
  return folder
}
