/** Notices that a receive's folder was deleted while the receive is finishing. */
import type { PathChecks } from '#client/path-checks'
import type { InactivityTimer } from '#client/session/receive/inactivity-timer'
import type { Accepted } from '#client/session/receive/receive-stage'
import { type AppError, appError } from '#shared/errors'

/** Less than the 16 s after which the engine retries a name, which counts as progress. */
const afterMs = 12_000

/**
 * Waits for progress while the receive of `finishing` is finishing. The engine retries for minutes, because another
 * program may briefly block a rename. `fail` receives `E_TARGET_GONE` if the folder no longer exists.
 */
export function watchFolder(
  sources: Pick<PathChecks, 'check'>,
  inactivity: InactivityTimer,
  finishing: () => Accepted | null,
  fail: (error: AppError) => void,
): void {
  const directory = finishing()?.plan.directory
  if (directory === undefined) {
    inactivity.stop()
    return
  }
  const run = (): void =>
    void sources.check([directory]).then(({ problems }) => {
      const isGone = problems.some(({ error }) => error.code === 'E_PATH_NOT_FOUND')
      if (isGone && finishing() !== null)
        fail(appError('E_TARGET_GONE', 'deleted while it was being finished', directory))
    })
  inactivity.expect('own-disk', { afterMs, run })
}
