/**
 * Accepted, incomplete receives in the file `transfers.json`, with the data to resume them after a restart. It contains
 * resume keys, but no join codes.
 */
import { decodeList, StateFile, type StateFormat } from '#client/state/state-file'
import { limits } from '#shared/limits'
import type { StorageError, TransferId } from '#shared/state/app-state'
import { type Remembered, rememberedSchema, repairedSchema } from '#shared/state/unfinished'

const format: StateFormat<readonly Remembered[]> = {
  name: 'transfers.json',
  version: 1,
  /** Far more than a full list with long selections needs. */
  maxBytes: 64 * 1024 * 1024,
  empty: [],
  decode: ({ transfers }) =>
    decodeList(transfers, limits.unfinishedKept, rememberedSchema, repairedSchema),
  encode: (transfers) => ({ transfers }),
}

/** The file of unfinished receives. */
export class UnfinishedFile {
  readonly #file: StateFile<readonly Remembered[]>

  /** `directory` is an absolute path, created on the first write. */
  constructor(directory: string, onError?: (error: StorageError) => void) {
    this.#file = new StateFile({ directory, format, onError })
  }

  /** The list, newest first; empty if the file is missing or unusable. */
  read(): readonly Remembered[] {
    return this.#file.read()
  }

  /** Stores `entry`, replacing one with the same id. */
  note(entry: Remembered): void {
    this.change((list) => withRemembered(list, entry))
  }

  /** Removes these entries. */
  remove(transfers: ReadonlySet<TransferId>): void {
    this.change((list) => list.filter(({ transfer }) => !transfers.has(transfer)))
  }

  /** Changes the present list. A full disk loses an entry, never a transfer. */
  change(run: (list: readonly Remembered[]) => readonly Remembered[]): void {
    void this.#file.change(run)
  }

  /** Resolves when all changes so far are on disk, or could not be written. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }
}

/** The list with `entry` in front, bounded like the state's list. */
export const withRemembered = (
  list: readonly Remembered[],
  entry: Remembered,
): readonly Remembered[] =>
  [entry, ...list.filter(({ transfer }) => transfer !== entry.transfer)].slice(
    0,
    limits.unfinishedKept,
  )
