// Chooses the Electron to pack. A release has the pinned one; packages with another are marked as trials.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareFallback } from '../deps/electron-fallback.mjs'
import { electronRuntime } from '../electron-runtime.mjs'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'

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
 * Returns a system's runtime: `{ dist, version, kind }`, without `dist` if electron-builder downloads it. Throws a
 * Failure if a release would not get the pinned one.
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
