/** Notices that a receive's folder was deleted while the receive is finishing. */
import type { PathChecks } from '#client/path-checks'
import { type AppError, appError } from '#shared/errors'

/** Less than the 16 s after which the engine retries a name, which counts as progress. */
const afterMs = 12_000

/**
 * The check for a receive that makes no progress while finishing. The engine retries for minutes, because another
 * program may briefly block a rename. `fail` receives `E_TARGET_GONE` if `directory` no longer exists.
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
