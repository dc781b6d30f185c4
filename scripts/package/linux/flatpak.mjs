// Makes the manifest from which flatpak-builder makes a Flatpak out of the archive; its runtimes come from Flathub.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hashOfFile, root } from '../../lib/cache.mjs'
import { Failure } from '../../lib/failure.mjs'
import { product } from '../product.mjs'

/**
 * Returns the manifest for an archive in the same folder.
 * @param {string} archive
 */
export function flatpakManifest(archive) {
  const { modules, ...common } = JSON.parse(
    readFileSync(join(root, 'build/linux/flatpak.json'), 'utf8'),
  )
  const place = { path: basename(archive), sha256: hashOfFile(archive) }
  const withPlace = (source) => (source.type === 'archive' ? { ...source, ...place } : source)
  return {
    id: product.id,
    ...common,
    modules: modules.map((module) => ({ ...module, sources: module.sources.map(withPlace) })),
  }
}

/** @param {{ file: string }} asked */
export function makeFlatpakManifest({ file }) {
  const archive = file.replace(/flatpak\.json$/, 'tar.gz')
  if (!existsSync(archive))
    throw new Failure('The Flatpak is made from the tar.gz. Make that as well.')
  writeFileSync(file, `${JSON.stringify(flatpakManifest(archive), null, 2)}\n`)
}
