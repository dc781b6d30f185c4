/**
 * A relay of last resort for one pair (normative: docs/signaling.md#server-relays): two WebSockets that receive each other's
 * bytes. Its buffers are limited by pausing the reads, so nothing is lost and memory stays bounded.
 */
import type { RawData, WebSocket } from 'ws'
import { type CloseCode, closeCodes, maxServerRelayMessageBytes } from '#shared/signaling/messages'
import type { Clock } from '#signaling/clock'
import type { Count } from '#signaling/metrics/metric'

/** Limits of one server relay. */
export type ServerRelayRules = {
  /** Bytes per second in both directions together. */
  readonly bytesPerSecond: number
  /** Total bytes in both directions. */
  readonly bytes: number
  /** Time for the first side to wait for the other, ms. */
  readonly waitMs: number
  /** Maximum lifetime, ms: even a quiet server relay occupies a place. */
  readonly lifeMs: number
  /** Maximum time without traffic, ms. */
  readonly idleMs: number
  /** Time for a client to answer a close, ms. */
  readonly closingMs: number
}

/** Bytes that may wait for one side before reading from the other pauses: about one burst. */
const maxWaiting = 64 * 1024

/** The same limit in messages: even a short one takes hundreds to thousands of bytes of memory. */
const maxMessagesWaiting = 64

/** The minimum that a message counts towards rate and total: even a short one costs work and a packet. */
const minCountedBytes = 256

/** Reasons to pause reading from a side. */
type Pause = 'backlog' | 'rate'

type Side = {
  readonly socket: WebSocket
  readonly pauses: Set<Pause>
  /** Messages for this side from one read of the other; they leave as one message. */
  batch: Buffer[]
  /** Messages to it that the system hasn't accepted yet. */
  waiting: number
}

/** The relay of one pair, from its first side to the end of both. */
export class ServerRelay {
  readonly #rules: ServerRelayRules
  readonly #clock: Clock
  readonly #carried: Count
  readonly #onEnd: () => void
  readonly #sides: Side[] = []
  /** Sockets that haven't ended yet. */
  #open = 0
  #left: number
  /** Bytes that may pass immediately, negative after an excess; as of `#filledAt`. */
  #allowance: number
  #filledAt: number
  #movedAt: number
  readonly #begunAt: number
  #isOver = false
  #cancelClosing: () => void = () => undefined

  /** Counts relayed bytes in `carried`; calls `onEnd` once both sockets have ended. */
  constructor(rules: ServerRelayRules, clock: Clock, carried: Count, onEnd: () => void) {
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

  /** Adds the first or the second side; both are notified once they are connected. */
  enter(socket: WebSocket): void {
    const side: Side = { socket, pauses: new Set(), batch: [], waiting: 0 }
    this.#sides.push(side)
    this.#open += 1
    this.#movedAt = this.#clock.now()
    socket.on('message', (data, isBinary) => this.#onMessage(side, data, isBinary))
    // The library's own pongs would pile up for a client that doesn't read.
    socket.on('ping', (data: Buffer) => {
      if (this.#take(side, data.length) && !isFull(side)) {
        socket.pong(Buffer.from(data), false, this.#waitFor(side))
      }
    })
    socket.on('pong', (data: Buffer) => this.#take(side, data.length))
    // The library closes with the right code itself; the listener prevents a crash.
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

  /** Bytes buffered for both sides. */
  get bufferedBytes(): number {
    return this.#sides.reduce((sum, { socket }) => sum + socket.bufferedAmount, 0)
  }

  /** Ends both sides without a closing handshake. */
  terminate(): void {
    for (const { socket } of this.#sides) socket.terminate()
  }

  /** Checks deadlines; call it about once a second. */
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
   * Sends the batch. A pause takes effect only after the current read, which may contain thousands of messages. Each of
   * them is a view of the whole read, and so is copied before it waits.
   */
  #flush(to: Side): void {
    if (to.batch.length === 0) return
    const data = Buffer.concat(to.batch)
    to.batch = []
    for (let at = 0; at < data.length; at += maxServerRelayMessageBytes) {
      to.socket.send(data.subarray(at, at + maxServerRelayMessageBytes), this.#waitFor(to))
    }
    const from = this.#otherOf(to)
    if (from !== undefined && isFull(to)) this.#hold(from, 'backlog')
  }

  /** Counts a message to one side; call the result once the system has accepted it. */
  #waitFor(to: Side): () => void {
    to.waiting += 1
    return () => {
      to.waiting -= 1
      const from = this.#otherOf(to)
      if (from !== undefined && !isFull(to)) this.#goOn(from, 'backlog')
    }
  }

  /** Returns false once the server relay is over. Reading pauses for a side that exceeds the rate. */
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
  // Its answer must be read.
  socket.resume()
  socket.close(code)
}

/** An empty message announces the other side. */
const nothing = Buffer.alloc(0)
