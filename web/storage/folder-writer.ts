/** Gives files their names in the folder that a person chose. Nothing there is overwritten. */
import type { ErrorCode } from '#shared/errors'
import { keyOf } from '../choices'
import type { OfferedEntry } from '../engine/module'
import type { KeptFiles } from './kept-files'
import { numbered, safePath } from './safe-name'

/** Small files are bound by the browser's work for each. */
const filesAtOnce = 16

/** Names that are tried before a file fails: as many versions as anybody keeps. */
const maxNumbers = 1000

/** Copies files into a folder, in the order of their arrival. */
export class FolderWriter {
  readonly #root: FileSystemDirectoryHandle
  readonly #kept: KeptFiles
  readonly #waiting: OfferedEntry[] = []
  /** Folders by safe path. */
  readonly #folders = new Map<string, Promise<FileSystemDirectoryHandle>>()
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly code: ErrorCode; readonly detail: string } | null = null

  constructor(root: FileSystemDirectoryHandle, kept: KeptFiles) {
    this.#root = root
    this.#kept = kept
  }

  /** Copies a complete file, unless an earlier attempt did. */
  add(entry: OfferedEntry): void {
    if (this.#kept.isSaved(keyOf(entry))) return
    this.#waiting.push(entry)
    this.#next()
  }

  /** Makes folders, also empty ones, and waits for all files. Returns the first failure. */
  async finish(
    folders: readonly string[],
  ): Promise<{ readonly code: ErrorCode; readonly detail: string } | null> {
    while (this.#running.size > 0) await Promise.all(this.#running)
    for (const path of folders)
      await this.#folder(safePath(path)).catch((reason: unknown) => this.#fail(reason))
    await this.#kept.commit().catch((reason: unknown) => this.#fail(reason))
    return this.#failure
  }

  #next(): void {
    while (this.#running.size < filesAtOnce) {
      const entry = this.#waiting.shift()
      if (entry === undefined) return
      const running = this.#write(entry)
        .catch((reason: unknown) => this.#fail(reason))
        .then(() => {
          this.#running.delete(running)
          this.#next()
        })
      this.#running.add(running)
    }
  }

  #fail(reason: unknown): void {
    const isFull = reason instanceof DOMException && reason.name === 'QuotaExceededError'
    this.#failure ??= { code: isFull ? 'E_DISK_FULL' : 'E_DISK_IO', detail: String(reason) }
  }

  async #write(entry: OfferedEntry): Promise<void> {
    const path = safePath(entry.path)
    const slash = path.lastIndexOf('/')
    const folderPath = slash < 0 ? '' : path.slice(0, slash)
    const folder = await this.#folder(folderPath)
    const file = await newFile(folder, path.slice(slash + 1))
    const stream = await file.createWritable()
    try {
      for await (const bytes of this.#kept.read(keyOf(entry), 0, entry.bytes))
        await stream.write(bytes)
      // The file has its content only from here on.
      await stream.close()
    } catch (reason) {
      await stream.abort().catch(() => undefined)
      await folder.removeEntry(file.name).catch(() => undefined)
      throw reason
    }
    this.#kept.setSaved(keyOf(entry))
  }

  #folder(path: string): Promise<FileSystemDirectoryHandle> {
    if (path === '') return Promise.resolve(this.#root)
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const slash = path.lastIndexOf('/')
    const made = this.#folder(slash < 0 ? '' : path.slice(0, slash)).then((parent) =>
      parent.getDirectoryHandle(path.slice(slash + 1), { create: true }),
    )
    this.#folders.set(path, made)
    return made
  }
}

/** Makes a file under the first free name. */
async function newFile(
  folder: FileSystemDirectoryHandle,
  wished: string,
): Promise<FileSystemFileHandle> {
  for (let number = 1; number <= maxNumbers; number += 1) {
    const name = numbered(wished, number)
    // Other tabs may write into this folder, which they may know by the name of one above it.
    const file = await navigator.locks.request(lockOf(name), async () =>
      (await exists(folder, name)) ? null : folder.getFileHandle(name, { create: true }),
    )
    if (file !== null) return file
  }
  throw new RangeError(`no free name for ${wished}`)
}

/** Some systems don't distinguish upper and lower case. */
const lockOf = (name: string): string => `thruflux name ${name.toLowerCase()}`

/** True if a folder has an entry of this name, a file or a folder. */
async function exists(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name)
    return true
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === 'NotFoundError') return false
    if (reason instanceof DOMException && reason.name === 'TypeMismatchError') return true
    throw reason
  }
}
