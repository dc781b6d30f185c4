/** Decides when the items of a share are scanned again. */
import type { Clock } from '#client/clock'
import type { WatchPaths } from '#client/path-watch'

/** A program that saves a file in several steps pauses for less. */
const quietMs = 1000
/** Changes are sent at this interval if something changes all the time. */
const patienceMs = 30_000
/** Some changes are never reported, for example those that other computers make on a file server. */
const routineMs = 10 * 60_000
/** The system reports no changes, or not all. */
const blindMs = 30_000

/** Begins with `watch`, which replaces the paths; ends with `stop`. */
export class ShareWatch {
  readonly #clock: Clock
  readonly #watchPaths: WatchPaths
  readonly #rescan: () => void
  #paths: readonly string[] = []
  #stopWatching: (() => void) | null = null
  #cancelQuiet: (() => void) | null = null
  #cancelPatience: (() => void) | null = null
  #cancelRoutine: () => void = () => undefined
  #isBlind = false

  constructor(clock: Clock, watchPaths: WatchPaths, rescan: () => void) {
    this.#clock = clock
    this.#watchPaths = watchPaths
    this.#rescan = rescan
  }

  get isWatching(): boolean {
    return this.#stopWatching !== null
  }

  watch(paths: readonly string[]): void {
    if (this.isWatching && JSON.stringify(paths) === JSON.stringify(this.#paths)) return
    this.stop()
    this.#paths = paths
    this.#isBlind = false
    const { stop } = this.#watchPaths(paths, {
      onChanged: () => this.#onChanged(),
      onBlind: () => this.#onBlind(),
    })
    this.#stopWatching = stop
    this.#scheduleRoutine()
  }

  stop(): void {
    this.#stopWatching?.()
    this.#stopWatching = null
    this.#forgetChange()
    this.#cancelRoutine()
  }

  #onChanged(): void {
    if (!this.isWatching) return
    this.#cancelQuiet?.()
    this.#cancelQuiet = this.#clock.after(quietMs, () => this.#scan())
    this.#cancelPatience ??= this.#clock.after(patienceMs, () => this.#scan())
  }

  #onBlind(): void {
    if (!this.isWatching || this.#isBlind) return
    this.#isBlind = true
    this.#scheduleRoutine()
  }

  #scan(): void {
    this.#forgetChange()
    this.#scheduleRoutine()
    this.#rescan()
  }

  #forgetChange(): void {
    this.#cancelQuiet?.()
    this.#cancelPatience?.()
    this.#cancelQuiet = null
    this.#cancelPatience = null
  }

  #scheduleRoutine(): void {
    this.#cancelRoutine()
    const afterMs = this.#isBlind ? blindMs : routineMs
    this.#cancelRoutine = this.#clock.after(afterMs, () => this.#scan())
  }
}
