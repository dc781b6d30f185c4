/** What one receive has to store about itself; how often it is written is bounded. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#client/clock'
import type { ReceivePlan } from '#shared/settings/receive-options'
import type { TransferId } from '#shared/state/app-state'
import type { Counters } from '#shared/state/counters'
import type { Remembered, ResumeKey } from '#shared/state/unfinished'

/** A reminder that is a few seconds old is as good; the engine's own journal is exact. */
const everyMs = 5000

/** What becomes known of a receive by and by. */
export type TransferFacts = Pick<
  Remembered,
  'transfer' | 'title' | 'from' | 'bytes' | 'totalBytes' | 'resumeKey'
>

/** A new receive, of which nothing is known yet; no other ever has its id. */
export const newFacts = (): TransferFacts => ({
  transfer: randomBytes(16).toString('hex') as TransferId,
  title: '',
  from: '',
  bytes: 0,
  totalBytes: 0,
  resumeKey: null,
})

/** Silent until the receive is accepted in a way that leaves something to continue. */
export class UnfinishedNote {
  readonly #clock: Clock
  readonly #remember: (entry: Remembered) => void
  #facts: TransferFacts
  #plan: ReceivePlan | null = null
  #savedAtMs = 0

  constructor(clock: Clock, facts: TransferFacts, remember: (entry: Remembered) => void) {
    const { transfer, title, from, bytes, totalBytes, resumeKey } = facts
    this.#clock = clock
    this.#facts = { transfer, title, from, bytes, totalBytes, resumeKey }
    this.#remember = remember
  }

  /** The receive was accepted, or its plan has changed. */
  accepted(plan: ReceivePlan): void {
    this.#plan = plan.options.resume ? plan : null
    this.save()
  }

  /** Lets it resume without the words; `null` when it can't. */
  get resumeKey(): ResumeKey | null {
    return this.#facts.resumeKey
  }

  /** A new key is remembered at once. */
  setResumeKey(resumeKey: ResumeKey): void {
    this.#facts = { ...this.#facts, resumeKey }
    this.save()
  }

  /** Remembered with the next occasion. */
  update(facts: Partial<Omit<TransferFacts, 'transfer' | 'resumeKey'>>): void {
    this.#facts = { ...this.#facts, ...facts }
  }

  /** Remembered when the last time is long enough ago. */
  progressed({ bytes, totalBytes }: Counters): void {
    this.update({ bytes, totalBytes })
    if (this.#clock.now() - this.#savedAtMs >= everyMs) this.save()
  }

  /** Remembers what is known now. */
  save(): void {
    if (this.#plan === null) return
    this.#savedAtMs = this.#clock.now()
    const { directory, options, selection, changes } = this.#plan
    const plan = { directory, options, selection, changes }
    this.#remember({ ...this.#facts, ...plan, lastSeenMs: this.#savedAtMs })
  }
}
