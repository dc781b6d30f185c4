/**
 * The mirror of the application's state. Only `applyEvents` and the first snapshot write to it; the window itself never
 * changes it.
 */
import { create } from 'zustand'
import type { Api, NumberedEvent } from '#shared/ipc'
import { limits } from '#shared/limits'
import { type AppState, hasOnlyTexts, type Receive, type Share } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'
import { text } from '#shared/text/current'

/** `seq` numbers the last event that `state` contains; `null` before the first snapshot. */
export type Mirror = { readonly seq: number; readonly state: AppState | null }

export const useAppStore = create<Mirror>(() => ({ seq: 0, state: null }))

/** Applies a batch to the mirror; events that it already contains change nothing. */
export function applyEvents(mirror: Mirror, batch: readonly NumberedEvent[]): Mirror {
  if (mirror.state === null) return mirror
  let { seq, state } = mirror
  for (const numbered of batch) {
    if (numbered.seq <= seq) continue
    seq = numbered.seq
    state = reduce(state, numbered.event)
  }
  return { seq, state }
}

/** Some titles are texts, which were written in the language before the last change. */
function retitled<T extends Pick<Share | Receive, 'title' | 'items'>>(one: T): T {
  const { items } = one
  // A longer list is incomplete.
  if (items.length > 1 && items.length < limits.entriesShown) {
    return { ...one, title: text.counted.items(items.length) }
  }
  return hasOnlyTexts(items) && items.length === 1 ? { ...one, title: text.counted.text } : one
}

const retitledIn = ({ shares, receives, ...state }: AppState): AppState => ({
  ...state,
  shares: shares.map(retitled),
  receives: receives.map(retitled),
})

type Source = Pick<Api<File>, 'onEvents' | 'snapshot'>

/**
 * Subscribes, then requests the state. Events in between wait for the snapshot, so none is lost or applied twice.
 * Returns a function that ends the subscription.
 */
export function mirrorState(source: Source): () => void {
  let waiting: NumberedEvent[] | null = []
  const stop = source.onEvents((batch) => {
    if (waiting === null) useAppStore.setState((mirror) => applyEvents(mirror, batch))
    else waiting.push(...batch)
  })
  void source.snapshot(undefined).then((reply) => {
    if (!reply.ok) throw new Error(`no snapshot: ${reply.error.code} ${reply.error.detail}`)
    const { seq, state } = reply.value
    useAppStore.setState(applyEvents({ seq, state: retitledIn(state) }, waiting ?? []))
    waiting = null
  })
  return stop
}
