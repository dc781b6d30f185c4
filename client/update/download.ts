/**
 * Brings a package into the app's own folder, under a name of its own, and checks it there. What an
 * interrupted download left is continued by the next one.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#client/clock'
import { renamePatiently } from '#client/state/patient-rename'
import { preparePrivateDirectory } from '#client/state/private-directory'
import { type BodySink, fetchFrom, type Head } from '#client/update/fetch'
import { hashFile } from '#client/update/hash-file'
import { err, ok, type Result } from '#shared/result'
import type { UpdateManifest } from '#shared/update/manifest'
import { type UpdateError, updateError, type UpdateErrorCode } from '#shared/update/update-error'

type Package = Pick<UpdateManifest, 'size' | 'sha512'>

/** What is fetched, where to, and who hears how far it is. */
export type Download = {
  readonly address: URL
  readonly manifest: Package
  /** A folder for packages alone; what else is in it is removed. Where it is a link, it may be for more than that. */
  readonly directory: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: (bytes: number) => void
}

const nameBegin = 'package-'

/** The name on this computer says nothing but which package it is. */
const nameOf = ({ sha512 }: Package): string => nameBegin + sha512.slice(0, 16)

/** Resolves with the path of the whole package, which is the one that the manifest is about. */
export async function download(wanted: Download): Promise<Result<string, UpdateError>> {
  const { directory, manifest } = wanted
  const path = join(directory, nameOf(manifest))
  const part = `${path}.part`
  try {
    const unsafe = preparePrivateDirectory(directory, 'create')
    if (unsafe !== null) return err(updateError('E_UPDATE_NOT_WRITABLE', unsafe))
    await removeOthers(directory, [path, part])
    if ((await sizeOf(path)) === manifest.size && (await isPackage(path, manifest))) return ok(path)
    await rm(path, { force: true })
    const fetched = await fetchPart(wanted, part)
    if (!fetched.ok) return fetched
    if (!(await isPackage(part, manifest))) {
      await rm(part, { force: true })
      return err(updateError('E_UPDATE_DAMAGED', 'another hash'))
    }
    await renamePatiently(part, path)
    return ok(path)
  } catch (reason) {
    const error = diskError(reason)
    // The room that it took is needed.
    if (error.code === 'E_UPDATE_DISK_FULL') await rm(part, { force: true }).catch(() => undefined)
    return err(error)
  }
}

async function fetchPart(wanted: Download, part: string): Promise<Result<null, UpdateError>> {
  const { manifest, address, clock, signal } = wanted
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW
  const file = await open(part, flags, 0o600)
  try {
    const { size } = await file.stat()
    if (size > manifest.size) await file.truncate(0)
    const from = size > manifest.size ? 0 : size
    if (from === manifest.size) return ok(null)
    const fetched = await fetchFrom(address, {
      ...{ clock, signal },
      headers: from === 0 ? {} : { range: `bytes=${from}-` },
      onHead: (head) => sinkFor(head, file, from, wanted),
    })
    await file.sync()
    if (!fetched.ok) {
      // What is too long is not the package, whatever its beginning is.
      if (fetched.error.code === 'E_UPDATE_DAMAGED') await file.truncate(0)
      return fetched
    }
    const isWhole = (await file.stat()).size === manifest.size
    return isWhole ? fetched : err(updateError('E_UPDATE_INTERRUPTED', 'it ended too early'))
  } finally {
    await file.close()
  }
}

/** Appends what is missing; a server that can't leave out the beginning sends all of it again. */
async function sinkFor(
  { status, headers }: Head,
  file: FileHandle,
  from: number,
  { manifest, progress }: Download,
): Promise<Result<BodySink, UpdateError>> {
  const range = `bytes ${from}-${manifest.size - 1}/${manifest.size}`
  const continues = status === 206 && from > 0 && headers['content-range'] === range
  if (status !== 200 && !continues) {
    // A server that has another file, not one that is out of order for a while.
    if (status === 206 || status === 416) await file.truncate(0)
    return err(updateError('E_UPDATE_UNREACHABLE', `status ${status}`))
  }
  if (!continues) await file.truncate(0)
  let bytes = continues ? from : 0
  return ok({
    mostBytes: manifest.size - bytes,
    write: async (part) => {
      await file.appendFile(part)
      bytes += part.length
      progress(bytes)
    },
  })
}

const isPackage = async (path: string, { sha512 }: Package): Promise<boolean> =>
  (await hashFile(path)) === sha512

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch {
    return null
  }
}

async function removeOthers(directory: string, wanted: readonly string[]): Promise<void> {
  const isOurs = !(await lstat(directory)).isSymbolicLink()
  const names = (await readdir(directory)).filter((name) => isOurs || name.startsWith(nameBegin))
  const left = names.map((name) => join(directory, name)).filter((path) => !wanted.includes(path))
  await Promise.all(left.map((path) => rm(path, { force: true, recursive: true })))
}

const diskCodes: Readonly<Record<string, UpdateErrorCode | undefined>> = {
  ...{ ENOSPC: 'E_UPDATE_DISK_FULL', EDQUOT: 'E_UPDATE_DISK_FULL' },
  ...{ EFBIG: 'E_UPDATE_DISK_FULL' },
}

/** What the system said about a file of an update. */
export function diskError(reason: unknown): UpdateError {
  const { code = '', message } = reason as NodeJS.ErrnoException
  return updateError(diskCodes[code] ?? 'E_UPDATE_NOT_WRITABLE', message)
}
