/** Received bytes are kept in a private file of the browser, its database, or the page's memory. */

/** Keeps the bytes of one receive in runs that follow each other. */
export type Place = {
  /** Takes bytes, which are only valid during the call; returns their position. Throws if there is no room. */
  add(bytes: Uint8Array<ArrayBuffer>): number
  /** The bytes added since the last call, if the owner must keep them as a Blob; positions are within it. */
  take(): Blob | null
  /** Everything added will survive the end of the browser. */
  flush(): void
  /** Fills `into` with bytes; only of a place that needs no Blobs. */
  read(at: number, into: Uint8Array<ArrayBuffer>): void
  /** Everything as one file, which later calls of `add` make unreadable; `null` if the owner has Blobs. */
  file(): Promise<Blob | null>
  close(): void
}

/** Keeps bytes in memory until the owner takes them as a Blob, up to `maxBytes` in total. */
export class BlobPlace implements Place {
  readonly #maxBytes: number
  #parts: Uint8Array<ArrayBuffer>[] = []
  #waiting = 0
  #total = 0

  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes
  }

  add(bytes: Uint8Array<ArrayBuffer>): number {
    this.#total += bytes.length
    if (this.#total > this.#maxBytes) throw new RangeError('no room in memory')
    this.#parts.push(bytes.slice())
    const at = this.#waiting
    this.#waiting += bytes.length
    return at
  }

  take(): Blob {
    const blob = new Blob(this.#parts)
    this.#parts = []
    this.#waiting = 0
    return blob
  }

  flush(): void {
    // The owner's Blobs are kept by its database, or not at all.
  }

  read(): never {
    throw new TypeError('the bytes are in Blobs')
  }

  file(): Promise<null> {
    return Promise.resolve(null)
  }

  close(): void {
    this.#parts = []
  }
}

/** TypeScript doesn't declare it for pages, because workers of secure pages alone have it. */
type SyncAccessHandle = {
  readonly read: (into: Uint8Array<ArrayBuffer>, options: { readonly at: number }) => number
  readonly write: (bytes: Uint8Array<ArrayBuffer>, options: { readonly at: number }) => number
  readonly truncate: (bytes: number) => void
  readonly getSize: () => number
  readonly flush: () => void
  readonly close: () => void
}
type WorkerFileHandle = FileSystemFileHandle & {
  readonly createSyncAccessHandle: () => Promise<SyncAccessHandle>
}

/** Prefix of the names of our private files. */
const prefix = 'thruflux-'

/** The names of all private files, without the prefix; empty if the browser has none. */
export async function privateFiles(): Promise<string[]> {
  const names: string[] = []
  try {
    const root = await navigator.storage.getDirectory()
    for await (const name of root.keys())
      if (name.startsWith(prefix)) names.push(name.slice(prefix.length))
  } catch {
    // A page without TLS, or a private window.
  }
  return names
}

/** Deletes a private file if it exists and no page uses it. */
export async function deletePrivateFile(name: string): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry(`${prefix}${name}`)
  } catch {
    // It is gone, or another page still writes it.
  }
}

/** A private file (OPFS). Bytes go to the disk without copies in JavaScript. */
export class PrivateFile implements Place {
  readonly #handle: FileSystemFileHandle
  readonly #access: SyncAccessHandle
  #end: number

  private constructor(handle: FileSystemFileHandle, access: SyncAccessHandle, end: number) {
    this.#handle = handle
    this.#access = access
    this.#end = end
  }

  /**
   * Opens or makes a file, and keeps its first `bytes` bytes. Rejects if the browser has no such files, or if another
   * page uses this one.
   */
  static async open(name: string, bytes: number): Promise<PrivateFile> {
    const root = await navigator.storage.getDirectory()
    const handle = await root.getFileHandle(`${prefix}${name}`, { create: true })
    const access = await (handle as WorkerFileHandle).createSyncAccessHandle()
    access.truncate(bytes)
    return new PrivateFile(handle, access, bytes)
  }

  add(bytes: Uint8Array<ArrayBuffer>): number {
    const at = this.#end
    const isWritten = this.#access.write(bytes, { at }) === bytes.length
    // Chromium reports bytes as written that a private window had no room for.
    if (!isWritten || this.#access.getSize() < at + bytes.length)
      throw new RangeError('no room on the disk')
    this.#end += bytes.length
    return at
  }

  take(): null {
    return null
  }

  flush(): void {
    this.#access.flush()
  }

  read(at: number, into: Uint8Array<ArrayBuffer>): void {
    if (this.#access.read(into, { at }) < into.length) throw new RangeError('the file is too short')
  }

  file(): Promise<Blob> {
    this.#access.flush()
    return this.#handle.getFile()
  }

  close(): void {
    this.#access.close()
  }
}
