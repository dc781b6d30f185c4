/**
 * Mailboxes of contacts at public meeting points, behind the surface of a signaling client. Each mailbox is a door that
 * only the two contacts know, at the first points of its own order that work; mailboxes with a point in common share its
 * socket. An idle listener sends nothing.
 */
import { randomBytes } from 'node:crypto'
import {
  dayMarginMs,
  type MeetingSeams,
  meetingUrl,
  ofPoints,
} from '#client/meeting/meeting-client'
import { dayOf, type Door, keyDoorOf, replyDoorOf } from '#client/meeting/meeting-door'
import { MeetingPoints } from '#client/meeting/meeting-points'
import { openMessage, sealMessage } from '#client/meeting/messages'
import { EventSigner } from '#client/meeting/nostr-event'
import { PointClocks } from '#client/meeting/point-clocks'
import type { SignalingConnection, SignalingOptions } from '#client/signaling/signaling-client'
import type { AppError } from '#shared/errors'
import { type ClientMessage, maxMailboxes } from '#shared/signaling/messages'

/** Points of each mailbox; a sender uses more. */
const pointsOfMailbox = 2

/** A failed point is tried again after this time, or earlier if no other is left. */
const restMs = 5 * 60_000
const lonelyRestMs = 30_000

/** The interval of checks of the day and of failed points. */
const checkMs = 30_000

/** Notifications per second, and remembered ones: only contacts can make them, but a point can repeat them. */
const notesPerSecond = 10
const maxSeen = 500

/** The least time between two answers to one notification. */
const answerAgainMs = 1000

type Mailbox = { readonly mailbox: string; readonly door: Door }

/** One program listens with it; `start` begins it, once. */
export class MeetingListener implements SignalingConnection {
  readonly #options: SignalingOptions
  readonly #seams: Omit<MeetingSeams, 'doorOf'>
  readonly #own = randomBytes(16).toString('hex')
  #signer: EventSigner | null = null
  #mailboxes: readonly string[] = []
  /** Doors of the present days by their topics. */
  #doors: ReadonlyMap<string, Mailbox> = new Map()
  /** Sockets by the points' addresses. */
  readonly #points = new Map<string, MeetingPoints>()
  /** The times until which failed points rest. */
  readonly #resting = new Map<string, number>()
  readonly #clocks = new PointClocks()
  /** The times of the last answers by run. */
  readonly #seen = new Map<string, number>()
  #recent: number[] = []
  #isUp = false
  #cancel: () => void = () => undefined
  #isClosed = false

  constructor(options: SignalingOptions, seams: Omit<MeetingSeams, 'doorOf'>) {
    this.#options = options
    this.#seams = seams
  }

  start(): void {
    void this.#begin()
  }

