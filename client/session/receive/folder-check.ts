/** Notices that the folder of a receive was deleted while it is being finished. */
import type { PathChecks } from '#client/path-checks'
import { type AppError, appError } from '#shared/errors'

/** Below the 16 s after which the engine tries a name again, which counts as progress. */
const afterMs = 12_000

/**
 * What to do when nothing is finished for some time: the engine goes on for minutes, because a file that can't get its
 * name may be held for a moment by another program. `fail` gets `E_TARGET_GONE` when there is no `directory` any more.
 */
export const folderCheck = (
  sources: Pick<PathChecks, 'check'>,
  directory: string,
  fail: (error: AppError) => void,
) => ({
  afterMs,
  run: () =>
    void sources.check([directory]).then(({ problems }) => {
      const isGone = problems.some(({ error }) => error.code === 'E_PATH_NOT_FOUND')
      if (isGone) fail(appError('E_TARGET_GONE', 'deleted while it was being finished', directory))
    }),
})
