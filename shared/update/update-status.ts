/** What a person sees of updates. */
import type { UpdateError } from '#shared/update/update-error'

/**
 * Who brings this program up to date: itself, the system's package manager, the person who installed it;
 * or nobody can say, because it was built without a place to look.
 */
export type UpdatedBy = 'app' | 'system' | 'person' | 'nobody'

/** How far the program is with looking for an update, or bringing one. */
export type UpdatePhase =
  /** `newest`: a check found nothing newer. */
  | { readonly kind: 'idle'; readonly newest: boolean }
  | { readonly kind: 'checking' }
  /** Transfers come first. */
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

/** What the state says of the program and its updates. */
export type UpdateStatus = {
  /** What runs; '' where that is not told. */
  readonly version: string
  readonly by: UpdatedBy
  /** When a check last had an answer, in Unix milliseconds. */
  readonly checkedMs: number | null
  readonly phase: UpdatePhase
}

/** The status of a program that doesn't look for updates itself. */
export const noUpdates: UpdateStatus = {
  version: '',
  by: 'nobody',
  checkedMs: null,
  phase: { kind: 'idle', newest: false },
}
