/**
 * A small JSON file in the state directory that outlives the program and every way of ending it:
 * a save replaces the file as a whole (temporary file, fsync, rename, fsync of the folder), programs
 * that share the file change it one after the other, and what can't be read is never overwritten.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZodType } from 'zod'
import { withFileLock } from '#client/state/file-lock'
import { preparePrivateDirectory } from '#client/state/private-directory'
import { readPrivately, replacePrivately, troubleKind } from '#client/state/private-file'
import type { StorageTrouble } from '#shared/state/app-state'

/** What a file's content was understood as; `isComplete` is false when something in it made no sense. */
export type Decoded<T> = { readonly value: T; readonly isComplete: boolean }

/** What is kept in a file, and how. */
export type StateFormat<T> = {
  /** Name of the file, for example `transfers.json`. */
  readonly name: string
  /** The newest version that is understood, from 1; written with every save. */
  readonly version: number
  readonly maxBytes: number
  /** The value where there is no file. */
  readonly empty: T
  /** Understands the content of any version up to `version`; never throws. */
  readonly decode: (content: Readonly<Record<string, unknown>>, version: number) => Decoded<T>
  /** The keys of the file besides `version`; keys that are not among them are kept as they are. */
  readonly encode: (value: T) => Readonly<Record<string, unknown>>
}

/** Where the file is, and who learns of problems with it. */
export type StateFileOptions<T> = {
  /** Absolute; made when there is something to write, for this account only. */
  readonly directory: string
  readonly format: StateFormat<T>
  /** Called once for each new kind of trouble. The program continues in every case. */
  readonly onTrouble?: ((trouble: StorageTrouble) => void) | undefined
}

/** What there is on the disk. `rest` are keys that the format does not know. */
type Found<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'usable'; readonly decoded: Decoded<T>; readonly rest: object }
  | { readonly kind: StorageTrouble['kind']; readonly detail: string }

/** One for each file of a program; several programs may have one for the same file. */
export class StateFile<T> {
  readonly #options: StateFileOptions<T>
  readonly #path: string
  readonly #reported = new Set<StorageTrouble['kind']>()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(options: StateFileOptions<T>) {
    this.#options = options
    this.#path = join(options.directory, options.format.name)
  }

  /** What the file says now; the empty value for one that is missing or can't be understood. */
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
   * Changes what the file says at that moment, after all changes before this one. Resolves with true
   * when it is on the disk for good, with false when it can't be: then nothing was changed. A file
   * that makes no sense is kept as `<name>.bad-<time>`; one of a newer version is left alone.
   */
  change(run: (value: T) => T): Promise<boolean> {
    const done = this.#writing.then(() => this.#change(run))
    this.#writing = done
    return done
  }

  /** Resolves when everything asked for so far is on the disk, or could not be written. */
  async flushed(): Promise<void> {
    await this.#writing
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

  /** For whoever wants to look at it. */
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
      return { kind: troubleKind(code), detail: message }
    }
  }

  #report(kind: StorageTrouble['kind'], detail: string): false {
    if (!this.#reported.has(kind)) {
      this.#reported.add(kind)
      this.#options.onTrouble?.({ file: this.#path, kind, detail })
    }
    return false
  }
}

/** The first `limit` entries of a list: as `exact` takes them, or else as `forgiving` repairs them; others are left out alone. */
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
