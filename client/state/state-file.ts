/**
 * A small JSON file in the state directory that survives any end of the program. A save replaces the whole file
 * (temporary file, fsync, rename, fsync of the folder). Programs that share the file change it one after another. An
 * unreadable file is never overwritten.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZodType } from 'zod'
import { withFileLock } from '#client/state/file-lock'
import { preparePrivateDirectory } from '#client/state/private-directory'
import { readPrivately, replacePrivately, storageErrorKind } from '#client/state/private-file'
import type { StorageError } from '#shared/state/storage-error'

/** A file's decoded content; `isComplete` is false if a part was invalid. */
export type Decoded<T> = { readonly value: T; readonly isComplete: boolean }

/** The format of a file. */
export type StateFormat<T> = {
  /** The file's name, for example `transfers.json`. */
  readonly name: string
  /** The newest supported version, from 1; written with every save. */
  readonly version: number
  readonly maxBytes: number
  /** The value of a missing file. */
  readonly empty: T
  /** Decodes the content of any version up to `version`; never throws. */
  readonly decode: (content: Readonly<Record<string, unknown>>, version: number) => Decoded<T>
  /** The file's keys other than `version`; unknown keys in the file are kept. */
  readonly encode: (value: T) => Readonly<Record<string, unknown>>
}

/** The file's folder and format, and a callback for its problems. */
export type StateFileOptions<T> = {
  /** An absolute path; created on the first write, readable by this account only. */
  readonly directory: string
  readonly format: StateFormat<T>
  /** Called once for each kind of error. The program continues in every case. */
  readonly onError?: ((error: StorageError) => void) | undefined
}

/** The content on disk. `rest` holds keys that the format does not know. */
type Found<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'usable'; readonly decoded: Decoded<T>; readonly rest: object }
  | { readonly kind: StorageError['kind']; readonly detail: string }

/** Each program has one per file; several programs may share a file. */
export class StateFile<T> {
  readonly #options: StateFileOptions<T>
  readonly #path: string
  readonly #reported = new Set<StorageError['kind']>()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: StateFileOptions<T>) {
    this.#options = options
    this.#path = join(options.directory, options.format.name)
  }

  /** The current value; the empty value if the file is missing or unusable. */
  read(): T {
    const found = this.#find()
    if (found.kind !== 'usable') {
      if (found.kind !== 'absent') this.#report(found.kind, found.detail)
      return this.#options.format.empty
    }
    if (!found.decoded.isComplete) this.#report('damaged', 'a part of it makes no sense')
    return found.decoded.value
  }

  /**
   * Changes the current value, after all earlier changes. Resolves with true when it is durable, with false if that
   * failed; then nothing was changed. An invalid file is kept as `<name>.bad-<time>`; one of a newer version is left
   * alone.
   */
  change(run: (value: T) => T): Promise<boolean> {
    const done = this.#writing.then(() => this.#change(run))
    this.#writing = done
    return done
  }

  /** Resolves when all changes are on disk or could not be written, including those made in the meantime. */
  async flushed(): Promise<void> {
    for (let last: unknown; last !== this.#writing;) {
      last = this.#writing
      await last
    }
  }

  async #change(run: (value: T) => T): Promise<boolean> {
    try {
      const error = preparePrivateDirectory(this.#options.directory, 'create')
      if (error !== null) return this.#report('unsafe', error)
      return await withFileLock(`${this.#path}.lock`, () => this.#rewrite(run))
    } catch (reason) {
      return this.#report('inaccessible', reason instanceof Error ? reason.message : String(reason))
    }
  }

  async #rewrite(run: (value: T) => T): Promise<boolean> {
    const { format, directory } = this.#options
    const found = this.#find()
    if (found.kind === 'newer' || found.kind === 'unsafe' || found.kind === 'inaccessible') {
      return this.#report(found.kind, found.detail)
    }
    const isUsable = found.kind === 'usable'
    const value = run(isUsable ? found.decoded.value : format.empty)
    const rest = isUsable ? found.rest : {}
    const content = { ...rest, version: format.version, ...format.encode(value) }
    const isToBeKept = found.kind === 'damaged' || (isUsable && !found.decoded.isComplete)
    await replacePrivately(directory, this.#path, JSON.stringify(content), async () => {
      if (isToBeKept) await this.#setAside()
    })
    return true
  }

  /** Keeps the damaged file for inspection. */
  async #setAside(): Promise<void> {
    const time = new Date().toISOString().replace(/[:.]/g, '-')
    await rename(this.#path, `${this.#path}.bad-${time}`)
    this.#report('damaged', 'it is kept beside the new one')
  }

  #find(): Found<T> {
    const { format, directory } = this.#options
    try {
      const error = preparePrivateDirectory(directory, 'leave')
      return error === null
        ? understood(format, readPrivately(this.#path, format.maxBytes))
        : { kind: 'unsafe', detail: error }
    } catch (reason) {
      const { code, message } = reason as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
      return { kind: storageErrorKind(code), detail: message }
    }
  }

  #report(kind: StorageError['kind'], detail: string): false {
    if (!this.#reported.has(kind)) {
      this.#reported.add(kind)
      this.#options.onError?.({ file: this.#path, kind, detail })
    }
    return false
  }
}

/** The first `limit` entries of a list, decoded by `exact`, or else repaired by `forgiving`; invalid ones are omitted. */
export function decodeList<T>(
  raw: unknown,
  limit: number,
  exact: ZodType<T>,
  forgiving: ZodType<T> = exact,
): Decoded<readonly T[]> {
  if (!Array.isArray(raw)) return { value: [], isComplete: false }
  let isComplete = raw.length <= limit
  const value = raw.slice(0, limit).flatMap((entry: unknown): readonly T[] => {
    const asWritten = exact.safeParse(entry)
    if (!asWritten.success) isComplete = false
    const read = asWritten.success ? asWritten : forgiving.safeParse(entry)
    return read.success ? [read.data] : []
  })
  return { value, isComplete }
}

function understood<T>(format: StateFormat<T>, bytes: Buffer): Found<T> {
  let content: unknown
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return { kind: 'damaged', detail: 'not JSON' }
  }
  if (!isRecord(content)) return { kind: 'damaged', detail: 'not an object' }
  const version = content['version']
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return { kind: 'damaged', detail: 'no version' }
  }
  if (version > format.version) return { kind: 'newer', detail: `version ${version}` }
  const decoded = format.decode(content, version)
  const known = new Set(['version', ...Object.keys(format.encode(format.empty))])
  const rest = Object.entries(content).filter(([key]) => !known.has(key))
  return { kind: 'usable', decoded, rest: Object.fromEntries(rest) }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
