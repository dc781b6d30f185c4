/** The transfers on the screen, and the open one. */
import { type AppState, hasEnded, type Receive, type Share } from '#shared/state/app-state'
import { hasStopped } from '#shared/state/queries'
import { belongsToField } from '../store/code-field'
import type { OpenChoice } from '../store/ui-store'
import { endedByChoice, isUndecided, wasDeclined } from './receive-view'

/** The part of the state that this page shows. */
type Transfers = Pick<AppState, 'shares' | 'receives'>

export type Entry =
  | { readonly kind: 'share'; readonly share: Share }
  | { readonly kind: 'receive'; readonly receive: Receive }

/**
 * Ids of the column's entries, newest first. Empty while there is only an undecided code: then home stays, and its
 * field shows the state of the code.
 */
export function stackIds({ shares, receives }: Transfers): readonly string[] {
  const visible = receives.filter((receive) => !belongsToField(receive) && !wasDeclined(receive))
  if (shares.length === 0 && visible.every(isUndecidedCode)) return []
  return [...shares, ...visible].sort((a, b) => b.startedAtMs - a.startedAtMs).map(({ id }) => id)
}

/** The offer of a contact or a nearby computer has no code, so home's field doesn't show it. */
const isUndecidedCode = (receive: Receive): boolean =>
  isUndecided(receive) && receive.contact === undefined && receive.nearby === undefined

export function findEntry({ shares, receives }: Transfers, id: string): Entry | null {
  const share = shares.find((candidate) => candidate.id === id)
  if (share !== undefined) return { kind: 'share', share }
  const receive = receives.find((candidate) => candidate.id === id)
  return receive === undefined ? null : { kind: 'receive', receive }
}

/** Ids that have more details than a row can show: not those that wait for a decision or were ended here. */
const openableIds = (state: Transfers, ids: readonly string[]): readonly string[] =>
  ids.filter((id) => {
    const entry = findEntry(state, id)
    if (entry === null) return false
    return entry.kind === 'share'
      ? entry.share.phase !== 'stopped'
      : !isUndecided(entry.receive) && !endedByChoice(entry.receive)
  })

/** One card is open at a time. */
export function openId(state: Transfers, choice: OpenChoice): string | null {
  if (choice === 'none') return null
  const ids = openableIds(state, stackIds(state))
  const chosen = choice === 'newest' ? undefined : ids.find((id) => id === choice.card)
  return chosen ?? ids[0] ?? null
}

/** Ids of the ended transfers; an interrupted receive can still be resumed. */
export const finishedIds = (state: Transfers): readonly string[] =>
  stackIds(state).filter((id) => {
    const entry = findEntry(state, id)
    if (entry === null) return false
    return entry.kind === 'share'
      ? hasStopped(entry.share)
      : hasEnded(entry.receive) && entry.receive.phase !== 'interrupted'
  })

/** The receive that the code field shows: the newest that has not become a transfer. */
export function fieldReceive(state: Transfers): Receive | null {
  const atHome = stackIds(state).length === 0
  return (
    state.receives.find((receive) => belongsToField(receive) || (atHome && isUndecided(receive))) ??
    null
  )
}

/** The number of running shares and receives. */
export const runningTransfers = ({ shares, receives }: Transfers): number =>
  shares.filter((share) => !hasStopped(share)).length +
  receives.filter((receive) => !hasEnded(receive) && !belongsToField(receive)).length
