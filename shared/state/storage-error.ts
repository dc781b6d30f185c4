/** Problems with the program's own files. */

/** A problem with reading or writing one of this program's files; the program works without it. */
export type StorageError = {
  /** Absolute path. */
  readonly file: string
  /**
   * `damaged`: at least partly invalid; kept next to the new file when that is saved. `malformed`: edited by people and
   * invalid, so it is left alone and not used. `bad-values`: only its valid part is used. `newer`: written by a newer
   * version, so it is left alone. `unsafe`: other accounts could read or change it. `inaccessible`: the system denies
   * this account access, or the disk is full.
   */
  readonly kind: 'damaged' | 'malformed' | 'bad-values' | 'newer' | 'unsafe' | 'inaccessible'
  /** Shown in logs and a Details panel. */
  readonly detail: string
}
