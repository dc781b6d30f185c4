/**
 * One pairing's exchange of bodies at public meeting points, which lose, repeat and reorder events. Messages are
 * numbered, acknowledged by the next message of the other side, and repeated; bodies arrive once and in order. Bodies of
 * about the same time share a message, because each event costs strangers' relays work.
 */
import type { Clock } from '#client/clock'
import { batchBounds, maxMessages, type Say } from '#client/meeting/messages'

/** The wait for further bodies, and for those soon after another message. */
const quietMs = 10
const batchMs = 100

/**
 * The delays before an unacknowledged message is repeated, and before the conversation then ends. Three attempts fit
 * into the time that a receive gives its sender for a proof.
 */
const repeatsMs = [1500, 3000, 6000, 15_000] as const

/** The wait for a message that can carry the acknowledgment; with a round trip it is shorter than the first delay. */
const ackMs = 700

/** A conversation without any message has ended. */
const silenceMs = 90_000

/** Limits messages that arrive ahead of a missing one. */
const maxAhead = 32

/** Limits the bodies that wait to be sent; a pairing needs a few dozen. */
const maxWaiting = 200

/** A side that leaves later than this after the last message is not missed. */
const missedMs = 10_000

/** Dependencies and callbacks of a conversation; none is called after `close`. */
export type ConversationOptions = {
  readonly clock: Clock
  /** Replaces the delays for the first message, which a host that is absent may answer later. */
  readonly firstRepeatsMs?: readonly number[]
  /** Sends a message; a repeated one is sent again. */
  readonly say: (message: Say) => void
  readonly onBody: (body: string) => void
  /** The other side has left, or doesn't answer. */
  readonly onGone: () => void
}

type Sent = { readonly bodies: readonly string[]; repeats: number; dueMs: number }

export class Conversation {
  readonly #options: ConversationOptions
  readonly #waiting: string[] = []
  /** Messages that the other side has not acknowledged. */
  readonly #unacknowledged = new Map<number, Sent>()
  /** Messages that arrived ahead of a missing one. */
  readonly #ahead = new Map<number, readonly string[]>()
  #sent = 0
  #received = 0
  #lastSentMs = 0
  #lastHeardMs: number
  #cancelBatch: (() => void) | null = null
  #cancelAck: (() => void) | null = null
  #cancelRepeat: () => void = () => undefined
  #cancelSilence: () => void = () => undefined
  #isClosed = false

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#lastHeardMs = options.clock.now()
    this.#awaitSilence()
  }

  /** Sends a body with the next message. */
  push(body: string): void {
    if (this.#isClosed || this.#waiting.length >= maxWaiting) return
    this.#waiting.push(body)
    const { clock } = this.#options
    const sinceMs = clock.now() - this.#lastSentMs
    this.#cancelBatch ??= clock.after(Math.max(quietMs, batchMs - sinceMs), () => this.flush())
  }

  /** Sends the next message now, even one without bodies. */
  flush(): void {
    this.#cancelBatch?.()
    this.#cancelBatch = null
    if (this.#isClosed || this.#sent >= maxMessages) return
    const n = this.#sent
    this.#sent += 1
    const dueMs = this.#options.clock.now() + (this.#repeatsOf(n)[0] ?? 0)
    this.#unacknowledged.set(n, { bodies: this.#nextBatch(), repeats: 0, dueMs })
    this.#say(n)
    this.#scheduleRepeat()
    if (this.#waiting.length > 0) this.flush()
  }

  /** Handles a message of the other side. */
  receive({ n, ack, bodies, bye }: Say): void {
    if (this.#isClosed) return
    this.#lastHeardMs = this.#options.clock.now()
    for (const sent of [...this.#unacknowledged.keys()]) {
      if (sent < ack) this.#unacknowledged.delete(sent)
    }
    this.#scheduleRepeat()
    if (n !== undefined) {
      const isNew = n >= this.#received && n < this.#received + maxAhead
      if (isNew) this.#ahead.set(n, bodies)
      this.#cancelAck ??= this.#options.clock.after(ackMs, () => this.#say())
      this.#deliver()
    }
    if (bye === true) this.#end()
  }

  /** Ends the conversation; `leaves` tells the other side, if it may be waiting. */
  close(leaves: boolean): void {
    if (this.#isClosed) return
    const isMissed = this.#options.clock.now() - this.#lastHeardMs < missedMs
    if (leaves && isMissed && this.#received > 0) this.#say(undefined, true)
    this.#stop()
  }

  #nextBatch(): readonly string[] {
    const batch: string[] = []
    let characters = 0
    for (;;) {
      const [next] = this.#waiting
      if (next === undefined || batch.length >= batchBounds.bodies) return batch
      characters += next.length
      if (batch.length > 0 && characters > batchBounds.characters) return batch
      batch.push(next)
      this.#waiting.shift()
    }
  }

  #say(n?: number, bye?: true): void {
    this.#cancelAck?.()
    this.#cancelAck = null
    this.#lastSentMs = this.#options.clock.now()
    const bodies = n === undefined ? [] : (this.#unacknowledged.get(n)?.bodies ?? [])
    this.#options.say({
      t: 'say',
      ...(n !== undefined && { n }),
      ack: this.#received,
      bodies: [...bodies],
      ...(bye && { bye }),
    })
  }

  #deliver(): void {
    for (;;) {
      const bodies = this.#ahead.get(this.#received)
      if (bodies === undefined || this.#isClosed) return
      this.#ahead.delete(this.#received)
      this.#received += 1
      for (const body of bodies) this.#options.onBody(body)
    }
  }

  #repeatsOf(n: number): readonly number[] {
    return (n === 0 ? this.#options.firstRepeatsMs : undefined) ?? repeatsMs
  }

  #scheduleRepeat(): void {
    this.#cancelRepeat()
    const due = Math.min(...[...this.#unacknowledged.values()].map(({ dueMs }) => dueMs))
    if (due === Infinity) return
    const { clock } = this.#options
    this.#cancelRepeat = clock.after(Math.max(0, due - clock.now()), () => this.#repeat())
  }

  #repeat(): void {
    const nowMs = this.#options.clock.now()
    for (const [n, sent] of this.#unacknowledged) {
      if (sent.dueMs > nowMs) continue
      sent.repeats += 1
      const nextMs = this.#repeatsOf(n)[sent.repeats]
      if (nextMs === undefined) {
        this.#end()
        return
      }
      sent.dueMs = nowMs + nextMs
      this.#say(n)
    }
    this.#scheduleRepeat()
  }

  #awaitSilence(): void {
    const { clock } = this.#options
    const leftMs = this.#lastHeardMs + silenceMs - clock.now()
    if (leftMs <= 0) this.#end()
    else this.#cancelSilence = clock.after(leftMs, () => this.#awaitSilence())
  }

  #end(): void {
    if (this.#isClosed) return
    this.#stop()
    this.#options.onGone()
  }

  #stop(): void {
    this.#isClosed = true
    for (const cancel of [this.#cancelRepeat, this.#cancelSilence]) cancel()
    this.#cancelBatch?.()
    this.#cancelAck?.()
  }
}
