/**
 * Measurements of network paths in the file `paths.json`, so that the connections of later programs start faster.
 * Networks have names that only this installation can derive from addresses; see docs/security.md.
 */
import * as z from 'zod'
import type { Clock } from '#client/clock'
import type { SavedPath } from '#client/engine'
import { decodeList, StateFile, type StateFormat } from '#client/state/state-file'
import type { StorageError } from '#shared/state/storage-error'

/** The number that the engine keeps, too. */
const maxPaths = 64

const count = z.number().int().nonnegative()

const entrySchema = z.object({
  network: z.string().min(1).max(64),
  window: count,
  roundTripNs: count,
  untilMs: count,
})

type Entry = Readonly<z.infer<typeof entrySchema>>

const format: StateFormat<readonly Entry[]> = {
  name: 'paths.json',
  version: 1,
  maxBytes: 64 * 1024,
  empty: [],
  decode: ({ paths }) => decodeList(paths, maxPaths, entrySchema),
  encode: (paths) => ({ paths }),
}

/** Each client has one; programs of one account share the file. */
export class SavedPathFile {
  readonly #file: StateFile<readonly Entry[]>
  readonly #clock: Clock

  /** `directory` is absolute. */
  constructor(directory: string, clock: Clock, onError: (error: StorageError) => void) {
    this.#file = new StateFile({ directory, format, onError })
    this.#clock = clock
  }

  /** The paths that may still be used, newest first. */
  read(): readonly SavedPath[] {
    const now = this.#clock.now()
    return valid(this.#file.read(), now).map(({ untilMs, ...path }) => ({
      ...path,
      lifetimeMs: untilMs - now,
    }))
  }

  /** Stores a measurement in place of an earlier one of that network; a window of 0 only removes it. */
  note({ network, window, roundTripNs, lifetimeMs }: SavedPath): void {
    const now = this.#clock.now()
    const entry = { network, window, roundTripNs, untilMs: now + lifetimeMs }
    void this.#file.change((list) =>
      [
        ...(window === 0 ? [] : [entry]),
        ...valid(list, now).filter((one) => one.network !== network),
      ].slice(0, maxPaths),
    )
  }

  /** Removes all paths. */
  clear(): void {
    void this.#file.change(() => [])
  }

  /** Resolves when everything is on disk, or could not be written. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }
}

const valid = (list: readonly Entry[], now: number): readonly Entry[] =>
  list.filter(({ untilMs }) => untilMs > now)
