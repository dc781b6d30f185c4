/** Durations of the steps of a connection, from the code to the first byte of a file. */
import type { AppEvent } from '#shared/events'

const steps = ['server', 'code', 'pairing', 'path', 'offer', 'accepted', 'first-byte'] as const

/** A completed step, and the milliseconds since the one before it. */
export type TimedStep = { readonly step: (typeof steps)[number]; readonly ms: number }

/** Measures the first connection of one receive. */
export class ConnectionTiming {
  #beganAtMs: number | null = null
  readonly #reachedAtMs = new Map<TimedStep['step'], number>()

  record(event: AppEvent): void {
    if (event.type === 'receive-opened') this.#beganAtMs ??= event.atMs
    const step = stepOf(event)
    if (step !== null && !this.#reachedAtMs.has(step)) this.#reachedAtMs.set(step, event.atMs)
  }

  /** The completed steps; the last ones may be missing. */
  steps(): readonly TimedStep[] {
    let beforeMs = this.#beganAtMs
    const timed: TimedStep[] = []
    for (const step of steps) {
      const atMs = this.#reachedAtMs.get(step)
      if (beforeMs === null) break
      // The sender may be found on the local network before the server answers.
      if (atMs === undefined || atMs < beforeMs) continue
      timed.push({ step, ms: atMs - beforeMs })
      beforeMs = atMs
    }
    return timed
  }
}

function stepOf(event: AppEvent): TimedStep['step'] | null {
  switch (event.type) {
    case 'server-changed':
      return event.server.phase === 'connected' ? 'server' : null
    case 'receive-found':
      return 'code'
    case 'receive-paired':
      return 'pairing'
    case 'receive-reached':
      return 'path'
    case 'receive-offered':
      return 'offer'
    case 'receive-accepted':
      return 'accepted'
    case 'receive-progressed':
      return event.counters.transferred > 0 ? 'first-byte' : null
    default:
      return null
  }
}
