/** What the engine tells of a transfer, in the words of the application. */
import type { EngineEvent } from '#client/engine'
import { fromEngine } from '#client/engine-link'
import type { Counters, Outcome } from '#shared/events'
import { limits } from '#shared/limits'
import type { Listing, Survey } from '#shared/offer'

type Told<T extends EngineEvent['type']> = Extract<EngineEvent, { readonly type: T }>

/** Figures of a transfer that runs. */
export const countersOf = ({
  files,
  bytes,
  totalFiles,
  totalBytes,
  transferred,
}: Told<'progress'>): Counters => ({ files, bytes, totalFiles, totalBytes, transferred })

/** Figures of a transfer that is complete. */
export const outcomeOf = ({
  files,
  bytes,
  problems,
  renamed,
  transferred,
  verified,
}: Told<'finished'>): Outcome => ({ files, bytes, problems, renamed, transferred, verified })

/** A page of the offer. */
export const listingOf = ({ path, offset, total, entries }: Told<'listing'>): Listing => ({
  path,
  offset,
  total,
  entries: entries.slice(0, limits.entriesShown),
})

/** What accepting into a folder would mean. */
export const surveyOf = (event: Told<'survey'>): Survey => ({
  directory: event.directory,
  error: event.error === null ? null : fromEngine(event.error, event.directory),
  conflicts: event.conflicts,
  conflictPaths: event.conflictPaths.slice(0, limits.entriesShown),
  resumedBytes: event.resumedBytes,
  neededBytes: event.neededBytes,
  freeBytes: event.freeBytes,
  mappedNames: event.mappedNames.slice(0, limits.entriesShown),
  tooLarge: event.tooLarge.slice(0, limits.entriesShown),
})
