import { Ellipsis, Search } from 'lucide-react'
import { useEffect } from 'react'
import { historyFilters } from '#shared/state/history'
import {
  filterHistory,
  refreshHistory,
  removeEntries,
  searchHistory,
} from '../../actions/history-actions'
import { Button, IconButton } from '../../components/button'
import { FluxLines } from '../../components/graphs/flux-lines'
import { Icon } from '../../components/icon'
import { Popover } from '../../components/popover'
import { UndoButton } from '../../components/undo-button'
import { useAppStore } from '../../store/app-store'
import { useHistoryStore } from '../../store/history-store'
import { useUiStore } from '../../store/ui-store'
import { text } from '../../text'
import { HistoryList } from './history-list'

/** Past transfers, newest first. */
export function HistoryScreen() {
  const revision = useAppStore(({ state }) => state?.historyRevision ?? 0)
  const total = useHistoryStore((view) => view.total)
  const isClearing = useUiStore(
    ({ ending }) => ending !== null && 'removeHistory' in ending && ending.removeHistory === null,
  )
  useEffect(() => {
    void refreshHistory()
  }, [revision])
  return (
    <div className="history">
      <HistoryHead />
      {isClearing ? <Clearing /> : total === 0 ? <Nothing /> : <HistoryList total={total ?? 0} />}
    </div>
  )
}

function HistoryHead() {
  const filter = useHistoryStore((view) => view.filter)
  const words = useHistoryStore((view) => view.text)
  return (
    <header className="history-head">
      <h1>{text.history.title}</h1>
      <div className="segments" role="group" aria-label={text.history.filterName}>
        {historyFilters.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === filter}
            onClick={() => void filterHistory(one)}
          >
            {text.history.filters[one]}
          </button>
        ))}
      </div>
      <label className="history-search">
        <Icon of={Search} />
        <input
          type="search"
          maxLength={200}
          placeholder={text.history.search}
          aria-label={text.history.search}
          value={words}
          onChange={({ target }) => void searchHistory(target.value)}
        />
      </label>
      <Popover
        name={text.history.more}
        trigger={({ onClick, expanded }) => (
          <IconButton
            name={text.history.more}
            icon={Ellipsis}
            expanded={expanded}
            onClick={onClick}
          />
        )}
      >
        {(close) => (
          <>
            <p className="sub">{text.history.clearAbout}</p>
            <Button
              onClick={() => {
                close()
                void removeEntries(null)
              }}
            >
              {text.history.clear}
            </Button>
          </>
        )}
      </Popover>
    </header>
  )
}

const Clearing = () => (
  <div className="history-none">
    <p className="sub">{text.history.clearing}</p>
    <UndoButton />
  </div>
)

/** Explains an empty list: no transfer was made yet, or none matches. */
function Nothing() {
  const isSearch = useHistoryStore((view) => view.text !== '' || view.filter !== 'all')
  const isKept = useAppStore(({ state }) => state?.settings.general.keepHistory ?? true)
  if (isSearch) return <p className="history-none sub">{text.history.nothingFound}</p>
  return (
    <div className="history-none">
      <FluxLines />
      <h2>{text.history.empty}</h2>
      <p className="sub">{isKept ? text.history.emptyAbout : text.history.off}</p>
    </div>
  )
}
