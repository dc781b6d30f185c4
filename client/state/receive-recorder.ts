/** The stored data of one receive, written at a limited rate. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#client/clock'
import { withTimeout } from '#client/with-timeout'
import type { ReceiveOptions, ReceivePlan } from '#shared/settings/receive-options'
import type { TransferId } from '#shared/state/app-state'
import type { Counters } from '#shared/state/counters'
import type { ResumableReceiveRecord, ResumeKey } from '#shared/state/resumable-receive-record'

/** The minimum time between two writes of progress; the engine's own journal is exact. */
const everyMs = 5000

/** The time to wait for the disk. */
const maxStoringMs = 5000

/** Facts about a receive that become known over time. */
export type TransferFacts = Pick<
  ResumableReceiveRecord,
  'transfer' | 'title' | 'from' | 'bytes' | 'totalBytes' | 'resumeKey'
> & {
  /** The choices of an unfinished receive. */
  readonly options?: ReceiveOptions
}

/** The facts of a new receive, with a unique id. */
export const newFacts = (): TransferFacts => ({
  transfer: randomBytes(16).toString('hex') as TransferId,
  title: '',
  from: '',
  bytes: 0,
  totalBytes: 0,
  resumeKey: null,
})

/** Stores nothing until the receive is accepted in a resumable way. */
export class ReceiveRecorder {
  /** True for an unfinished receive that follows: it waits for room, as in its later rounds. */
  readonly wasFollowing: boolean
  readonly #clock: Clock
  readonly #remember: (entry: ResumableReceiveRecord) => Promise<unknown>
  #stored: Promise<unknown> = Promise.resolve()
  #facts: TransferFacts
  #plan: ReceivePlan | null = null
  #options: ReceiveOptions | undefined
  #savedAtMs = 0

  constructor(
    clock: Clock,
    facts: TransferFacts,
    remember: (entry: ResumableReceiveRecord) => Promise<unknown>,
  ) {
    const { transfer, title, from, bytes, totalBytes, resumeKey } = facts
    this.wasFollowing = facts.options?.follow === true
    this.#options = facts.options
    this.#clock = clock
    this.#facts = { transfer, title, from, bytes, totalBytes, resumeKey }
    this.#remember = remember
  }

  /** The receive was accepted, or its plan has changed. */
  accepted(plan: ReceivePlan): void {
    this.#options = plan.options
    this.#plan = plan.options.resume ? plan : null
    this.save()
  }

  /** The options of the accepted or unfinished receive, if it may be resumed. */
  get options(): ReceiveOptions | undefined {
    return this.#options
  }

  /** The key that resumes the receive without the words; `null` if there is none. */
  get resumeKey(): ResumeKey | null {
    return this.#facts.resumeKey
  }

  /** Resolves once all that was saved so far is durable, or can't be. A disk that hangs is not waited for. */
  stored(): Promise<unknown> {
    return withTimeout(this.#clock, maxStoringMs, this.#stored, () => null)
  }

  /** True if something was received before. */
  get hasData(): boolean {
    return this.#facts.bytes > 0
  }

  /** Stores a new key immediately. */
  setResumeKey(resumeKey: ResumeKey): void {
    this.#facts = { ...this.#facts, resumeKey }
    this.save()
  }

  /** Stores the server's pass together with the key, if there is one. */
  setPass(pass: string): void {
    const { resumeKey } = this.#facts
    if (resumeKey !== null) this.setResumeKey({ ...resumeKey, pass })
  }

  /** Updates facts, which are stored with the next save. */
  update(facts: Partial<Omit<TransferFacts, 'transfer' | 'resumeKey'>>): void {
    this.#facts = { ...this.#facts, ...facts }
  }

  /** Updates the progress, and saves it if the last save is old enough. */
  progressed({ bytes, totalBytes }: Counters): void {
    this.update({ bytes, totalBytes })
    if (this.#clock.now() - this.#savedAtMs >= everyMs) this.save()
  }

  /** Stores the current facts. */
  save(): void {
    if (this.#plan === null) return
    this.#savedAtMs = this.#clock.now()
    const { directory, options, selection, changes } = this.#plan
    const plan = { directory, options, selection, changes }
    this.#stored = this.#remember({ ...this.#facts, ...plan, lastSeenMs: this.#savedAtMs })
  }
}
