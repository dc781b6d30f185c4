// What an installed Thruflux consists of, below a prefix such as /usr: every Linux package is this tree in another wrapping.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { linuxPlaces } from '../../../build/install-places.mjs'
import { root } from '../../lib/cache.mjs'
import { placeFiles } from '../place-files.mjs'

/** Where the app's own folder is below the prefix. */
export const appFolder = 'lib/thruflux'

/** Commands on the PATH, each a link to a program of the app's folder. */
const commands = ['thruflux', 'thru']

/** Lays the tree out below `prefix`, from the packed app in `folder`. */
export function layOutTree(folder, prefix) {
  rmSync(prefix, { recursive: true, force: true })
  const app = join(prefix, appFolder)
  mkdirSync(dirname(app), { recursive: true })
  // Links instead of copies: nothing of the app is changed in its packages.
  execFileSync('cp', ['-al', folder, app])
  const command = join(app, 'thru')
  cpSync(join(root, 'build/linux/thru'), command)
  chmodSync(command, 0o755)
  mkdirSync(join(prefix, 'bin'))
  for (const name of commands) symlinkSync(`../${appFolder}/${name}`, join(prefix, 'bin', name))
  placeFiles(linuxPlaces, prefix)
}
