/** The logs of recent transfers, kept only in memory. */
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import { emptyLog, logged, logText, subjectOf, type TransferLog } from '#shared/state/transfer-log'

export class TransferLogs {
  /** Logs by share or receive, oldest first. */
  readonly #logs = new Map<string, TransferLog>()

  /** Call it for every event of the state. */
  add(event: AppEvent): void {
    const id = subjectOf(event)
    if (id === null) return
    if (event.type === 'share-removed' || event.type === 'receive-removed') {
      this.#logs.delete(id)
      return
    }
    this.#logs.set(id, logged(this.#logs.get(id) ?? emptyLog, event))
    const oldest = this.#logs.keys().next()
    if (this.#logs.size > limits.logsKept && oldest.done !== true) this.#logs.delete(oldest.value)
  }

  /** A log to copy; `null` if there is none. */
  text(id: string): string | null {
    const log = this.#logs.get(id)
    return log === undefined ? null : logText(log)
  }
}
