/** Translates what the engine reports about a transfer into the application's types. */
import type { EngineEvent } from '#client/engine'
import { fromEngine } from '#client/engine-link'
import { type AppError, toErrorCode } from '#shared/errors'
import type { FileChanges } from '#shared/files'
import { limits } from '#shared/limits'
import type { Listing, Preflight, TargetCaution } from '#shared/offer'
import type { LeftOut } from '#shared/state/app-state'
import type { Counters, Outcome } from '#shared/state/counters'

type EngineEventOf<T extends EngineEvent['type']> = Extract<EngineEvent, { readonly type: T }>

/** The figures of a running transfer. */
export const countersOf = ({
  files,
  bytes,
  totalFiles,
  totalBytes,
  transferred,
  offeredFiles,
  unwantedFiles,
  reusedBytes,
}: EngineEventOf<'progress'>): Counters => ({
  files,
  bytes,
  totalFiles,
  totalBytes,
  transferred,
  offeredFiles,
  unwantedFiles,
  reusedBytes,
})

/** The figures of a complete transfer. */
export const outcomeOf = ({
  type: _type,
  session: _session,
  peer: _peer,
  inStep: _inStep,
  ...outcome
}: EngineEventOf<'finished'>): Outcome => outcome

/** The changed files of a watched transfer. */
export const fileChangesOf = ({
  files,
  more,
  active,
  activeFiles,
}: EngineEventOf<'files-changed'>): FileChanges => ({ files, more, active, activeFiles })

/** An offer without its title. */
export const offerOf = (event: EngineEventOf<'offer'>) => ({
  items: event.items,
  totals: {
    files: event.files,
    folders: event.folders,
    bytes: event.bytes,
    complete: true,
  },
  dotNames: event.dotNames || undefined,
  followable: event.followable || undefined,
  leftOut: leftOutOf(event),
})

/** Entries that the sender left out of the offer. */
const leftOutOf = ({ leftOut }: EngineEventOf<'offer'>): readonly LeftOut[] =>
  leftOut.map(({ code, entries, paths }) => ({ code: toErrorCode(code), entries, paths }))

/** A page of the offer. */
export const listingOf = ({ path, offset, total, entries }: EngineEventOf<'listing'>): Listing => ({
  path,
  offset,
  total,
  entries: entries.slice(0, limits.entriesShown),
})

/** Errors are about the folder, or about a chosen name. */
const preflightError = (
  error: NonNullable<EngineEventOf<'preflight'>['error']>,
  directory: string,
): AppError => fromEngine(error, error.code === 'E_NAME_NOT_ALLOWED' ? undefined : directory)

/** The consequences of accepting into a folder. */
export const preflightOf = (
  event: EngineEventOf<'preflight'>,
  cautions: readonly TargetCaution[],
): Preflight => ({
  directory: event.directory,
  cautions,
  error: event.error === null ? null : preflightError(event.error, event.directory),
  conflicts: event.conflicts,
  updatedFiles: event.updatedFiles,
  updatedBytes: event.updatedBytes,
  conflictPaths: event.conflictPaths.slice(0, limits.entriesShown),
  wantedFiles: event.wantedFiles,
  wantedBytes: event.wantedBytes,
  resumedBytes: event.resumedBytes,
  neededBytes: event.neededBytes,
  freeBytes: event.freeBytes,
  mappedCount: event.mappedCount,
  mappedNames: event.mappedNames.slice(0, limits.entriesShown),
  tooLarge: event.tooLarge.slice(0, limits.entriesShown),
})
