/** A small preflight for tests: one file differs, 10 bytes are needed, 7 are free. */
import type { Preflight } from '#shared/offer'

export const preflight: Preflight = {
  directory: '/in',
  error: null,
  conflicts: {
    ...{ identical: 0, identicalBytes: 0, different: 1 },
    ...{ replaced: 0, keptBoth: 1, leftOut: 0 },
  },
  updatedFiles: 0,
  updatedBytes: 0,
  conflictPaths: [
    {
      ...{ path: 'a', bytes: 1, thereBytes: 2 },
      mtimeMs: 2,
      thereMtimeMs: 1,
      offeredIsNewer: true,
      replaced: false,
    },
  ],
  wantedFiles: 1,
  wantedBytes: 10,
  resumedBytes: 0,
  neededBytes: 10,
  freeBytes: 7,
  cautions: [],
  mappedCount: 0,
  mappedNames: [],
  tooLarge: [],
}
