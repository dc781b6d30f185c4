/** Who may come into a share: how many at a time, whether only one, whether a person lets each in. */
import type { EngineCommand } from '#client/engine'
import type { SessionNumber } from '#client/engine-link'
import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import type { ShareOptions } from '#shared/settings/share-options'
import type { CodeEnd } from '#shared/state/app-state'

/** What a person may change while the share runs. */
export type EntranceRules = Pick<ShareOptions, 'maxReceivers' | 'oneReceiver' | 'approve'>

/** What an entrance needs from its share. */
export type ShareEntranceOptions = {
  readonly session: SessionNumber
  readonly rules: EntranceRules
  /** Why nobody new came in any more when an earlier program left the share. */
  readonly codeEnd: CodeEnd | null
  readonly ask: (command: EngineCommand) => Result<null, AppError>
}

/** Each share has one; the engine keeps to what it says. */
export class ShareEntrance {
  readonly #options: ShareEntranceOptions
  #rules: EntranceRules
  #codeEnd: CodeEnd | null
  /** Somebody came in by the present code. */
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

  /** Why nobody new comes in by the present code. */
  get codeEnd(): CodeEnd | null {
    return this.#codeEnd
  }

  /** True when the code was for one receiver, who is here. */
  get isComplete(): boolean {
    return this.#rules.oneReceiver && this.#hasReceiver
  }

  /** What the engine's share opens with. */
  get opening() {
    const { rules } = this.#options
    const isOpen = this.#codeEnd === null
    return {
      maxReceivers: isOpen ? rules.maxReceivers : 0,
      oneReceiver: isOpen && rules.oneReceiver,
      approval: rules.approve,
    }
  }

  /** Other rules from now on. While the code has ended, the number counts for the next one. */
  change(change: Partial<EntranceRules>): Result<null, AppError> {
    const rules = { ...this.#rules, ...change }
    const { session, ask } = this.#options
    const isSized = change.maxReceivers !== undefined || change.oneReceiver !== undefined
    const sized = isSized && this.#codeEnd === null ? this.#setPlaces(rules) : ok(null)
    if (!sized.ok) return sized
    const asked =
      rules.approve === this.#rules.approve
        ? ok(null)
        : ask({ type: 'set-approval', session, wanted: rules.approve })
    if (asked.ok) this.#rules = rules
    return asked
  }

  /** Somebody has a place now. */
  onReceiver(): void {
    this.#hasReceiver = true
    // A share that was opened for one receiver, and no longer is for one, has closed by itself.
    if (this.#options.rules.oneReceiver && !this.#rules.oneReceiver) this.#setPlaces(this.#rules)
  }

  /** Nobody new comes in by the present code. */
  end(why: CodeEnd): void {
    this.#codeEnd = why
    this.#setPlaces({ ...this.#rules, maxReceivers: 0 })
  }

  /** Another code follows, by which people come in. */
  renew(): Result<null, AppError> {
    const done = this.#codeEnd === null ? ok(null) : this.#setPlaces(this.#rules)
    if (!done.ok) return done
    this.#codeEnd = null
    this.#hasReceiver = false
    return done
  }

  /**
   * The engine closes a share after its first receiver by itself only if it was opened so, and then
   * after every change of the number. Otherwise one place does the same until that receiver is in.
   */
  #setPlaces({ maxReceivers, oneReceiver }: EntranceRules): Result<null, AppError> {
    const { session, rules, ask } = this.#options
    const count = oneReceiver && !rules.oneReceiver ? Math.min(maxReceivers, 1) : maxReceivers
    return ask({ type: 'set-max-receivers', session, count })
  }
}
