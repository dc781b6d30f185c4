/**
 * What V8 made of a program in an earlier run, so that a start does not compile all of it again. The file holds
 * code: it counts only in a folder of this account that nobody else writes to, for exactly the source that it was
 * made of, and whole. V8 itself refuses what another version of it, or other flags, made.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { isOwn, preparePrivateDirectory } from '#client/state/private-directory'
import { readPrivately } from '#client/state/private-file'

/** More than ten times what there is of it today. */
const maxBytes = 16 * 1024 * 1024

const sealBytes = 32

/** Of source and code together: neither goes with any other. */
const sealOf = (source: Uint8Array, compiled: Uint8Array): Buffer =>
  createHash('sha256').update(source).update(compiled).digest()

/** A program that is compiled, as far as it has to be before it runs. */
export type Compiled = {
  readonly script: Script
  /** It is what an earlier run left. */
  readonly isCached: boolean
  /** Leaves it to the next run, with every function that has run until now; silent when that can't be done. */
  readonly keep: () => void
}

/** The file in `folder` for the runtime that runs this. */
const fileIn = (folder: string): string => {
  const { platform, arch, versions } = process
  return join(folder, `thru-${platform}-${arch}-${versions.v8}.compiled`)
}

/** Others may have written there, and a correction of the permissions comes too late. */
const isOpenToOthers = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & 0o022) !== 0

/** What there is of the way to `folder`: under `sudo` nothing is made in the home of who called it. */
const standing = (folder: string): string =>
  existsSync(folder) ? folder : standing(dirname(folder))

function readCompiled(source: Uint8Array, folder: string | null): Buffer | undefined {
  try {
    if (folder === null || isOpenToOthers(folder) || isOpenToOthers(fileIn(folder)))
      return undefined
    if (preparePrivateDirectory(folder, 'leave') !== null) return undefined
    const content = readPrivately(fileIn(folder), maxBytes)
    const compiled = content.subarray(sealBytes)
    return sealOf(source, compiled).equals(content.subarray(0, sealBytes)) ? compiled : undefined
  } catch {
    return undefined
  }
}

/** Two programs may do so at once: the seal tells what only one of them has written from what both have. */
function writeCompiled(source: Uint8Array, compiled: Uint8Array, folder: string): void {
  const file = fileIn(folder)
  const temporary = `${file}.tmp`
  try {
    if (!isOwn(statSync(standing(folder)))) return
    if (preparePrivateDirectory(folder, 'create') !== null) return
    rmSync(temporary, { force: true })
    const content = Buffer.concat([sealOf(source, compiled), compiled])
    writeOrRemove(temporary, content)
    renameSync(temporary, file)
  } catch {
    // The next start takes as long as this one, and nothing else is lost.
  }
}

/** On a full disk nothing of it stays. */
function writeOrRemove(file: string, content: Buffer): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(descriptor, content)
  } catch (reason) {
    rmSync(file, { force: true })
    throw reason
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Compiles `source`, a CommonJS module of the file `filename`, into a function with the arguments of one. Without a
 * `folder` nothing is kept.
 */
export function compile(source: Uint8Array, filename: string, folder: string | null): Compiled {
  const opening = '(function(exports,require,module,__filename,__dirname){'
  // The bundler writes nothing but ASCII, which takes half the memory of other texts, and less time.
  const wrapped = `${opening}${Buffer.from(source).toString('latin1')}\n})`
  const cachedData = readCompiled(source, folder)
  const script = new Script(wrapped, {
    filename,
    columnOffset: -opening.length,
    cachedData,
  })
  return {
    script,
    isCached: cachedData !== undefined && script.cachedDataRejected === false,
    keep: () => {
      if (folder !== null) writeCompiled(source, script.createCachedData(), folder)
    },
  }
}
