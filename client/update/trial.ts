/** Watches the first starts of a new version, and leads back to the one before it. */
import type { UpdateNote, UpdateNotes } from '#client/update/update-note'

/** A version that ended so often before its window was there is given up, if the person wants that. */
const mostStarts = 3
/** How long the previous version is kept. */
const keptMs = 7 * 24 * 60 * 60 * 1000

/** What is known of a start before anything that may fail. */
export type Start =
  | { readonly kind: 'usual' }
  /** A version before this one is there, and this one doesn't come far. */
  | { readonly kind: 'fails'; readonly previous: NonNullable<UpdateNote['previous']> }

/** Before anything that may fail: counts this start if its version is watched. */
export async function beginStart(
  notes: UpdateNotes,
  version: string,
  nowMs: number,
): Promise<Start> {
  const { trial, previous } = notes.read()
  if (trial === null || trial.version !== version) return { kind: 'usual' }
  await notes.change({ trial: { version, starts: Math.min(trial.starts + 1, 1000) } })
  const isKept = previous !== null && nowMs < previous.untilMs
  return isKept && trial.starts >= mostStarts ? { kind: 'fails', previous } : { kind: 'usual' }
}

/** Its window is there: from here on it is a version like any other. */
export async function endTrial(notes: UpdateNotes, version: string): Promise<void> {
  if (notes.read().trial?.version === version) await notes.change({ trial: null })
}

/** After `before`, with this hash, made room for `version`. */
export const beginTrial = (
  notes: UpdateNotes,
  version: string,
  before: { readonly version: string; readonly sha512: string },
  nowMs: number,
): Promise<void> =>
  notes.change({
    trial: { version, starts: 0 },
    previous: { ...before, untilMs: nowMs + keptMs },
  })

/** The person went back: `version` comes again only when asked for. */
export const endWithPrevious = (notes: UpdateNotes, version: string): Promise<void> =>
  notes.change({ trial: null, previous: null, skipped: version })
