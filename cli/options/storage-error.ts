/** Reports unusable files of this program for commands that run without a client. */
import { stateDirectory } from '#client/state/state-directory'
import { emptyState } from '#shared/state/app-state'
import type { StorageError } from '#shared/state/storage-error'
import type { Reporter } from '../report/reporter'

/** Reports the error as a client would. */
export const reportTo =
  (reporter: Pick<Reporter, 'report'>) =>
  (error: StorageError): void => {
    const event = { atMs: Date.now(), type: 'storage-failed', storageError: error } as const
    reporter.report(event, emptyState(stateDirectory()))
  }
