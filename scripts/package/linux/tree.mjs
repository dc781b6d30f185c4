// Lays out an installed Thruflux below a prefix such as /usr. Every Linux package contains this tree.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { linuxPlaces } from '../../../build/install-places.mjs'
import { root } from '../../lib/cache.mjs'
import { placeFiles } from '../place-files.mjs'

/** The path of the app's own folder below the prefix. */
export const appFolder = 'lib/thruflux'

/** Commands on the PATH, each a link to a program in the app's folder. */
const commands = ['thruflux', 'thru']

/** Lays out the tree below `prefix` from the packed app in `folder`. */
export function layOutTree(folder, prefix) {
  rmSync(prefix, { recursive: true, force: true })
  const app = join(prefix, appFolder)
  mkdirSync(dirname(app), { recursive: true })
  // Links instead of copies, because packages don't change the app.
  execFileSync('cp', ['-al', folder, app])
  const command = join(app, 'thru')
  cpSync(join(root, 'build/linux/thru'), command)
  chmodSync(command, 0o755)
  mkdirSync(join(prefix, 'bin'))
  for (const name of commands) symlinkSync(`../${appFolder}/${name}`, join(prefix, 'bin', name))
  placeFiles(linuxPlaces, prefix)
}
