// Archives that are the same bytes whenever they are made of the same files: entries in one order, of one time and owner,
// with the plainest modes.
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/**
 * The time that stands in packages, in seconds since 1970: SOURCE_DATE_EPOCH (reproducible-builds.org), or else that of
 * the commit.
 */
export function sourceDate(env = process.env) {
  const named = env.SOURCE_DATE_EPOCH
  const date = named ?? capture('git', ['log', '-1', '--format=%ct'], { cwd: root })
  if (!/^\d{1,12}$/.test(date ?? ''))
    throw new Failure(
      named === undefined
        ? 'The time of the commit is not known here: set SOURCE_DATE_EPOCH to the seconds since 1970 that packages shall carry.'
        : `SOURCE_DATE_EPOCH is "${named}": it takes seconds since 1970.`,
    )
  return Number(date)
}

/** Gives every file and folder the modes 644 and 755, whatever the umask was; what its owner can run is run by all. */
export function plainModes(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) continue
    if (entry.isDirectory()) plainModes(path)
    else chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
}

/** The arguments of `tar` with which the order, times, owners and headers don't depend on where and when it runs. */
export const reproducibleTar = (date) => [
  '--sort=name',
  '--format=gnu',
  `--mtime=@${date}`,
  '--owner=0',
  '--group=0',
  '--numeric-owner',
]

/** Packs `folder`, itself included, into the .tar.xz `file`. One thread: the bytes don't depend on the machine's cores. */
export async function packTarXz({ folder, file, date, log }) {
  plainModes(folder)
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.partial`
  const tar = [...reproducibleTar(date), '-I', 'xz -9e -T1', '-cf', partial]
  await runLogged('packing', 'tar', [...tar, '-C', dirname(folder), basename(folder)], { log })
  renameSync(partial, file)
}