  /** Replaces the mailboxes; other messages have no meaning here. */
  send(message: ClientMessage): void {
    if (message.t !== 'listen') return
    this.#mailboxes = message.mailboxes.slice(0, maxMailboxes)
    if (this.#signer !== null) this.#follow()
  }

  /** There is no server to blame. */
  accuse(): void {}

  onWake(): void {
    this.#resting.clear()
    for (const points of this.#points.values()) points.onWake()
    if (this.#signer !== null) this.#follow()
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#cancel()
    for (const points of this.#points.values()) points.close()
    this.#points.clear()
    return Promise.resolve()
  }

  async #begin(): Promise<void> {
    const signer = await EventSigner.create()
    if (this.#isClosed) return
    this.#signer = signer
    this.send(this.#options.hello({ nonce: '', serverKey: '', clientKey: '' }))
  }

  get #now(): number {
    return this.#options.clock.now() + this.#clocks.aheadMs
  }

  /** Opens the doors of the present days at their points, and drops unused sockets. */
  #follow(): void {
    const { clock } = this.#options
    this.#cancel()
    this.#cancel = clock.after(checkMs, () => this.#follow())
    const days = new Set([this.#now - dayMarginMs, this.#now + dayMarginMs].map(dayOf))
    const doors = [...days].flatMap((day) =>
      this.#mailboxes.map((mailbox) => ({ mailbox, door: keyDoorOf(mailbox, day) })),
    )
    this.#doors = new Map(doors.map((each) => [each.door.topic, each]))
    const wanted = this.#placed()
    for (const [url, points] of [...this.#points]) {
      if (wanted.has(url)) continue
      points.close()
      this.#points.delete(url)
    }
    for (const [url, topics] of wanted) {
      const points = this.#points.get(url)
      if (points === undefined) this.#open(url, topics)
      else points.listen(topics)
    }
  }

  #followSoon(): void {
    this.#cancel()
    this.#cancel = this.#options.clock.after(0, () => this.#follow())
  }

  /** The topics of each point that is used now. */
  #placed(): ReadonlyMap<string, readonly string[]> {
    const nowMs = this.#options.clock.now()
    const isOut = (url: string): boolean => (this.#resting.get(url) ?? 0) > nowMs
    const wanted = new Map<string, string[]>()
    for (const topic of this.#doors.keys()) {
      const urls = this.#seams.ranked(topic).filter((url) => !isOut(url))
      for (const url of urls.slice(0, pointsOfMailbox)) {
        wanted.set(url, [...(wanted.get(url) ?? []), topic])
      }
    }
    return wanted
  }

  #open(url: string, topics: readonly string[]): void {
    if (this.#signer === null) return
    const { clock, random } = this.#options
    const { open, refused } = this.#seams
    const points: MeetingPoints = new MeetingPoints({
      ...{ urls: [url], most: 1, topics, signer: this.#signer, clock, random, open, refused },
      greeting: (topic) => {
        const door = this.#doors.get(topic)?.door ?? { topic, key: randomBytes(32) }
        return sealMessage(door, { t: 'taken?', by: this.#own })
      },
      onContent: (content, topic) => this.#onContent(content, topic),
      clocks: this.#clocks,
      onClock: () => this.#followSoon(),
      onReady: () => this.#onReady(),
      onLost: (error) => this.#onLost(url, points, error),
    })
    this.#points.set(url, points)
    points.start()
  }

  #onReady(): void {
    if (this.#isUp) return
    this.#isUp = true
    this.#options.onUp({ url: meetingUrl, embedded: false, insecure: false })
    this.#options.onMessage({ t: 'listening' })
  }

  /** Lets a failed point rest, and uses the next ones of its mailboxes. */
  #onLost(url: string, points: MeetingPoints, error: AppError): void {
    points.close()
    if (this.#points.get(url) === points) this.#points.delete(url)
    const isReady = [...this.#points.values()].some((other) => other.isReady)
    const untilMs = this.#options.clock.now() + (isReady ? restMs : lonelyRestMs)
    this.#resting.set(url, untilMs)
    this.#followSoon()
    if (isReady || !this.#isUp) {
      if (!isReady && this.#points.size === 0) this.#options.onDown(ofPoints(error), meetingUrl)
      return
    }
    this.#isUp = false
    this.#options.onDown(ofPoints(error), meetingUrl)
  }

  #onContent(content: string, topic: string): void {
    const at = this.#doors.get(topic)
    const message = at === undefined ? null : openMessage(at.door, content)
    if (at === undefined || message?.t !== 'note') return
    const nowMs = this.#options.clock.now()
    const answeredMs = this.#seen.get(message.run)
    if (answeredMs !== undefined && nowMs - answeredMs < answerAgainMs) return
    this.#recent = this.#recent.filter((atMs) => nowMs - atMs < 1000)
    if (this.#recent.length >= notesPerSecond) return
    this.#recent.push(nowMs)
    this.#remember(message.run, nowMs)
    const reply = replyDoorOf(at.door, message.run)
    const answer = sealMessage(reply, { t: 'noted', run: message.run })
    for (const url of this.#seams.ranked(topic)) this.#points.get(url)?.say(reply.topic, answer)
    if (answeredMs !== undefined) return
    this.#options.onMessage({ t: 'notify', mailbox: at.mailbox, body: message.body })
  }

  #remember(run: string, nowMs: number): void {
    this.#seen.delete(run)
    this.#seen.set(run, nowMs)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > maxSeen && oldest !== undefined) this.#seen.delete(oldest)
  }
}
