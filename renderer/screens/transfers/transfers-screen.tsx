import { ListX } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import { clearFinished } from '../../actions/undo-actions'
import { Button } from '../../components/button'
import { later } from '../../components/later'
import { useAppStore } from '../../store/app-store'
import { type UiState, useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { findEntry, finishedIds, openId, stackIds } from '../../view/stack'
import { Questions } from '../contacts/questions'
import { EndingRow } from './ending-row'
import { Interrupted } from './interrupted'
import { ReceiveEntry } from './receive-entry'
import { ShareEntry } from './share-entry'
import { StartButtons } from './start-buttons'

const People = later(async () => (await import('../home/people')).People)

/** All transfers, newest first, one card open at a time. */
export function TransfersScreen() {
  const ids = useAppStore(useShallow(({ state }) => (state === null ? [] : stackIds(state))))
  const choice = useUiStore(({ open }) => open)
  const open = useAppStore(({ state }) => (state === null ? null : openId(state, choice)))
  const clearing = useUiStore(useShallow(clearingOf))
  return (
    <div className="stack">
      <h1 className="sr-only">{text.transfers.title}</h1>
      <Questions />
      {ids
        .filter((id) => !clearing.includes(id))
        .map((id) => (
          <div key={id} className="entry" data-entry={id}>
            <StackEntry id={id} isOpen={id === open} />
          </div>
        ))}
      {clearing.length > 0 && (
        <EndingRow
          title={text.transfers.clearing(clearing.length)}
          words={text.transfers.filesStay}
        />
      )}
      <Interrupted />
      <MoreToShare />
      <People isLow />
    </div>
  )
}

/** Ids of the transfers that leave the list in a few seconds. */
const clearingOf = ({ ending }: UiState): readonly string[] =>
  ending !== null && 'dismiss' in ending ? ending.dismiss : []

/** Removes all ended transfers from the list at once. */
function ClearButton() {
  const ids = useAppStore(useShallow(({ state }) => (state === null ? [] : finishedIds(state))))
  const isClearing = useUiStore((view) => clearingOf(view).length > 0)
  if (ids.length < 2 || isClearing) return null
  return (
    <Button variant="ghost" size="small" icon={ListX} onClick={() => void clearFinished(ids)}>
      {text.transfers.clearFinished}
    </Button>
  )
}

/** The buttons of home, which is hidden now. */
const MoreToShare = () => (
  <div className="footnote">
    {text.transfers.dropMore}
    <StartButtons size="small" />
    <ClearButton />
  </div>
)

/** Selects its own transfer, so that a changing figure redraws one card and not the column. */
function StackEntry({ id, isOpen }: { readonly id: string; readonly isOpen: boolean }) {
  const entry = useAppStore(
    useShallow(({ state }) => (state === null ? null : findEntry(state, id))),
  )
  if (entry === null) return null
  return entry.kind === 'share' ? (
    <ShareEntry share={entry.share} isOpen={isOpen} />
  ) : (
    <ReceiveEntry receive={entry.receive} isOpen={isOpen} />
  )
}
