/** The application's state, its numbered events, and their listeners. */
import type { AppEvent } from '#shared/events'
import type { NumberedEvent, Snapshot } from '#shared/ipc'
import type { AppState } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'

type WithoutTime<E> = E extends unknown ? Omit<E, 'atMs'> : never

/** An event whose time is set when it is recorded. */
export type NewEvent = WithoutTime<AppEvent>

/** Receives all events of one turn together, in order. */
export type Listener = (batch: readonly NumberedEvent[]) => void

/** Owns the authoritative state; mirrors apply later events to a snapshot. */
export class StateLog {
  #state: AppState
  #seq = 0
  #pending: NumberedEvent[] = []
  readonly #listeners = new Set<Listener>()

  constructor(state: AppState) {
    this.#state = state
  }

  get state(): AppState {
    return this.#state
  }

  /** The state and the number of its last event; listeners may receive that event later. */
  snapshot(): Snapshot {
    return { seq: this.#seq, state: this.#state }
  }

  /** Calls `listener` with every batch until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Changes the state immediately; listeners are notified after the caller returns. */
  record(event: AppEvent): void {
    this.#seq += 1
    this.#state = reduce(this.#state, event)
    this.#pending.push({ seq: this.#seq, event })
    if (this.#pending.length === 1) queueMicrotask(() => this.#notify())
  }

  #notify(): void {
    const batch = this.#pending
    this.#pending = []
    for (const listener of this.#listeners) listener(batch)
  }
}
