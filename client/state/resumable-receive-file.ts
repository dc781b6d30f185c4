/**
 * Accepted, incomplete receives in the file `transfers.json`, with the data to resume them after a restart. It contains
 * resume keys, but no join codes.
 */
import { decodeList, StateFile, type StateFormat } from '#client/state/state-file'
import { limits } from '#shared/limits'
import type { TransferId } from '#shared/state/app-state'
import {
  rememberedSchema,
  repairedSchema,
  type ResumableReceiveRecord,
} from '#shared/state/resumable-receive-record'
import type { StorageError } from '#shared/state/storage-error'

const format: StateFormat<readonly ResumableReceiveRecord[]> = {
  name: 'transfers.json',
  version: 1,
  /** Far more than a full list with long selections needs. */
  maxBytes: 64 * 1024 * 1024,
  empty: [],
  decode: ({ transfers }) =>
    decodeList(transfers, limits.resumableKept, rememberedSchema, repairedSchema),
  encode: (transfers) => ({ transfers }),
}

/** The file of unfinished receives. */
export class ResumableReceiveFile {
  readonly #file: StateFile<readonly ResumableReceiveRecord[]>

  /** `directory` is an absolute path, created on the first write. */
  constructor(directory: string, onError?: (error: StorageError) => void) {
    this.#file = new StateFile({ directory, format, onError })
  }

  /** The list, newest first; empty if the file is missing or unusable. */
  read(): readonly ResumableReceiveRecord[] {
    return this.#file.read()
  }

  /** Stores `entry`, replacing one with the same id. Resolves once it is durable, or can't be. */
  note(entry: ResumableReceiveRecord): Promise<unknown> {
    return this.change((list) => withRecord(list, entry))
  }

  /** Removes these entries. */
  remove(transfers: ReadonlySet<TransferId>): void {
    void this.change((list) => list.filter(({ transfer }) => !transfers.has(transfer)))
  }

  /** Changes the current list. A full disk loses an entry, never a transfer. */
  change(
    run: (list: readonly ResumableReceiveRecord[]) => readonly ResumableReceiveRecord[],
  ): Promise<unknown> {
    return this.#file.change(run)
  }

  /** Resolves when all changes so far are on disk, or could not be written. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }
}

/** The list with `entry` in front, bounded like the state's list. */
export const withRecord = (
  list: readonly ResumableReceiveRecord[],
  entry: ResumableReceiveRecord,
): readonly ResumableReceiveRecord[] =>
  [entry, ...list.filter(({ transfer }) => transfer !== entry.transfer)].slice(
    0,
    limits.resumableKept,
  )
