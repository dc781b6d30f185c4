/** Figures of transfers for tests. */

const allWanted = { offeredFiles: 1, unwantedFiles: 0 } as const

/** The figures of a receiver that wants everything and has no older version. */
export const allFetched = { ...allWanted, reusedBytes: 0 } as const

/** The progress of a receiver that has six of ten bytes. */
export const midway = {
  ...{ files: 0, bytes: 6, totalFiles: 2, totalBytes: 10, transferred: 6 },
  ...allFetched,
} as const

/** The figures of the history about a receive into an empty target. */
export const allNewInHistory = {
  ...allWanted,
  ...{ identical: 0, identicalBytes: 0, uncompared: 0 },
} as const

/** The figures at the end of a receive into an empty target. */
export const allNew = { ...allNewInHistory, reusedBytes: 0 } as const

/** The outcome of receiving one new file of one byte. */
export const oneFile = {
  ...{ files: 1, bytes: 1, problems: 0, renamed: 0, transferred: 1 },
  ...allNew,
  readBack: false,
} as const
