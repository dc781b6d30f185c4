// Archives with the same bytes for the same files: sorted entries with one time and owner and plain modes.
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '../lib/cache.mjs'
import { Failure } from '../lib/failure.mjs'
import { capture, runLogged } from '../lib/run.mjs'

/**
 * Returns the time in packages, in seconds since 1970: SOURCE_DATE_EPOCH (reproducible-builds.org), else the commit's.
 */
export function sourceDate(env = process.env) {
  const named = env.SOURCE_DATE_EPOCH
  const date = named ?? capture('git', ['log', '-1', '--format=%ct'], { cwd: root })
  if (!/^\d{1,12}$/.test(date ?? ''))
    throw new Failure(
      named === undefined
        ? "The commit's time is unknown. Set SOURCE_DATE_EPOCH to the time for packages, in seconds since 1970."
        : `SOURCE_DATE_EPOCH is "${named}", but must be seconds since 1970.`,
    )
  return Number(date)
}

/** Sets modes 644 and 755 on all files and folders, independent of the umask. Executables are executable for all. */
export function plainModes(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) continue
    if (entry.isDirectory()) plainModes(path)
    else chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
}

/** Arguments of `tar` that make order, times, owners and headers independent of machine and time. */
export const reproducibleTar = (date) => [
  '--sort=name',
  '--format=gnu',
  `--mtime=@${date}`,
  '--owner=0',
  '--group=0',
  '--numeric-owner',
]

/** Packs `folder`, including itself, into the .tar.xz `file`. One thread keeps the bytes independent of the cores. */
export async function packTarXz({ folder, file, date, log }) {
  plainModes(folder)
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.partial`
  const tar = [...reproducibleTar(date), '-I', 'xz -9e -T1', '-cf', partial]
  await runLogged('packing', 'tar', [...tar, '-C', dirname(folder), basename(folder)], { log })
  renameSync(partial, file)
}
