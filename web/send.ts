/** One sending of a page: its files, and as many attempts as lost connections require. */
import { type ErrorCode, isPassing, isPassingOnReturn } from '#shared/errors'
import { Attempt, type ConnectionEvents, type End, type Surroundings } from './attempt'
import type { ChosenEntry } from './chosen'
import { DirectPermit } from './direct-permit'
import type { Totals } from './engine/module'
import type { KeptSendIds } from './storage/send-ids'

/** Events of a sending that a page shows. */
export type SendEvents = ConnectionEvents & {
  /** The requester's person made their choice: data flows. */
  readonly accepted: () => void
  readonly entryFailed: (path: string, code: ErrorCode) => void
  /** The end; `null` if the requester has everything it wants. */
  readonly over: (end: End | null) => void
}

/** The options of a sending. */
export type SendOptions = Surroundings & {
  /** The same for all attempts, also those of a page that was opened again. */
  readonly ids: KeptSendIds
  readonly events: SendEvents
  /** Delays before attempts after a lost connection, ms; the sending ends after the last. */
  readonly retryMs?: readonly number[]
}

/** Ten minutes in total, as long as a requester waits. */
const defaultRetryMs = [500, 1000, 2000, 5000, 10_000, ...Array.from({ length: 20 }, () => 30_000)]

/** The error of a file that can't be read. Browsers refuse to read a file that has changed. */
function readError(reason: unknown): ErrorCode {
  const name = reason instanceof Error ? reason.name : ''
  if (name === 'NotFoundError') return 'E_PATH_NOT_FOUND'
  return name === 'NotReadableError' ? 'E_SOURCE_CHANGED' : 'E_PATH_UNREADABLE'
}

/** The bytes of hexadecimal digits. */
const bytesOf = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16))

/** Sends until the requester has everything, or until an error that no attempt can change. */
export class Send {
  readonly #options: SendOptions
  /** Other files have other versions, so each page begins with an id of its own. */
  readonly #files = crypto.getRandomValues(new Uint8Array(16))
  readonly #failed = new Set<number>()
  #entries: readonly ChosenEntry[] | null = null
  #attempt: Attempt | null = null
  #totals: Totals | null = null
  #retries = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #permit = new DirectPermit()
  #hasBegun = false
  #isGreeted = false
  /** An earlier attempt was greeted. */
  #wasGreeted = false
  #isAccepted = false
  #isPaused = false
  #isOver = false

  constructor(options: SendOptions) {
    this.#options = options
  }

  /** Connects; the result arrives in events. */
  start(): Promise<void> {
    return this.#begin()
  }

  /** Offers these files and folders; once. */
  offer(entries: readonly ChosenEntry[]): void {
    this.#entries ??= entries
    if (this.#attempt === null && this.#hasBegun && !this.#isOver) void this.#begin()
    else if (this.#isGreeted) this.#offer()
  }

  /** Pauses or resumes. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#attempt?.setPaused(isPaused)
  }

  /** Ends the sending; `over` follows. */
  cancel(): void {
    clearTimeout(this.#timer)
    if (this.#attempt === null) this.#end({ code: 'E_CANCELLED', detail: '' })
    else this.#attempt.end('E_CANCELLED')
  }

  /** The present figures; those of the last attempt until the next one is accepted, and `null` before there are any. */
  totals(): Totals | null {
    if (this.#isAccepted) this.#totals = this.#attempt?.totals() ?? this.#totals
    return this.#totals
  }

  async #begin(): Promise<void> {
    const { events, ids, ...surroundings } = this.#options
    this.#hasBegun = true
    this.#isGreeted = false
    this.#isAccepted = false
    const nothing = (): undefined => undefined
    /** The bytes of earlier reads are passed on first. */
    let reads = Promise.resolve()
    const attempt = new Attempt({
      ...surroundings,
      ids: { join: ids.join, share: bytesOf(ids.share), files: this.#files },
      mayGoDirect: this.#permit.take(this.#missing()),
      events: {
        welcomed: (limits) => {
          this.#permit.learn(limits)
          events.welcomed(limits)
        },
        moved: events.moved,
        directLost: () => this.#permit.lose(),
        paired: events.paired,
        connected: nothing,
        greeted: (requester) => {
          this.#isGreeted = true
          events.greeted(requester)
          // The module may not be called from its events.
          queueMicrotask(() => this.#offer())
        },
        accepted: () => {
          this.#retries = 0
          this.#isAccepted = true
          events.reconnecting(false)
          events.accepted()
        },
        read: (index, offset, length) => {
          const bytes = this.#read(index, offset, length)
          bytes.catch(nothing)
          reads = reads.then(() => answer(attempt, bytes))
        },
        entryFailed: (index, code) => {
          const isNew = this.#failed.size < this.#failed.add(index).size
          if (isNew) events.entryFailed(this.#entries?.[index]?.path ?? '', code as ErrorCode)
        },
        peerPaused: events.peerPaused,
        over: (end) => this.#onOver(end),
        ...{ origin: nothing, leftOut: nothing, approvalAwaited: nothing, entry: nothing },
        ...{ offered: nothing, removed: nothing, data: nothing, hole: nothing, lost: nothing },
        ...{ validator: nothing, segment: nothing, file: nothing },
      },
    })
    this.#attempt = attempt
    await attempt.start()
  }

  /** Bytes that the requester doesn't have, as far as this page knows. */
  #missing(): number {
    if (this.#totals !== null) return this.#totals.totalBytes - this.#totals.bytes
    return (this.#entries ?? []).reduce((sum, { file }) => sum + (file?.size ?? 0), 0)
  }

  #offer(): void {
    const [attempt, entries] = [this.#attempt, this.#entries]
    if (attempt === null || entries === null || !this.#isGreeted) return
    attempt.call((module) => {
      const isAllowed = entries.every(({ path, file, modifiedMs }) =>
        module.add(path, file === null ? 'folder' : 'file', file?.size ?? 0, modifiedMs),
      )
      if (isAllowed) module.offer()
      else module.end('E_LIMIT_EXCEEDED')
    })
    if (this.#isPaused) attempt.setPaused(true)
  }

  async #read(index: number, offset: number, length: number): Promise<Uint8Array> {
    const file = this.#entries?.[index]?.file ?? new Blob()
    return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())
  }

  #onOver(end: End | null): void {
    this.totals()
    this.#attempt = null
    if (this.#isOver) return
    const isReturning = this.#wasGreeted && !this.#isGreeted
    this.#wasGreeted ||= this.#isGreeted
    // A requester doesn't wait long for an offer. The next attempt follows the person's choice.
    if (this.#isGreeted && this.#entries === null && end?.code !== 'E_CANCELLED') {
      // It may not be direct.
      this.#options.events.welcomed(this.#permit.limits)
      return
    }
    const retryMs = this.#options.retryMs ?? defaultRetryMs
    const delayMs = retryMs[this.#retries]
    const mayPass = isReturning ? isPassingOnReturn : isPassing
    if (end === null || !mayPass(end) || delayMs === undefined) {
      this.#end(end)
      return
    }
    this.#retries += 1
    this.#options.events.reconnecting(true)
    this.#timer = setTimeout(() => void this.#begin(), delayMs)
  }

  #end(end: End | null): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#options.events.over(end)
  }
}

async function answer(attempt: Attempt, bytes: Promise<Uint8Array>): Promise<void> {
  try {
    const all = await bytes
    attempt.call((module) => module.readDone(all))
  } catch (reason) {
    attempt.call((module) => module.readFailed(readError(reason)))
  }
}
