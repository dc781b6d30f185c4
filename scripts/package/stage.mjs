// Stages the folder for the app's archive, with only the files that run. Bundles contain all code, so sources, source
// maps and npm packages are left out. The server has a separate package.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { linuxPlaces, macosPlaces } from '../../build/install-places.mjs'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { placeFiles } from './place-files.mjs'

/** Files of the checkout for the command, at the same paths in the package. */
export const commandContents = [
  'out/cli/thru.cjs',
  'out/cli/program.cjs',
  'out/cli/node-sqlite3-wasm.wasm',
  'out/THIRD-PARTY-NOTICES.txt',
  'resources/servers.json',
  'resources/update-feed.json',
  'resources/update-keys.json',
]

/** Files for the app and the command. */
const appContents = [
  'out/electron',
  'out/renderer',
  'resources/icons/icon.png',
  'resources/icons/tray',
  ...commandContents,
]

/** The page for browsers, which only Debian and Ubuntu can build (target-deps.mjs): other packages have none. */
const webPage = 'out/web'

const desktopEntry = 'resources/desktop/linux/thruflux.desktop'

const isLeftOut = (path) => path.endsWith('.map')

/**
 * Returns the fields of package.json that Electron and the programs read.
 * @param {string} version
 * @returns {Record<string, string>}
 */
export function packedManifest(version) {
  const all = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, productName, description, license, type, main } = all
  const about = { name, productName, version, description, author: 'Thruflux', license, type, main }
  // The desktop entry, by which desktops identify windows, notifications and badges.
  return { ...about, desktopName: basename(linuxPlaces[desktopEntry]) }
}

/**
 * Fills `folder` for a target. `native` has its addon and libraries; `resources` replaces files of `resources/`.
 * @param {{ folder: string, native: string, version: string, resources?: string | undefined, contents?: readonly string[] }} asked
 */
export function stageApp({ folder, native, version, resources, contents = appContents }) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(native, 'thruflux.node')))
    throw new Failure(`There is no engine in ${native}. Build it first.`)
  const options = { recursive: true, filter: (path) => !isLeftOut(path) }
  const page = existsSync(join(root, webPage)) ? [webPage] : []
  for (const path of [...contents, ...page]) cpSync(join(root, path), join(folder, path), options)
  if (resources) cpSync(resources, join(folder, 'resources'), { recursive: true })
  cpSync(native, join(folder, 'out/native'), { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(packedManifest(version), null, 2)}\n`,
  )
}

/**
 * Stages the app's other resources in `folder`, and returns their paths; only the app for macOS has any.
 * @param {string} folder
 * @param {string} platform
 * @param {string} checkout
 */
export function stageResources(folder, platform, checkout) {
  if (platform !== 'darwin') return []
  rmSync(folder, { recursive: true, force: true })
  placeFiles(macosPlaces, folder, checkout)
  cpSync(join(checkout, 'build/macos/ko.lproj'), join(folder, 'ko.lproj'), { recursive: true })
  return readdirSync(folder).map((name) => join(folder, name))
}
