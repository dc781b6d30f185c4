type Task = { readonly run: () => Promise<void>; readonly bytes: number }

/** Runs a socket's tasks one after another, because a store takes time. */
export class WorkQueue {
  readonly #onFailure: (reason: unknown) => void
  readonly #waiting: Task[] = []
  #done: Promise<void> = Promise.resolve()
  #bytes = 0

  /** A task's rejection goes to `onFailure`, and the next task follows. */
  constructor(onFailure: (reason: unknown) => void) {
    this.#onFailure = onFailure
  }

  /** Resolves once all tasks added so far are done. */
  get done(): Promise<void> {
    return this.#done
  }

  /** Bytes of the waiting messages and of the current one. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds a task that keeps a message of `bytes` bytes in memory. */
  add(run: () => Promise<void>, bytes = 0): void {
    this.#bytes += bytes
    this.#waiting.push({ run, bytes })
    this.#done = this.#done.then(() => this.#next())
  }

  /** Drops tasks that haven't started. */
  clear(): void {
    for (const { bytes } of this.#waiting.splice(0)) this.#bytes -= bytes
  }

  async #next(): Promise<void> {
    const task = this.#waiting.shift()
    if (task === undefined) return
    try {
      await task.run()
    } catch (reason) {
      this.#onFailure(reason)
    }
    this.#bytes -= task.bytes
  }
}
