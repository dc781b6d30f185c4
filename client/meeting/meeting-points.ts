/**
 * Several public meeting points as one: each event goes to all that are open, and a few that fail are replaced by the
 * next ones of the list. An open socket proves nothing, because a relay may silently refuse us. A point therefore counts
 * only once it has answered the subscription or, for a host, has returned the host's own event.
 */
import type { Clock } from '#client/clock'
import {
  decodePointFrame,
  eventFrame,
  type EventSigner,
  type PointFrame,
  requestFrame,
} from '#client/meeting/nostr-event'
import type { PointClocks } from '#client/meeting/point-clocks'
import type { OpenPoint, PointSocket } from '#client/meeting/point-socket'
import { reconnectDelayMs } from '#client/signaling/signaling-client'
import { type AppError, appError } from '#shared/errors'
import { serverName } from '#shared/signaling/server-url'

/** The time for a socket to open and for the point to prove itself. */
const proofMs = 8000

/** The time after which a host's event that has not returned is repeated. */
const proveAgainMs = 2500

/** The silence after which we ping, and the limit for the answer. */
const pingAfterMs = 30_000
const pongMs = 15_000

/** The frames of one point: a bucket of this size, refilled at this rate. */
const frameBurst = 200
const framesPerMs = 0.05

/** A point that has refused an event or a subscription this often is left alone for a day. */
const maxRefusals = 3
const refusedMs = 24 * 3600 * 1000

/** Events that are sent again to a point that opens later, and their age. */
const maxRecent = 16
const recentMs = 10_000

/** The age of events that a subscription still receives, in seconds: some relays keep them for minutes. */
const sinceS = 60

/** Refusals of a process, by address. */
export class RefusedPoints {
  readonly #refusals = new Map<string, { count: number; lastMs: number }>()

  note(url: string, nowMs: number): void {
    const count = (this.#refusals.get(url)?.count ?? 0) + 1
    this.#refusals.set(url, { count, lastMs: nowMs })
  }

  has(url: string, nowMs: number): boolean {
    const { count = 0, lastMs = 0 } = this.#refusals.get(url) ?? {}
    return count >= maxRefusals && nowMs - lastMs < refusedMs
  }
}

/** Dependencies and callbacks of meeting points; none is called after `close`. */
export type MeetingPointsOptions = {
  /** Addresses, the preferred ones first. */
  readonly urls: readonly string[]
  /** The number of points that are used at the same time. */
  readonly most: number
  /** The topics to listen to at first; at least one. */
  readonly topics: readonly string[]
  readonly signer: EventSigner
  /** Makes the content of a host's first event at each point, for the first one of its topics. */
  readonly greeting?: (topic: string) => string
  readonly clock: Clock
  readonly random: () => number
  readonly open: OpenPoint
  readonly refused: RefusedPoints
  readonly clocks: PointClocks
  readonly onContent: (content: string, topic: string) => void
  /** A point takes events, though it may not pass them on. */
  readonly onOpen?: () => void
  /** A point is usable. */
  readonly onReady: () => void
  /** `clocks.aheadMs` has changed. */
  readonly onClock?: () => void
  /** No point is usable, and all were tried since the last one was; more attempts follow. */
  readonly onLost: (error: AppError) => void
}

type Point = {
  readonly url: string
  socket: PointSocket | null
  isOpen: boolean
  isReady: boolean
  failures: number
  /** The next attempt's earliest time. */
  notBeforeMs: number
  tokens: number
  countedMs: number
  cancel: () => void
}

export class MeetingPoints {
  readonly #options: MeetingPointsOptions
  readonly #points: readonly Point[]
  #topics: readonly string[]
  #most: number
  #recent: { readonly frame: string; readonly atMs: number }[] = []
  #cancelNext: () => void = () => undefined
  #isLost = false
  #isClosed = false

