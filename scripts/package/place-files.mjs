// Makes the files that accompany the app and copies them by build/install-places.mjs.
import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { makeIcons } from './icons.mjs'
import { writeMetainfo } from './metainfo.mjs'

/** Makes the icons and the metainfo, which a build doesn't. */
export async function makeFilesBeside() {
  await makeIcons()
  writeMetainfo()
}

/**
 * Copies files of the checkout to their places below `folder`, readable by everyone.
 * @param {Readonly<Record<string, string>>} places
 * @param {string} folder
 * @param {string} [checkout]
 */
export function placeFiles(places, folder, checkout = root) {
  for (const [source, place] of Object.entries(places)) {
    const from = join(checkout, source)
    if (!existsSync(from)) throw new Failure(`${source} is missing. Run npm run build first.`)
    const to = join(folder, place)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
    chmodSync(to, 0o644)
  }
}
