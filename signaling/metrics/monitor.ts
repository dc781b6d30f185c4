import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import type { Clock } from '#signaling/clock'
import { storeMs } from '#signaling/limits/limits'
import type { Log } from '#signaling/log'
import { exposition } from '#signaling/metrics/exposition'
import { watchLoopDelay } from '#signaling/metrics/loop-delay'
import {
  type Monitored,
  type Monitoring,
  type Readiness,
  startMonitoring,
} from '#signaling/metrics/monitoring'
import { ServerMetrics, type Snapshot } from '#signaling/metrics/server-metrics'
import type { Usage } from '#signaling/rooms/room-store'
import { parseHostPort } from '#signaling/socket/host-port'

/** Sources of a monitor's data. */
export type Watched = {
  readonly clock: Clock
  readonly log: Log
  /** Resolves with the usage of the session store. */
  readonly usage: () => Promise<Usage>
  /** Returns the current values that are counted elsewhere. */
  readonly look: () => Omit<Snapshot, 'usage'>
}

/** Counts the events of one server, and serves the numbers on the operator's port. */
export class Monitor implements Monitored {
  /** Metrics without a log event. */
  readonly counts = new ServerMetrics()
  /** Counts an event, and logs it. */
  readonly log: Log
  readonly #watched: Watched
  #monitoring: Monitoring | null = null
  #cancelWatch: () => void = () => undefined

  constructor(watched: Watched) {
    this.#watched = watched
    this.log = (event) => {
      this.counts.note(event)
      watched.log(event)
    }
  }

  /**
   * Listens on `address`, `host:port`, unless it is empty. Returns the port, or `null` without an address.
   * Error: `E_BAD_ARGUMENT` if it can't listen.
   */
  async listen(address: string): Promise<Result<number | null, AppError>> {
    const place = parseHostPort(address)
    if (place === null) return ok(null)
    const monitoring = await startMonitoring(place, this)
    if (!monitoring.ok) return monitoring
    const { port } = monitoring.value
    this.#monitoring = monitoring.value
    this.log({ event: 'monitored', port })
    this.#cancelWatch = watchLoopDelay(this.#watched.clock, (s) => this.counts.loopDelay.observe(s))
    return ok(port)
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.#cancelWatch()
    await this.#monitoring?.close()
  }

  async metrics(): Promise<string> {
    const usage = await this.#usage()
    return exposition(this.counts.families({ ...this.#watched.look(), usage }))
  }

  async readiness(): Promise<Readiness> {
    if (this.#watched.look().isDraining) return 'draining'
    return (await this.#usage()) === null ? 'store' : 'ready'
  }

  /** The store's usage; `null` if it fails or takes too long. */
  async #usage(): Promise<Usage | null> {
    const { clock } = this.#watched
    let cancel = (): void => undefined
    const late = new Promise<null>((resolve) => {
      cancel = clock.after(storeMs, () => resolve(null))
    })
    const usage = this.#watched.usage().catch(() => null)
    return Promise.race([usage, late]).finally(() => cancel())
  }
}
