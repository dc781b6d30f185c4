/**
 * A host at public meeting points on one day: it listens at its door, in silence until someone knocks. Before that it
 * has asked once whether another host has the same nameplate.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#client/clock'
import { Conversation } from '#client/meeting/conversation'
import { type Door, replyDoorOf } from '#client/meeting/meeting-door'
import { MeetingPoints, type MeetingPointsOptions } from '#client/meeting/meeting-points'
import { type MeetingMessage, openMessage, type Say, sealMessage } from '#client/meeting/messages'
import type { AppError } from '#shared/errors'

/** The time in which another host may object to a claim. */
const claimMs = 1500

/** Joiners at the same time, and new ones per second: anyone who knows the number can knock. */
const maxRuns = 20
const knocksPerSecond = 5

/** Answers to claims per second. */
const objectionMs = 1000

/** The wait for the engine's first body, which the first answer then carries. */
const answerMs = 50

/** Dependencies and callbacks of a host; none is called after `close`. */
export type MeetingHostOptions = {
  readonly door: Door
  readonly points: Pick<
    MeetingPointsOptions,
    'urls' | 'most' | 'signer' | 'clock' | 'random' | 'open' | 'refused' | 'onClock'
  >
  /** True if people already have the nameplate, so that it is not given up for anyone. */
  readonly isKept: boolean
  /** True while new joiners are answered. */
  readonly admits: () => boolean
  /** The door is open: any other host of the nameplate would have objected. */
  readonly onOpen: () => void
  /** Another host has the nameplate; only before `onOpen`. */
  readonly onTaken: () => void
  readonly onPeer: (run: string, opening: string | undefined) => void
  readonly onBody: (run: string, body: string) => void
  readonly onGone: (run: string) => void
  readonly onLost: (error: AppError) => void
}

export class MeetingHost {
  readonly #options: MeetingHostOptions
  readonly #clock: Clock
  readonly #points: MeetingPoints
  readonly #own = randomBytes(16).toString('hex')
  readonly #runs = new Map<string, Conversation>()
  /** Ended runs, which are not begun again. */
  readonly #ended = new Set<string>()
  #knocks: number[] = []
  #objectedMs = 0
  #isOpen = false
  #cancelClaim: (() => void) | null = null

  constructor(options: MeetingHostOptions) {
    const { points, door, onLost } = options
    this.#options = options
    this.#clock = points.clock
    this.#points = new MeetingPoints({
      ...points,
      topic: door.topic,
      greeting: () => sealMessage(door, { t: 'taken?', by: this.#own }),
      onContent: (content) => {
        const message = openMessage(door, content)
        if (message !== null) this.#onMessage(message)
      },
      onReady: () => {
        if (this.#isOpen || options.isKept) this.#open()
        else this.#cancelClaim ??= this.#clock.after(claimMs, () => this.#open())
      },
      onLost,
    })
  }

  /** True while a joiner is being served. */
  get isBusy(): boolean {
    return this.#runs.size > 0
  }

  /** True if a point is usable. */
  get isReady(): boolean {
    return this.#points.isReady
  }

  start(): void {
    this.#points.start()
  }

  /** Sends a body to a joiner; false if it is unknown. */
  send(run: string, body: string): boolean {
    const conversation = this.#runs.get(run)
    conversation?.push(body)
    return conversation !== undefined
  }

  onWake(): void {
    this.#points.onWake()
  }

  /** Ends it; `leaves` also tells joiners. */
  close(leaves: boolean): void {
    this.#cancelClaim?.()
    for (const conversation of this.#runs.values()) conversation.close(leaves)
    this.#points.close()
  }

  #open(): void {
    this.#isOpen = true
    this.#options.onOpen()
  }

  #onMessage(message: MeetingMessage): void {
    if (message.t === 'say') this.#onSay(message)
    else if (message.t === 'taken') {
      if (message.by === this.#own && !this.#isOpen) this.#options.onTaken()
    } else if (message.by !== this.#own) this.#object(message.by)
  }

  /** Answers a claim. If two hosts claim the nameplate at the same time, the smaller `by` keeps it. */
  #object(by: string): void {
    const nowMs = this.#clock.now()
    if (!this.#isOpen && by < this.#own) {
      this.#options.onTaken()
      return
    }
    const mayAnswer = !this.#isOpen || this.#options.admits()
    if (!mayAnswer || nowMs - this.#objectedMs < objectionMs) return
    this.#objectedMs = nowMs
    const { door } = this.#options
    this.#points.say(door.topic, sealMessage(door, { t: 'taken', by }))
  }

  #onSay(message: Say): void {
    const { run } = message
    if (run === undefined || !this.#isOpen || this.#ended.has(run)) return
    const known = this.#runs.get(run)
    if (known !== undefined) known.receive(message)
    else if (message.n === 0 && this.#mayBegin()) this.#begin(run, message)
  }

  #mayBegin(): boolean {
    const nowMs = this.#clock.now()
    this.#knocks = this.#knocks.filter((atMs) => nowMs - atMs < 1000)
    if (!this.#options.admits() || this.#runs.size >= maxRuns) return false
    if (this.#knocks.length >= knocksPerSecond) return false
    this.#knocks.push(nowMs)
    return true
  }

  #begin(run: string, knock: Say): void {
    const { door, onPeer, onBody } = this.#options
    const reply = replyDoorOf(door, run)
    const peer = { isKnown: false }
    const introduce = (body: string | undefined): void => {
      peer.isKnown = true
      onPeer(run, body)
    }
    const conversation = new Conversation({
      clock: this.#clock,
      say: (message) => {
        cancelAnswer()
        this.#points.say(reply.topic, sealMessage(reply, { ...message, by: this.#own }))
      },
      onBody: (body) => {
        if (peer.isKnown) onBody(run, body)
        else introduce(body)
      },
      onGone: () => {
        this.#end(run)
        this.#options.onGone(run)
      },
    })
    const cancelAnswer = this.#clock.after(answerMs, () => conversation.flush())
    this.#runs.set(run, conversation)
    conversation.receive(knock)
    if (!peer.isKnown) introduce(undefined)
  }

  #end(run: string): void {
    this.#runs.delete(run)
    this.#ended.add(run)
    const [oldest] = this.#ended
    if (this.#ended.size > maxEnded && oldest !== undefined) this.#ended.delete(oldest)
  }
}

/** Limits the ended runs kept: events of older ones are no longer passed on. */
const maxEnded = 1000
