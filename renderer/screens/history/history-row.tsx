import {
  ArrowDownToLine,
  ArrowUpFromLine,
  ChevronDown,
  ChevronUp,
  Folder,
  Play,
  Repeat2,
  X,
} from 'lucide-react'
import { visibleText } from '#shared/format/visible-text'
import type { HistoryEntry } from '#shared/state/history'
import { removeEntries, showInFolder } from '../../actions/history-actions'
import { resumeReceive } from '../../actions/resume-actions'
import { openSection } from '../../actions/section-actions'
import { sendAgain } from '../../actions/share-actions'
import { IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { UndoButton } from '../../components/undo-button'
import { useAppStore } from '../../store/app-store'
import { useHistoryStore } from '../../store/history-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { figures, outcomeWords, placeWords } from '../../view/history-view'
import { hasDetails, HistoryDetails } from './history-details'

/** One transfer, and the actions on it. */
export function HistoryRow({ entry }: { readonly entry: HistoryEntry }) {
  const isThere = useHistoryStore((view) => view.isThere[entry.id] ?? true)
  const isOpen = useHistoryStore(({ open }) => open === entry.id)
  const { title, person, direction } = entry
  const { amount, speed } = figures(entry)
  const { words, tone } = outcomeWords(entry)
  const place = placeWords(entry, isThere)
  const isSent = direction === 'sent'
  const isEnding = useUiStore(
    ({ ending }) =>
      ending !== null && 'removeHistory' in ending && ending.removeHistory === entry.id,
  )
  if (isEnding) {
    return (
      <div className="history-row">
        <span className="tile" aria-hidden>
          <Icon of={X} />
        </span>
        <p className="history-name sub trunc">{text.history.removing(visibleText(title))}</p>
        <span className="history-actions">
          <UndoButton />
        </span>
      </div>
    )
  }
  return (
    <>
      <div className={isOpen ? 'history-row open' : 'history-row'}>
        <span
          className="tile"
          role="img"
          aria-label={isSent ? text.history.filters.sent : text.history.filters.received}
        >
          <Icon of={isSent ? ArrowUpFromLine : ArrowDownToLine} />
        </span>
        <div className="history-name">
          <p className="trunc" id={titleId(entry)}>
            {visibleText(title)}
          </p>
          <p className="sub trunc" title={place}>
            {place}
          </p>
        </div>
        <span className="history-person sub trunc">
          {person === '' ? text.history.nobody : visibleText(person)}
        </span>
        <span className="history-figure">{amount}</span>
        <span className="history-figure history-speed">{speed}</span>
        <span className={`history-outcome ${tone}`}>{words}</span>
        <span className="history-actions">
          <RowActions entry={entry} isThere={isThere} />
          {hasDetails(entry) && (
            <IconButton
              name={isOpen ? text.actions.collapse : text.actions.expand}
              icon={isOpen ? ChevronUp : ChevronDown}
              size="small"
              about={titleId(entry)}
              expanded={isOpen}
              onClick={() => useHistoryStore.setState({ open: isOpen ? null : entry.id })}
            />
          )}
          <IconButton
            name={text.history.remove}
            icon={X}
            size="small"
            about={titleId(entry)}
            onClick={() => void removeEntries(entry.id)}
          />
        </span>
      </div>
      {isOpen && <HistoryDetails entry={entry} isThere={isThere} />}
    </>
  )
}

/** Names the row for its buttons, which are the same in all rows. */
const titleId = ({ id }: HistoryEntry): string => `history-${id.toString()}`

function RowActions({
  entry,
  isThere,
}: {
  readonly entry: HistoryEntry
  readonly isThere: boolean
}) {
  const { id, transfer, outcome, direction, paths, target } = entry
  const about = titleId(entry)
  const canResume = useAppStore(
    ({ state }) =>
      outcome !== 'done' &&
      direction === 'received' &&
      state?.resumableReceives.some((one) => one.transfer === transfer) === true,
  )
  if (direction === 'sent') {
    if (paths.length === 0) return null
    return (
      <IconButton
        about={about}
        name={text.history.sendAgain}
        icon={Repeat2}
        size="small"
        onClick={() => {
          void sendAgain(id)
          openSection('transfers')
        }}
      />
    )
  }
  const resume = (): void => {
    void resumeReceive(transfer)
    openSection('transfers')
  }
  return (
    <>
      {canResume && (
        <IconButton
          about={about}
          name={text.history.resume}
          icon={Play}
          size="small"
          onClick={resume}
        />
      )}
      {isThere && target !== null && (
        <IconButton
          about={about}
          name={text.history.show}
          icon={Folder}
          size="small"
          onClick={() => void showInFolder(id)}
        />
      )}
    </>
  )
}
