/** The calls of one share to nearby computers. */
import type { Clock } from '#client/clock'
import type { SharePlace } from '#client/nearby/call-messages'
import type { Nearby } from '#client/nearby/nearby'
import type { OutgoingCall } from '#client/nearby/outgoing-call'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import { isSettled, type NearbyCall, type NearbyId } from '#shared/state/nearby'

/** Dependencies of `ShareCalls`. */
export type ShareCallsOptions = {
  readonly clock: Clock
  readonly call: Nearby['call']
  readonly summary: () => string
  /** The number of receivers that have joined by the words of the share. */
  readonly joined: () => number
  readonly onChange: (calls: readonly NearbyCall[]) => void
}

/** A computer with the words of a share joins within a second; it may have to find a route. */
const joinMs = 60_000

/** Each share has one. */
export class ShareCalls {
  readonly #options: ShareCallsOptions
  readonly #calls = new Map<NearbyId, OutgoingCall>()
  readonly #ends = new Map<NearbyId, NearbyCall>()
  #place: SharePlace | null = null
  #cancels: readonly (() => void)[] = []

  constructor(options: ShareCallsOptions) {
    this.#options = options
  }

  get all(): readonly NearbyCall[] {
    return [...this.#calls].map(([id, { call }]) => this.#ends.get(id) ?? call)
  }

  /** True unless an answer of either side is missing, or a computer that may join has not. */
  get isAnswered(): boolean {
    const all = this.all
    const joining = all.filter(({ phase }) => phase === 'joining').length
    return all.every(isSettled) && this.#options.joined() >= joining
  }

  /** Calls a computer, also again after its last call has ended. */
  call(id: NearbyId): Result<null, AppError> {
    const before = this.#ends.get(id) ?? this.#calls.get(id)?.call
    if (before !== undefined && !isSettled(before)) return ok(null)
    if (this.#calls.size >= limits.nearbyComputers) return err(appError('E_LIMIT_EXCEEDED'))
    const { call, summary, onChange } = this.#options
    const made = call(id, summary, (changed) => {
      if (changed.phase === 'joining') this.#expect(id)
      onChange(this.all)
    })
    if (!made.ok) return made
    this.#ends.delete(id)
    this.#calls.set(id, made.value)
    if (this.#place !== null) made.value.sharedAt(this.#place)
    made.value.start()
    onChange(this.all)
    return ok(null)
  }

  /** A person has compared the number: it is right, or the call ends. */
  compare(id: NearbyId, isRight: boolean): void {
    const call = this.#calls.get(id)
    if (call === undefined || isSettled(call.call)) return
    if (isRight) call.confirm()
    else this.#stop(id, call, 'differs')
  }

  /** The share can be joined at this place. */
  sharedAt(place: SharePlace): void {
    this.#place = place
    for (const call of this.#calls.values()) call.sharedAt(place)
  }

  /** Ends all calls. Resolves when their sockets are closed. */
  async end(): Promise<void> {
    for (const cancel of this.#cancels) cancel()
    await Promise.all([...this.#calls.values()].map((call) => call.end()))
  }

  #expect(id: NearbyId): void {
    const cancel = this.#options.clock.after(joinMs, () => {
      const call = this.#calls.get(id)
      if (call !== undefined && !this.isAnswered) this.#stop(id, call, 'gone')
    })
    this.#cancels = [...this.#cancels, cancel]
  }

  #stop(id: NearbyId, call: OutgoingCall, phase: NearbyCall['phase']): void {
    void call.end()
    this.#ends.set(id, { ...call.call, phase })
    this.#options.onChange(this.all)
  }
}
