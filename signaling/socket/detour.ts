/**
 * A relay of last resort for one pair (normative: docs/signaling.md#detours): two WebSockets, each of which gets the
 * bytes of the other. What waits in between is bounded by not reading on, so nothing is lost and nothing piles up.
 */
import type { RawData, WebSocket } from 'ws'
import { type CloseCode, closeCodes, maxDetourMessageBytes } from '#shared/signaling/messages'
import type { Clock } from '#signaling/clock'
import type { Count } from '#signaling/metrics/metric'

/** Bounds of one detour. */
export type DetourRules = {
  /** Both directions together. */
  readonly bytesPerSecond: number
  /** The same for as long as it lasts. */
  readonly bytes: number
  /** How long the first side may wait for the other, ms. */
  readonly waitMs: number
  /** How long it may last, ms: whoever says little holds a place as well as others. */
  readonly lifeMs: number
  /** How long nothing may pass, ms. */
  readonly idleMs: number
  /** How long a client may take to answer a close, ms. */
  readonly closingMs: number
}

/** Bytes that may wait for one side before the other is read no further: about one burst. */
const maxWaiting = 64 * 1024

/** The same of messages, each of which takes some hundred bytes of memory, or a few thousand, however short it is. */
const maxMessagesWaiting = 64

/** What the least message counts towards the rate and the sum: each costs work and a packet, however short it is. */
const minCountedBytes = 256

/** Why a side is not read at present. */
type Pause = 'backlog' | 'rate'

/** One of the two, once it is there. */
type Side = {
  readonly socket: WebSocket
  readonly pauses: Set<Pause>
  /** For this side, of what was read of the other at once: it leaves as one message. */
  batch: Buffer[]
  /** Messages to it that the system has yet to take. */
  waiting: number
}

/** From its first side to the end of both. */
export class Detour {
  readonly #rules: DetourRules
  readonly #clock: Clock
  readonly #carried: Count
  readonly #onEnd: () => void
  readonly #sides: Side[] = []
  /** Sockets whose end is awaited. */
  #open = 0
  #left: number
  /** What may pass at once, below zero when more has; as of `#filledAt`. */
  #allowance: number
  #filledAt: number
  #movedAt: number
  readonly #begunAt: number
  #isOver = false
  #cancelClosing: () => void = () => undefined

  /** Counts what it carries in `carried`; `onEnd` is called when both sockets have ended. */
  constructor(rules: DetourRules, clock: Clock, carried: Count, onEnd: () => void) {
    this.#rules = rules
    this.#clock = clock
    this.#carried = carried
    this.#onEnd = onEnd
    this.#left = rules.bytes
    this.#allowance = rules.bytesPerSecond
    this.#filledAt = clock.now()
    this.#movedAt = this.#filledAt
    this.#begunAt = this.#filledAt
  }

