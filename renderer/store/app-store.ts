/**
 * The mirror of the application's state. `applyEvents` and the first snapshot are its only writers:
 * nothing in the window changes it, answers arrive as events.
 */
import { create } from 'zustand'
import type { Api, NumberedEvent } from '#shared/ipc'
import type { AppState } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'

/** `seq` numbers the last event that `state` contains; `null` before the first snapshot. */
export type Mirror = { readonly seq: number; readonly state: AppState | null }

export const useAppStore = create<Mirror>(() => ({ seq: 0, state: null }))

/** The mirror after a batch; events that it already contains change nothing. */
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
 * Subscribes, then asks for the state: events that come between wait for the snapshot, so that none
 * is lost and none counts twice. Returns what ends the subscription.
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
