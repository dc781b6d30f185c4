/** The history entries that result from an event. */
import { join } from 'node:path'
import type { AppError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { averageRate } from '#shared/format/rate'
import { visibleText } from '#shared/format/visible-text'
import { limits } from '#shared/limits'
import type { SourceItem } from '#shared/settings/share-options'
import {
  type AppState,
  hasEnded,
  hasOnlyTexts,
  type Item,
  type Progress,
  type Receive,
  type Receiver,
  type Share,
  textsIn,
  type TransferOutcome,
} from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import type { HistoryOutcome, NewHistoryEntry } from '#shared/state/history'
import { savedName } from '#shared/state/saved-name'

/** The items that each share of this program offers. */
export type SharedItems = (share: Share['id']) => readonly SourceItem[]

/** The entries that `event` adds: accepted transfers that have ended. `state` is the state after the event. */
export function entriesOf(
  event: AppEvent,
  state: AppState,
  itemsOf: SharedItems,
): readonly NewHistoryEntry[] {
  switch (event.type) {
    case 'receive-finished':
    case 'receive-failed':
    case 'receive-interrupted':
      return state.receives
        .filter(({ id }) => id === event.receive)
        .flatMap((receive) => receivedEntry(receive, event.atMs, state))
    case 'receiver-finished':
    case 'receiver-failed':
      return state.shares
        .filter(({ id }) => id === event.share)
        .flatMap((share) =>
          share.receivers
            .filter(({ peer }) => peer === event.peer)
            .flatMap((receiver) => sentEntry(share, receiver, event.atMs, itemsOf, state)),
        )
    case 'share-stopped':
    case 'share-failed':
      // Its receivers end with it, without their own events.
      return state.shares
        .filter(({ id }) => id === event.share)
        .flatMap((share) =>
          share.receivers
            .filter(({ phase, outcome }) => phase === 'failed' && outcome === null)
            .flatMap((receiver) => sentEntry(share, receiver, event.atMs, itemsOf, state)),
        )
    default:
      return []
  }
}

/** A contact's stored name; for others, the name they gave themselves. */
const personOf = ({ contacts }: AppState, contact: ContactId | undefined, own: string): string =>
  contacts.find(({ id }) => id === contact)?.name ?? own

function receivedEntry(
  receive: Receive,
  atMs: number,
  state: AppState,
): readonly NewHistoryEntry[] {
  const { transfer, title, from, directory, acceptedAtMs, problems, items } = receive
  if (acceptedAtMs === undefined || !hasEnded(receive)) return []
  const [only] = items
  // Texts and standard output have no folder.
  const folder = hasOnlyTexts(items) ? null : directory
  const saved = items.length === 1 && only !== undefined ? savedName(receive, only.name) : null
  const name = receive.outcome?.renamed === 0 ? saved : null
  return [
    {
      direction: 'received',
      transfer,
      // The offered name of a text may contain its words.
      title: saved === null || saved === only?.name ? title : visibleText(saved),
      person: personOf(state, receive.contact, from),
      ...figuresOf(receive, items, acceptedAtMs, atMs, receive.resumedBytes),
      contact: receive.contact ?? null,
      route: receive.route?.kind ?? null,
      problemCount: Math.max(problems.length, receive.outcome?.problems ?? 0),
      problems: problems
        .slice(0, limits.historyProblems)
        .map(({ path, error }) => ({ path, code: error.code })),
      folder,
      target: folder !== null && name !== null ? join(folder, name) : folder,
      paths: [],
    },
  ]
}

function sentEntry(
  share: Share,
  receiver: Receiver,
  atMs: number,
  itemsOf: SharedItems,
  state: AppState,
): readonly NewHistoryEntry[] {
  const { transfer, ownName, acceptedAtMs, outcome } = receiver
  if (acceptedAtMs === undefined || transfer === null || !hasEnded(receiver)) return []
  const paths = itemsOf(share.id).flatMap((item) => (item.kind === 'path' ? [item.path] : []))
  return [
    {
      direction: 'sent',
      transfer,
      title: share.title,
      person: personOf(state, receiver.contact, ownName),
      ...figuresOf(receiver, share.items, acceptedAtMs, atMs),
      contact: receiver.contact ?? null,
      route: receiver.route?.kind ?? null,
      problemCount: outcome?.problems ?? 0,
      problems: [],
      folder: null,
      target: null,
      paths: paths.slice(0, limits.historyPaths),
    },
  ]
}

type Ended = {
  readonly phase: string
  readonly outcome: TransferOutcome | null
  readonly progress: Progress | null
  readonly error: AppError | null
}

function figuresOf(
  { phase, outcome, progress, error }: Ended,
  items: readonly Item[],
  sinceMs: number,
  atMs: number,
  resumedBytes = 0,
) {
  const { files, bytes, transferred } = outcome ?? progress ?? noFigures
  const { identical, identicalBytes, uncompared, offeredFiles, unwantedFiles } =
    outcome ?? noEndFigures
  const durationMs = Math.max(0, atMs - sinceMs)
  const came =
    outcome === null ? transferred : bytes - identicalBytes - resumedBytes - outcome.reusedBytes
  return {
    endedAtMs: atMs,
    files,
    texts: textsIn(items),
    bytes,
    identical,
    identicalBytes,
    uncompared,
    offeredFiles,
    unwantedFiles,
    durationMs,
    rate: Math.round(averageRate(transferred, came, durationMs) ?? 0),
    outcome: outcomeOf(phase, error),
    error: outcome === null ? (error?.code ?? null) : null,
  }
}

const noFigures = { files: 0, bytes: 0, transferred: 0 } as const

const noEndFigures = {
  identical: 0,
  identicalBytes: 0,
  uncompared: 0,
  offeredFiles: 0,
  unwantedFiles: 0,
} as const

function outcomeOf(phase: string, error: AppError | null): HistoryOutcome {
  if (phase === 'done' || phase === 'interrupted') return phase
  return error?.code === 'E_CANCELLED' || error?.code === 'E_STOPPED' ? 'cancelled' : 'failed'
}
