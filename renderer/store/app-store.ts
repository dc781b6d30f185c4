/**
 * The mirror of the application's state. Only `applyEvents` and the first snapshot write to it; the window itself never
 * changes it.
 */
import { create } from 'zustand'
import type { Api, NumberedEvent } from '#shared/ipc'
import type { AppState } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'

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
    useAppStore.setState(applyEvents(reply.value, waiting ?? []))
    waiting = null
  })
  return stop
}
