import { openPlace } from './actions/place-actions'
import { placeName, places } from './places'
import { useAppStore } from './store/app-store'
import { useUiStore } from './store/ui-store'
import { text } from './text'
import { runningTransfers } from './view/stack'

/** The places, at the left of the top bar. */
export function PlaceNav() {
  const current = useUiStore(({ place }) => place)
  return (
    <nav className="places" aria-label={text.places.all}>
      {places.map((place) => (
        <button
          key={place}
          type="button"
          className="place"
          aria-current={place === current ? 'page' : undefined}
          onClick={() => {
            openPlace(place)
          }}
        >
          {placeName(place)}
          {place === 'transfers' && <RunningCount />}
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
