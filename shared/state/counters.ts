/** Progress and outcome of a transfer, in numbers. */

export type Counters = {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
  /** Bytes of files sent over this connection. */
  readonly transferred: number
  /** Files of the offer, without removed ones. */
  readonly offeredFiles: number
  /** Files that the receiver doesn't want: not chosen, or left out by its policy for conflicts. */
  readonly unwantedFiles: number
  /** Bytes taken from older versions of the files over this connection; 0 at the sender. */
  readonly reusedBytes: number
}

/** Figures of a connection that are summed over all connections of a transfer. */
export type ConnectionBytes = Pick<Counters, 'transferred' | 'reusedBytes'>

export type Outcome = ConnectionBytes &
  Pick<Counters, 'offeredFiles' | 'unwantedFiles'> & {
    readonly files: number
    readonly bytes: number
    readonly problems: number
    /** Files that got another name because theirs was taken. */
    readonly renamed: number
    /** The number of `files` that the target had before, and their bytes; these were not sent. */
    readonly identical: number
    readonly identicalBytes: number
    /** The number of `identical` files that were compared only by size and time. */
    readonly uncompared: number
    /** Received data was also read back from the disk; known to the receiver only. */
    readonly readBack: boolean
  }
