type Task = { readonly run: () => Promise<void>; readonly bytes: number }

/** What a socket has the server do: one thing after the other, as a store takes its time. */
export class WorkQueue {
  readonly #onFailure: (reason: unknown) => void
  readonly #waiting: Task[] = []
  #done: Promise<void> = Promise.resolve()
  #bytes = 0

  /** What a task rejects with goes to `onFailure`, and the next one follows. */
  constructor(onFailure: (reason: unknown) => void) {
    this.#onFailure = onFailure
  }

  /** Resolves when all is done that was added by now. */
  get done(): Promise<void> {
    return this.#done
  }

  /** Bytes of the messages that wait, and of the one whose turn it is. */
  get bytes(): number {
    return this.#bytes
  }

  /** Has `run`, which keeps a message of so many bytes, follow all that was added before. */
  add(run: () => Promise<void>, bytes = 0): void {
    this.#bytes += bytes
    this.#waiting.push({ run, bytes })
    this.#done = this.#done.then(() => this.#next())
  }

  /** Drops what has not begun. */
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