  /** Takes the first or the second side in; both are told when they are there. */
  enter(socket: WebSocket): void {
    const side: Side = { socket, pauses: new Set(), batch: [], waiting: 0 }
    this.#sides.push(side)
    this.#open += 1
    this.#movedAt = this.#clock.now()
    socket.on('message', (data, isBinary) => this.#onMessage(side, data, isBinary))
    // The library's own answers would pile up for a client that doesn't read.
    socket.on('ping', (data: Buffer) => {
      if (this.#take(side, data.length) && !isFull(side)) {
        socket.pong(Buffer.from(data), false, this.#waitFor(side))
      }
    })
    socket.on('pong', (data: Buffer) => this.#take(side, data.length))
    // The library closes with the fitting code itself; the listener keeps that from being a crash.
    socket.on('error', () => undefined)
    socket.once('close', () => this.#onClose())
    if (this.#isOver) end(side, closeCodes.ended)
    else if (this.#sides.length === 2) for (const each of this.#sides) each.socket.send(nothing)
  }

  /** Ends both sides. */
  close(code: CloseCode): void {
    this.#close(() => code)
  }

  #close(codeFor: (side: Side) => CloseCode): void {
    if (this.#isOver) return
    for (const side of this.#sides) this.#flush(side)
    this.#isOver = true
    for (const side of this.#sides) end(side, codeFor(side))
    this.#cancelClosing = this.#clock.after(this.#rules.closingMs, () => this.terminate())
  }

  /** Bytes that wait for the two. */
  get bufferedBytes(): number {
    return this.#sides.reduce((sum, { socket }) => sum + socket.bufferedAmount, 0)
  }

  /** Ends both without a handshake. */
  terminate(): void {
    for (const { socket } of this.#sides) socket.terminate()
  }

  /** To be called about once a second. */
  tick(): void {
    const now = this.#clock.now()
    const quietMs = now - this.#movedAt
    if (this.#sides.length < 2 && quietMs >= this.#rules.waitMs) this.close(closeCodes.ended)
    if (quietMs >= this.#rules.idleMs) this.close(closeCodes.idle)
    if (now - this.#begunAt >= this.#rules.lifeMs) this.close(closeCodes.quota)
  }

  #onClose(): void {
    this.#open -= 1
    this.close(closeCodes.ended)
    if (this.#open > 0) return
    this.#cancelClosing()
    this.#onEnd()
  }

  #otherOf(side: Side): Side | undefined {
    return this.#sides.find((other) => other !== side)
  }

  #onMessage(from: Side, data: RawData, isBinary: boolean): void {
    const to = this.#otherOf(from)
    if (this.#isOver) return
    if (!isBinary || to === undefined) {
      const why = isBinary ? closeCodes.order : closeCodes.binary
      this.#close((side) => (side === from ? why : closeCodes.ended))
      return
    }
    const bytes = (data as Buffer).length
    if (!this.#take(from, bytes)) return
    this.#movedAt = this.#clock.now()
    this.#carried.add(bytes)
    to.batch.push(data as Buffer)
    if (to.batch.length === 1) queueMicrotask(() => this.#flush(to))
  }

  /**
   * A pause begins only behind what was read at once, which may be thousands of messages. Each is a view of all that was read, and so
   * is copied before it waits.
   */
  #flush(to: Side): void {
    if (to.batch.length === 0) return
    const data = Buffer.concat(to.batch)
    to.batch = []
    for (let at = 0; at < data.length; at += maxDetourMessageBytes) {
      to.socket.send(data.subarray(at, at + maxDetourMessageBytes), this.#waitFor(to))
    }
    const from = this.#otherOf(to)
    if (from !== undefined && isFull(to)) this.#hold(from, 'backlog')
  }

  /** Counts a message to one side until the system has taken it, when what is returned has to be called. */
  #waitFor(to: Side): () => void {
    to.waiting += 1
    return () => {
      to.waiting -= 1
      const from = this.#otherOf(to)
      if (from !== undefined && !isFull(to)) this.#goOn(from, 'backlog')
    }
  }

  /** False when it is over. Who sends faster than the two may is read later. */
  #take(from: Side, bytes: number): boolean {
    if (this.#isOver) return false
    const counted = Math.max(bytes, minCountedBytes)
    this.#left -= counted
    if (this.#left < 0) {
      this.close(closeCodes.quota)
      return false
    }
    const { bytesPerSecond } = this.#rules
    const now = this.#clock.now()
    const refill = ((now - this.#filledAt) / 1000) * bytesPerSecond
    this.#allowance = Math.min(bytesPerSecond, this.#allowance + refill) - counted
    this.#filledAt = now
    if (this.#allowance >= 0 || from.pauses.has('rate')) return true
    this.#hold(from, 'rate')
    const pauseMs = Math.ceil((-this.#allowance / bytesPerSecond) * 1000)
    this.#clock.after(pauseMs, () => this.#goOn(from, 'rate'))
    return true
  }

  #hold({ socket, pauses }: Side, why: Pause): void {
    pauses.add(why)
    socket.pause()
  }

  #goOn({ socket, pauses }: Side, why: Pause): void {
    if (pauses.delete(why) && pauses.size === 0) socket.resume()
  }
}

const isFull = ({ socket, waiting }: Side): boolean =>
  socket.bufferedAmount > maxWaiting || waiting > maxMessagesWaiting

function end({ socket }: Side, code: CloseCode): void {
  // Its answer is to be read.
  socket.resume()
  socket.close(code)
}

/** The other side is there. */
const nothing = Buffer.alloc(0)
