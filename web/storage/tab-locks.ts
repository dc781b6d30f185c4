/** Locks between the tabs of one origin: a lock ends with the tab or worker that holds it. */

/** Locks by name. */
export type TabLocks = {
  /** Takes a lock; false if another tab holds it. */
  readonly take: (name: string) => Promise<boolean>
  readonly release: (name: string) => void
  /** Selects the names whose locks other tabs hold. */
  readonly heldElsewhere: (names: readonly string[]) => Promise<ReadonlySet<string>>
}

/** The locks of this browser. A page without TLS has no Web Locks: its tabs ask each other. */
export const openTabLocks = (): TabLocks =>
  'locks' in navigator
    ? new WebLocks(navigator.locks)
    : new AskedLocks(new BroadcastChannel('thruflux'))

/** Time for a browser to free the locks of a closed tab, ms: Chromium ends a busy worker after two seconds. */
const releaseMs = 3000

const lockName = (name: string): string => `thruflux ${name}`

/** The browser's locks. */
class WebLocks implements TabLocks {
  readonly #locks: LockManager
  readonly #held = new Map<string, () => void>()

  constructor(locks: LockManager) {
    this.#locks = locks
  }

  async take(name: string): Promise<boolean> {
    if (this.#held.has(name)) return true
    return new Promise((resolve) => {
      const hold = (): Promise<void> => {
        resolve(true)
        return new Promise((release) => this.#held.set(name, release))
      }
      void this.#request(name, hold).then((isFree) => isFree || resolve(false))
    })
  }

  release(name: string): void {
    this.#held.get(name)?.()
    this.#held.delete(name)
  }

  async heldElsewhere(names: readonly string[]): Promise<ReadonlySet<string>> {
    const { held = [] } = await this.#locks.query()
    const present = new Set(held.map(({ name }) => name))
    const others = names.filter((name) => present.has(lockName(name)) && !this.#held.has(name))
    const isFree = await Promise.all(others.map((name) => this.#request(name, () => undefined)))
    return new Set(others.filter((_name, at) => isFree[at] === false))
  }

  /** Calls `hold` with the lock, which ends with its promise; false if there was none. */
  async #request(name: string, hold: () => Promise<void> | undefined): Promise<boolean> {
    try {
      await this.#locks.request(lockName(name), { signal: AbortSignal.timeout(releaseMs) }, hold)
      return true
    } catch {
      return false
    }
  }
}

/** Time for another tab to answer, ms. A tab that the browser has frozen doesn't. */
const answerMs = 300

/** A question has a random number, which the answer repeats. */
type Word = {
  readonly asks?: string
  readonly held?: string
  readonly number: number
}
/** Questions that don't ask for a lock have numbers above those that do. */
const onlyAsks = 1

/** A BroadcastChannel, as far as locks use it. */
export type LockChannel = {
  onmessage: ((event: MessageEvent) => unknown) | null
  readonly postMessage: (word: unknown) => void
}

/** Locks that tabs ask each other for. `wait` is the time for answers. */
export class AskedLocks implements TabLocks {
  readonly #channel: LockChannel
  readonly #wait: () => Promise<void>
  /** Locks by name: 0, or the number of the question while it waits for answers. */
  readonly #held = new Map<string, number>()
  /** Questions by number, and the names that are held elsewhere. */
  readonly #asked = new Map<number, Set<string>>()

  constructor(
    channel: LockChannel,
    wait = () => new Promise<void>((resolve) => setTimeout(resolve, answerMs)),
  ) {
    this.#channel = channel
    this.#wait = wait
    channel.onmessage = ({ data }: { readonly data: Word }) => this.#hear(data)
  }

  async take(name: string): Promise<boolean> {
    if (this.#held.has(name)) return true
    const number = Math.random()
    this.#held.set(name, number)
    if ((await this.#ask([name], number)).has(name)) {
      this.#held.delete(name)
      return false
    }
    this.#held.set(name, 0)
    return true
  }

  release(name: string): void {
    this.#held.delete(name)
  }

  async heldElsewhere(names: readonly string[]): Promise<ReadonlySet<string>> {
    return names.length === 0 ? new Set() : this.#ask(names, onlyAsks + Math.random())
  }

  async #ask(names: readonly string[], number: number): Promise<ReadonlySet<string>> {
    const answers = new Set<string>()
    this.#asked.set(number, answers)
    for (const asks of names) this.#channel.postMessage({ asks, number } satisfies Word)
    await this.#wait()
    this.#asked.delete(number)
    return answers
  }

  /** If two tabs ask at the same time, the one with the smaller number gets the lock. */
  #hear({ asks, held, number }: Word): void {
    if (held !== undefined) this.#asked.get(number)?.add(held)
    const own = asks === undefined ? undefined : this.#held.get(asks)
    if (asks === undefined || own === undefined) return
    if (own < number) this.#channel.postMessage({ held: asks, number } satisfies Word)
    else this.#asked.get(own)?.add(asks)
  }
}
