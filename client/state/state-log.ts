/** The application's state, its events with rising numbers, and those who listen. */
import type { AppEvent } from '#shared/events'
import type { NumberedEvent, Snapshot } from '#shared/ipc'
import type { AppState } from '#shared/state/app-state'
import { reduce } from '#shared/state/reduce'

type WithoutTime<E> = E extends unknown ? Omit<E, 'atMs'> : never

/** An event whose time is that of its recording. */
export type NewEvent = WithoutTime<AppEvent>

/** Gets all events of a moment at once, in order. */
export type Listener = (batch: readonly NumberedEvent[]) => void

/** Owns the true state; mirrors are made from a snapshot and the events after it. */
export class StateLog {
  #state: AppState
  #seq = 0
  #pending: NumberedEvent[] = []
  readonly #listeners = new Set<Listener>()

  /** Begins with `state`. */
  constructor(state: AppState) {
    this.#state = state
  }

  get state(): AppState {
    return this.#state
  }

  /** The state and the number of the last event in it; listeners may get that event only later. */
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

  /** Changes the state now; notifies the listeners when the caller is done. */
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
