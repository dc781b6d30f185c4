/** The state of updates that people see. */
import type { UpdateError } from '#shared/update/update-error'

/**
 * The updater of this program: itself, the system's package manager, or the person who installed it. `nobody`: it was
 * built without a place to check.
 */
export type UpdatedBy = 'app' | 'system' | 'person' | 'nobody'

/** The phase of checking for an update and installing it. */
export type UpdatePhase =
  /** `newest`: a check found nothing newer. */
  | { readonly kind: 'idle'; readonly newest: boolean }
  | { readonly kind: 'checking' }
  /** The update waits for transfers to end. */
  | { readonly kind: 'waiting'; readonly version: string }
  | {
      readonly kind: 'downloading'
      readonly version: string
      readonly bytes: number
      readonly totalBytes: number
    }
  /** It is installed when the app quits. */
  | { readonly kind: 'ready'; readonly version: string; readonly notes: string }
  | { readonly kind: 'failed'; readonly error: UpdateError }

/** The program's version and the state of its updates. */
export type UpdateStatus = {
  /** The running version; '' if it is unknown. */
  readonly version: string
  readonly by: UpdatedBy
  /** Time of the last successful check, in Unix milliseconds. */
  readonly checkedMs: number | null
  readonly phase: UpdatePhase
}

/** The status of a program that doesn't check for updates itself. */
export const noUpdates: UpdateStatus = {
  version: '',
  by: 'nobody',
  checkedMs: null,
  phase: { kind: 'idle', newest: false },
}
