/** Reports unusable files of this program for commands that run without a client. */
import { stateDirectory } from '#client/state/state-directory'
import { emptyState, type StorageTrouble } from '#shared/state/app-state'
import type { Reporter } from '../report/reporter'

/** Reports the trouble as a client would. */
export const troubleTo =
  (reporter: Pick<Reporter, 'report'>) =>
  (trouble: StorageTrouble): void => {
    const event = { atMs: Date.now(), type: 'storage-troubled', trouble } as const
    reporter.report(event, emptyState(stateDirectory()))
  }
