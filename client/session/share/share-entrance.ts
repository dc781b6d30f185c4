/** The admission rules of a share: the number of receivers, a single receiver, and a person's approval. */
import type { EngineCommand } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import type { ShareOptions } from '#shared/settings/share-options'
import type { CodeEnd } from '#shared/state/app-state'

/** Rules that a person may change while the share runs. */
export type EntranceRules = Pick<ShareOptions, 'maxReceivers' | 'oneReceiver' | 'approve'>

/** Dependencies of `ShareEntrance`. */
export type ShareEntranceOptions = {
  readonly session: SessionNumber
  readonly rules: EntranceRules & Pick<ShareOptions, 'browsers'>
  /** The reason why an earlier program had ended admission, or `null`. */
  readonly codeEnd: CodeEnd | null
  readonly ask: (command: EngineCommand) => Result<null, AppError>
}

/** Each share has one; the engine enforces its rules. */
export class ShareEntrance {
  readonly #options: ShareEntranceOptions
  #rules: EntranceRules
  #codeEnd: CodeEnd | null
  /** True once a receiver was admitted with the current code. */
  #hasReceiver = false

  constructor(options: ShareEntranceOptions) {
    this.#options = options
    const { maxReceivers, oneReceiver, approve } = options.rules
    this.#rules = { maxReceivers, oneReceiver, approve }
    this.#codeEnd = options.codeEnd
  }

  get rules(): EntranceRules {
    return this.#rules
  }

  /** The reason why the current code admits no new receivers, or `null`. */
  get codeEnd(): CodeEnd | null {
    return this.#codeEnd
  }

  /** True if the code was for one receiver, which has been admitted. */
  get isComplete(): boolean {
    return this.#rules.oneReceiver && this.#hasReceiver
  }

  /** The rules for the engine's new share. */
  get opening() {
    const { rules } = this.#options
    const isOpen = this.#codeEnd === null
    return {
      maxReceivers: isOpen ? rules.maxReceivers : 0,
      oneReceiver: isOpen && rules.oneReceiver,
      approval: rules.approve,
      browsers: rules.browsers,
    }
  }

  /** Changes the rules. After the code has ended, the number applies to the next code. */
  change(change: Partial<EntranceRules>): Result<null, AppError> {
    const rules = { ...this.#rules, ...change }
    const { session, ask } = this.#options
    const isSized = change.maxReceivers !== undefined || change.oneReceiver !== undefined
    const sized = isSized && this.#codeEnd === null ? this.#setMaxReceivers(rules) : ok(null)
    if (!sized.ok) return sized
    const asked =
      rules.approve === this.#rules.approve
        ? ok(null)
        : ask({ type: 'set-approval', session, wanted: rules.approve })
    if (asked.ok) this.#rules = rules
    return asked
  }

  /** Call it when a receiver has got a place. */
  onReceiver(): void {
    this.#hasReceiver = true
    // The engine closed a share that was opened for one receiver, so reopen it if that rule has changed.
    if (this.#options.rules.oneReceiver && !this.#rules.oneReceiver)
      this.#setMaxReceivers(this.#rules)
  }

  /** Ends admission with the current code. */
  end(why: CodeEnd): void {
    this.#codeEnd = why
    this.#setMaxReceivers({ ...this.#rules, maxReceivers: 0 })
  }

  /** Begins admission with a new code. */
  renew(): Result<null, AppError> {
    const done = this.#codeEnd === null ? ok(null) : this.#setMaxReceivers(this.#rules)
    if (!done.ok) return done
    this.#codeEnd = null
    this.#hasReceiver = false
    return done
  }

  /**
   * The engine closes a share after its first receiver only if it was opened that way, also after each change of the
   * number. Otherwise a single place has the same effect until that receiver is admitted.
   */
  #setMaxReceivers({ maxReceivers, oneReceiver }: EntranceRules): Result<null, AppError> {
    const { session, rules, ask } = this.#options
    const count = oneReceiver && !rules.oneReceiver ? Math.min(maxReceivers, 1) : maxReceivers
    return ask({ type: 'set-max-receivers', session, count })
  }
}
