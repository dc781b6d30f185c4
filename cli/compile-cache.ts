/**
 * V8's code cache of an earlier run, so that a start doesn't compile the whole program again. The file contains
 * code, so it is used only from a folder that no other account can write to. It must be complete and match the
 * source exactly. V8 rejects a cache made by another version or with other flags.
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

/** More than ten times its size today. */
const maxBytes = 16 * 1024 * 1024

const sealBytes = 32

/** Seals source and code together, so that neither fits any other. */
const sealOf = (source: Uint8Array, compiled: Uint8Array): Buffer =>
  createHash('sha256').update(source).update(compiled).digest()

/** A compiled program; functions that run later may not be compiled yet. */
export type Compiled = {
  readonly script: Script
  /** True if it comes from an earlier run. */
  readonly isCached: boolean
  /** Saves it for the next run, with every function that has run until now; failures are silent. */
  readonly keep: () => void
}

/** The file in `folder` for the runtime that runs this. */
const fileIn = (folder: string): string => {
  const { platform, arch, versions } = process
  return join(folder, `thru-${platform}-${arch}-${versions.v8}.compiled`)
}

/** Others may already have written there, so correcting the permissions would be too late. */
const isOpenToOthers = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & 0o022) !== 0

/** The deepest existing part of `folder`: under `sudo`, nothing is created in the caller's home. */
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

/** Two programs may write at the same time; the seal detects a mix of both. */
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
    // The next start takes as long as this one; nothing else is lost.
  }
}

/** Leaves no part of the file on a full disk. */
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
 * Compiles `source`, a CommonJS module in the file `filename`, into the usual module function. Without a
 * `folder`, nothing is saved.
 */
export function compile(source: Uint8Array, filename: string, folder: string | null): Compiled {
  const opening = '(function(exports,require,module,__filename,__dirname){'
  // The bundle is pure ASCII, and a Latin-1 string takes half the memory of others, and less time.
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
