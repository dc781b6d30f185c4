/** Answers about a sender's offer and a receiver's folder, for the preview. */
import { appError } from '#shared/errors'
import type { Args } from '#shared/ipc'
import type { Conflict, Listing, ListingEntry, Preflight } from '#shared/offer'
import { renamedPath } from '#shared/settings/renames'
import type { AppState, ReceiveId } from '#shared/state/app-state'
import { GB, MB, noConflicts } from './scene-parts'

const file = (name: string, bytes: number): ListingEntry => ({
  name,
  kind: 'file',
  files: 1,
  bytes,
  mtimeMs: 0,
})

const clips = (count: number, bytes: number): readonly ListingEntry[] =>
  Array.from({ length: count }, (_, index) =>
    file(`A001_C${(index + 1).toString().padStart(3, '0')}.mov`, bytes / count),
  )

/** Entries by the path of their folder; other folders are empty. */
const folders: Readonly<Record<string, readonly ListingEntry[]>> = {
  'Day 1, Arashiyama': clips(542, 29.2 * GB),
  'Day 2, Fushimi': [
    file('A001_C014_0412.mov', 4.21 * GB),
    file('A001_C015_0412.mov', 3.87 * GB),
    file('A001_C016_[false start].mov', 2.44 * GB),
    file('camera-report.pdf', 1.8 * MB),
  ],
  Sound: clips(1_126, 5.2 * GB),
}

const offered = (state: AppState, receive: ReceiveId) =>
  state.receives.find(({ id }) => id === receive)?.items ?? []

const hasDotNames = (state: AppState, receive: ReceiveId): boolean =>
  offered(state, receive).some(({ name }) => name.startsWith('.'))

export function listing(
  state: AppState,
  { receive, path, query, renames, offset, limit }: Args<'listOffer'>,
): Listing {
  const top = offered(state, receive).map(({ name, kind, files, bytes }) => ({
    name,
    kind,
    files,
    bytes,
    mtimeMs: 0,
  }))
  const inside = Object.entries(folders).flatMap(([folder, entries]) =>
    entries.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` })),
  )
  const named = ({ name }: ListingEntry): boolean =>
    [name, renamedPath(name, renames)].some((found) =>
      found.toLowerCase().includes(query.toLowerCase()),
    )
  const all = query === '' ? (path === '' ? top : (folders[path] ?? [])) : inside.filter(named)
  return { path, offset, total: all.length, entries: all.slice(offset, offset + limit) }
}

const existing = (
  path: string,
  bytes: number,
  thereBytes: number,
  offeredIsNewer: boolean,
  replaced = false,
): Conflict => {
  const [early, late] = [Date.UTC(2026, 10, 19, 12), Date.UTC(2026, 10, 21, 12)]
  const times = offeredIsNewer
    ? { mtimeMs: late, thereMtimeMs: early }
    : { mtimeMs: early, thereMtimeMs: late }
  return { path, bytes, thereBytes, offeredIsNewer, replaced, ...times }
}

export const preflight = (
  state: AppState,
  { receive, options: { conflict, renames = [] }, selection: { except } }: Args<'preflight'>,
): Preflight => ({
  directory: '/home/sora/Downloads/Thruflux',
  cautions: hasDotNames(state, receive) ? ['hidden-names'] : [],
  // Like an engine on Windows.
  error: renames.some(({ name }) => name === 'con')
    ? appError('E_NAME_NOT_ALLOWED', '', 'con')
    : null,
  conflicts: {
    ...noConflicts,
    identical: 312,
    identicalBytes: 0.4 * GB,
    different: 4,
    ...(conflict === 'update-unchanged' && { keptBoth: 2, replaced: 2 }),
  },
  updatedFiles: { update: 3, 'update-unchanged': 2 }[conflict as string] ?? 0,
  updatedBytes: { update: 3.97 * GB, 'update-unchanged': 3.87 * GB }[conflict as string] ?? 0,
  conflictPaths: [
    existing(
      'Day 2, Fushimi/A001_C015_0412.mov',
      3.87 * GB,
      3.8 * GB,
      true,
      conflict === 'update-unchanged',
    ),
    existing(
      'Day 2, Fushimi/camera-report.pdf',
      1.8 * MB,
      1.7 * MB,
      true,
      conflict === 'update-unchanged',
    ),
    existing('Sound/room-tone-kamo-river-early-morning.wav', 96 * MB, 102 * MB, false),
  ],
  wantedFiles: 2318,
  wantedBytes: except.length > 0 ? 59.5 * GB : 61.9 * GB,
  resumedBytes: 0,
  neededBytes: except.length > 0 ? 59.1 * GB : 61.5 * GB,
  freeBytes: 391.9 * GB,
  mappedCount: 1,
  mappedNames: [{ path: 'Sound/take: 4?.wav', writtenAs: 'Sound/take_ 4_.wav' }],
  tooLarge: [],
})
