/**
 * Receives that were accepted and are not complete, in the file `transfers.json`: what it takes to
 * resume them after a restart. It holds resume keys, and no join codes.
 */
import { decodeList, StateFile, type StateFormat } from '#client/state/state-file'
import { limits } from '#shared/limits'
import type { StorageTrouble, TransferId } from '#shared/state/app-state'
import { type Remembered, rememberedSchema, repairedSchema } from '#shared/state/unfinished'

const format: StateFormat<readonly Remembered[]> = {
  name: 'transfers.json',
  version: 1,
  /** Far above what a full list with long selections takes. */
  maxBytes: 64 * 1024 * 1024,
  empty: [],
  decode: ({ transfers }) =>
    decodeList(transfers, limits.unfinishedKept, rememberedSchema, repairedSchema),
  encode: (transfers) => ({ transfers }),
}

/** What is remembered across restarts. */
export class UnfinishedFile {
  readonly #file: StateFile<readonly Remembered[]>

  /** `directory` is absolute and made when there is something to remember. */
  constructor(directory: string, onTrouble?: (trouble: StorageTrouble) => void) {
    this.#file = new StateFile({ directory, format, onTrouble })
  }

  /** The list, newest first; empty when there is no file, or one that makes no sense. */
  read(): readonly Remembered[] {
    return this.#file.read()
  }

  /** Remembers `entry` in place of the one with the same id. */
  note(entry: Remembered): void {
    this.change((list) => withRemembered(list, entry))
  }

  /** Remembers these no more. */
  remove(transfers: ReadonlySet<TransferId>): void {
    this.change((list) => list.filter(({ transfer }) => !transfers.has(transfer)))
  }

  /** Changes what is remembered at that moment. A full disk loses a reminder, never a transfer. */
  change(run: (list: readonly Remembered[]) => readonly Remembered[]): void {
    void this.#file.change(run)
  }

  /** Resolves when everything asked for so far is on the disk, or could not be written. */
  flushed(): Promise<void> {
    return this.#file.flushed()
  }
}

/** The list with `entry` in front, bounded as the state's is. */
export const withRemembered = (
  list: readonly Remembered[],
  entry: Remembered,
): readonly Remembered[] =>
  [entry, ...list.filter(({ transfer }) => transfer !== entry.transfer)].slice(
    0,
    limits.unfinishedKept,
  )
