/** Which transfers stand on the screen, and which of them is open. */
import {
  type AppState,
  hasEnded,
  hasStopped,
  type Receive,
  type Share,
} from '#shared/state/app-state'
import { belongsToField } from '../store/code-field'
import type { OpenChoice } from '../store/ui-store'
import { endedByChoice, isUndecided, wasDeclined } from './receive-view'

/** The part of the state that this page is about. */
type Transfers = Pick<AppState, 'shares' | 'receives'>

export type Entry =
  | { readonly kind: 'share'; readonly share: Share }
  | { readonly kind: 'receive'; readonly receive: Receive }

/**
 * Ids of what the column shows, newest first. Empty while nothing but an undecided code is there:
 * then home stays and its field shows what becomes of the code.
 */
export function stackIds({ shares, receives }: Transfers): readonly string[] {
  const visible = receives.filter((receive) => !belongsToField(receive) && !wasDeclined(receive))
  if (shares.length === 0 && visible.every(isUndecidedCode)) return []
  return [...shares, ...visible].sort((a, b) => b.startedAtMs - a.startedAtMs).map(({ id }) => id)
}

/** A contact's offer is no code, and so home's field does not show it. */
const isUndecidedCode = (receive: Receive): boolean =>
  isUndecided(receive) && receive.contact === undefined

export function findEntry({ shares, receives }: Transfers, id: string): Entry | null {
  const share = shares.find((candidate) => candidate.id === id)
  if (share !== undefined) return { kind: 'share', share }
  const receive = receives.find((candidate) => candidate.id === id)
  return receive === undefined ? null : { kind: 'receive', receive }
}

/** Which of `ids` have more to say than a row can: not what waits for a decision or was ended here. */
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

/** The receive that the code field is about: the newest that has not become a transfer. */
export function fieldReceive(state: Transfers): Receive | null {
  const atHome = stackIds(state).length === 0
  return (
    state.receives.find((receive) => belongsToField(receive) || (atHome && isUndecided(receive))) ??
    null
  )
}

/** How many shares and receives run. */
export const runningTransfers = ({ shares, receives }: Transfers): number =>
  shares.filter((share) => !hasStopped(share)).length +
  receives.filter((receive) => !hasEnded(receive) && !belongsToField(receive)).length
