// The program at the beginning of a release's AppImage, which mounts and starts the rest and needs no FUSE library.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheRoot, writeAtomically } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'

/** AppImage's type2-runtime. docs/dependencies.md and build/licenses/native.json name this release and its parts. */
const release = 'https://github.com/AppImage/type2-runtime/releases/download/20251108'

/**
 * Each processor's file in the release, with its SHA-256.
 * @type {Record<string, { name: string, sha256: string }>}
 */
const launchers = {
  x64: {
    name: 'runtime-x86_64',
    sha256: '2fca8b443c92510f1483a883f60061ad09b46b978b2631c807cd873a47ec260d',
  },
  arm64: {
    name: 'runtime-aarch64',
    sha256: '00cbdfcf917cc6c0ff6d3347d59e0ca1f7f45a6df1a428a0d6d8a78664d87444',
  },
}

/**
 * Returns the path of a file in `folder` with this SHA-256, downloaded on first use. Throws a Failure if the download
 * has another hash.
 * @param {string} address
 * @param {string} sha256
 * @param {string} folder
 */
export async function downloadOnce(address, sha256, folder) {
  const file = join(folder, sha256)
  if (existsSync(file)) return file
  const response = await fetch(address, { signal: AbortSignal.timeout(120_000) })
  if (!response.ok)
    throw new Failure(`${address} answers ${response.status}. Try again later, or report this.`)
  const bytes = Buffer.from(await response.arrayBuffer())
  const sum = createHash('sha256').update(bytes).digest('hex')
  if (sum !== sha256)
    throw new Failure(
      `${address} has SHA-256 ${sum} instead of ${sha256}. Don't use it, and report this.`,
    )
  writeAtomically(file, bytes)
  return file
}

/**
 * Returns the path of the launcher for a processor, in the cache folder.
 * @param {string} arch
 */
export async function appImageLauncher(arch) {
  const launcher = launchers[arch]
  if (!launcher) throw new Failure(`There is no AppImage launcher for "${arch}".`)
  return downloadOnce(`${release}/${launcher.name}`, launcher.sha256, join(cacheRoot, 'appimage'))
}
