import { openSection } from './actions/section-actions'
import { sectionName, sections } from './sections'
import { useAppStore } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { text } from './text'
import { runningTransfers } from './view/stack'

/** The places, at the left of the top bar. */
export function SectionNav() {
  const current = useUiStore(({ section }) => section)
  return (
    <nav className="sections" aria-label={text.sections.all}>
      {sections.map((section) => (
        <button
          key={section}
          type="button"
          className="section"
          aria-current={section === current ? 'page' : undefined}
          onClick={() => openSection(section)}
        >
          {sectionName(section)}
          {section === 'transfers' && <RunningCount />}
        </button>
      ))}
    </nav>
  )
}

/** The number of running transfers, for people at another place. */
function RunningCount() {
  const count = useAppStore(({ state }) => (state === null ? 0 : runningTransfers(state)))
  return count === 0 ? null : <b>{count}</b>
}
