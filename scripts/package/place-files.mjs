// The files beside the app, made and put where build/install-places.mjs says.
import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { makeIcons } from './icons.mjs'
import { writeMetainfo } from './metainfo.mjs'

/** Makes those that a build leaves to packages: icons and metainfo. */
export async function makeFilesBeside() {
  await makeIcons()
  writeMetainfo()
}

/**
 * Copies files of the checkout to their places below `folder`, readable by everybody.
 * @param {Readonly<Record<string, string>>} places
 * @param {string} folder
 */
export function placeFiles(places, folder) {
  for (const [source, place] of Object.entries(places)) {
    const from = join(root, source)
    if (!existsSync(from)) throw new Failure(`${source} is missing: npm run build comes first.`)
    const to = join(folder, place)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
    chmodSync(to, 0o644)
  }
}