  constructor(options: MeetingPointsOptions) {
    this.#options = options
    this.#topics = options.topics
    this.#most = options.most
    this.#points = options.urls.map((url) => ({
      url,
      socket: null,
      isOpen: false,
      isReady: false,
      failures: 0,
      notBeforeMs: 0,
      tokens: frameBurst,
      countedMs: 0,
      cancel: () => undefined,
    }))
  }

  /** True if a point is usable. */
  get isReady(): boolean {
    return this.#points.some(({ isReady }) => isReady)
  }

  /** Opens the first sockets. */
  start(): void {
    this.#fill()
    if (this.#points.every(({ socket }) => socket === null)) {
      this.#isLost = true
      this.#options.onLost(appError('E_SERVER_UNREACHABLE', 'all meeting points refuse us'))
    }
  }

  /** Uses more points. */
  widen(most: number): void {
    this.#most = most
    this.#fill()
  }

  /** Listens to these topics instead; at least one. */
  listen(topics: readonly string[]): void {
    if (topics.join() === this.#topics.join()) return
    this.#topics = topics
    for (const { socket, isOpen } of this.#points) if (isOpen) socket?.send(this.#request)
  }

  /** Publishes an event to all points that are open, and to those that open soon. */
  say(topic: string, content: string): void {
    const { signer, clock } = this.#options
    const nowMs = clock.now()
    const frame = eventFrame(signer.sign(topic, content, this.#seconds))
    this.#recent = [...this.#recent, { frame, atMs: nowMs }].slice(-maxRecent)
    for (const { socket, isOpen } of this.#points) if (isOpen) socket?.send(frame)
  }

  /** Call it when the computer wakes up: all sockets are opened again. */
  onWake(): void {
    for (const point of this.#points) {
      point.notBeforeMs = 0
      if (point.socket !== null) this.#drop(point)
    }
    this.#fill()
  }

  close(): void {
    this.#isClosed = true
    this.#cancelNext()
    for (const point of this.#points) this.#drop(point)
  }

  get #request(): string {
    return requestFrame(this.#topics, this.#seconds - sinceS)
  }

  /** The time by the points' clocks, in Unix seconds. */
  get #seconds(): number {
    return Math.floor((this.#options.clock.now() + this.#options.clocks.aheadMs) / 1000)
  }

  /** Opens the next points until enough of them are in use. */
  #fill(): void {
    if (this.#isClosed) return
    this.#cancelNext()
    const { clock, refused } = this.#options
    const nowMs = clock.now()
    const idle = this.#points.filter(
      ({ url, socket }) => socket === null && !refused.has(url, nowMs),
    )
    let missing = this.#most - this.#points.filter(({ socket }) => socket !== null).length
    for (const point of idle) {
      if (missing <= 0) return
      if (point.notBeforeMs > nowMs) continue
      missing -= 1
      this.#open(point)
    }
    const nextMs = Math.min(
      ...idle.map(({ notBeforeMs }) => notBeforeMs).filter((ms) => ms > nowMs),
    )
    if (missing > 0 && nextMs !== Infinity) {
      this.#cancelNext = clock.after(nextMs - nowMs, () => this.#fill())
    }
  }

  #open(point: Point): void {
    const { clock, open } = this.#options
    point.tokens = frameBurst
    point.countedMs = clock.now()
    point.cancel = clock.after(proveAgainMs, () => {
      if (point.isOpen) this.#greet(point)
      const leftMs = proofMs - proveAgainMs
      point.cancel = clock.after(leftMs, () => this.#fail(point, unanswered(point.url)))
    })
    const socket = open(point.url, {
      onOpen: (dateMs) => {
        point.isOpen = true
        if (dateMs !== null) this.#noteClock(point.url, dateMs)
        socket.send(this.#request)
        this.#greet(point)
        const since = clock.now() - recentMs
        for (const { frame, atMs } of this.#recent) if (atMs >= since) socket.send(frame)
        this.#options.onOpen?.()
      },
      onText: (text) => this.#onText(point, text),
      onPong: () => this.#onHeard(point),
      onClosed: (error) => this.#fail(point, error),
    })
    point.socket = socket
  }

  /** Sends a host's own event, by whose return the point proves itself. */
  #greet({ socket }: Point): void {
    const { signer, greeting } = this.#options
    const [topic] = this.#topics
    if (greeting === undefined || topic === undefined) return
    socket?.send(eventFrame(signer.sign(topic, greeting(topic), this.#seconds)))
  }

  #noteClock(url: string, dateMs: number): void {
    const { clock, clocks, onClock } = this.#options
    if (clocks.note(url, dateMs - clock.now())) onClock?.()
  }

  #onText(point: Point, text: string): void {
    if (!this.#mayTell(point)) {
      this.#refuse(point, 'too many frames')
      return
    }
    const frame = decodePointFrame(text)
    if (frame !== null) this.#onFrame(point, frame)
  }

  #onFrame(point: Point, frame: PointFrame): void {
    const { signer, greeting, onContent } = this.#options
    switch (frame.t) {
      case 'end':
        if (greeting === undefined) this.#prove(point)
        break
      case 'ok':
        if (frame.accepted || frame.reason.startsWith('duplicate')) break
        // A new socket tells the time again, if this computer's clock was set.
        if (frame.reason.startsWith('invalid')) this.#fail(point, refused(point.url, frame.reason))
        else this.#refuse(point, frame.reason)
        break
      case 'closed':
        this.#refuse(point, frame.reason)
        break
      case 'event':
        if (!this.#topics.includes(frame.topic)) break
        if (frame.pubkey === signer.publicKey) this.#prove(point)
        else {
          if (point.isReady) this.#onHeard(point)
          onContent(frame.content, frame.topic)
        }
        break
    }
  }

  /** False for a point that sends more than any honest one. */
  #mayTell(point: Point): boolean {
    const nowMs = this.#options.clock.now()
    const gained = Math.max(0, nowMs - point.countedMs) * framesPerMs
    point.tokens = Math.min(frameBurst, point.tokens + gained) - 1
    point.countedMs = nowMs
    return point.tokens >= 0
  }

  #prove(point: Point): void {
    if (point.isReady) return
    point.isReady = true
    point.failures = 0
    this.#isLost = false
    this.#onHeard(point)
    this.#options.onReady()
  }

  #onHeard(point: Point): void {
    if (!point.isReady) return
    const { clock } = this.#options
    point.cancel()
    point.cancel = clock.after(pingAfterMs, () => {
      point.socket?.ping()
      point.cancel = clock.after(pongMs, () => this.#fail(point, unanswered(point.url)))
    })
  }

  #refuse(point: Point, reason: string): void {
    this.#options.refused.note(point.url, this.#options.clock.now())
    this.#fail(point, refused(point.url, reason))
  }

  #fail(point: Point, error: AppError): void {
    if (this.#isClosed || point.socket === null) return
    this.#drop(point)
    const { clock, random, onLost } = this.#options
    point.failures += 1
    point.notBeforeMs = clock.now() + reconnectDelayMs(point.failures, random)
    this.#fill()
    const isHopeful = this.#points.some(({ socket, failures }) => socket !== null && failures === 0)
    if (this.isReady || isHopeful || this.#isLost) return
    this.#isLost = true
    onLost(error)
  }

  #drop(point: Point): void {
    point.cancel()
    point.socket?.close()
    Object.assign(point, { socket: null, isOpen: false, isReady: false })
  }
}

const refused = (url: string, reason: string): AppError =>
  appError('E_RATE_LIMITED', reason, serverName(url))

const unanswered = (url: string): AppError =>
  appError('E_SERVER_UNREACHABLE', 'no answer in time', serverName(url))
