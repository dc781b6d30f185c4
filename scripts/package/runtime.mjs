// The Electron that is packed. A release has the pinned one; any other is for trying packages out, and says so.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareFallback } from '../deps/electron-fallback.mjs'
import { electronRuntime } from '../electron-runtime.mjs'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'

/**
 * The version of Electron that package-lock.json names.
 * @returns {string}
 */
export function pinnedElectron() {
  const manifest = join(root, 'node_modules/electron/package.json')
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

/**
 * Why a release must not have this runtime, in a sentence; undefined when it may.
 * @param {{ kind: string, version: string }} runtime
 * @param {string} pinned
 */
export function refusalOf({ kind, version }, pinned) {
  if (kind === 'official' && version === pinned) return undefined
  return `A release has Electron ${pinned} as it is published, and here is ${version} (${kind}): connect to the internet, or say --substitute-runtime for packages to try out.`
}

/**
 * The runtime for a system: `{ dist, version, kind }`, without `dist` where electron-builder downloads it. Throws a Failure
 * where a release would have another than the pinned one.
 * @param {{ platform: string, arch: string, substitute: boolean }} asked
 * @returns {Promise<{ dist?: string | undefined, version: string, kind: string }>}
 */
export async function runtimeToPack({ platform, arch, substitute }) {
  // The one of this checkout is for this machine's processor; the substitute is all that there is of it.
  const isOwn = platform === process.platform && (arch === process.arch || substitute)
  if (!isOwn && !substitute) return { version: pinnedElectron(), kind: 'official' }
  if (!isOwn) return prepareFallback(platform)
  const runtime = await electronRuntime()
  const refusal = substitute ? undefined : refusalOf(runtime, pinnedElectron())
  if (refusal) throw new Failure(refusal)
  return runtime
}
