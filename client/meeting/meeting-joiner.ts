/** A joiner at public meeting points: it knocks at the door of a nameplate and talks to the host that answers. */
import { randomBytes } from 'node:crypto'
import { Conversation } from '#client/meeting/conversation'
import { type Door, replyDoorOf } from '#client/meeting/meeting-door'
import { MeetingPoints, type MeetingPointsOptions } from '#client/meeting/meeting-points'
import { openMessage, type Say, sealMessage } from '#client/meeting/messages'
import { type AppError, appError } from '#shared/errors'

/** The time after which all points of the list are used. */
const widenMs = 2000

/** The time for the host to answer since the first usable point. */
const answerMs = 8000

/**
 * A returning receiver knocks again at these times, and gives up after the last one, before its engine does. Its sender
 * may be restarting.
 */
const returnMs = [3000, 5000, 12_000, 20_000] as const

/** The silence after which a returning receiver reports that it waits. */
const patientMs = 3000

/** Dependencies and callbacks of a joiner; none is called after `close`, `onGone` or `onLost`. */
export type MeetingJoinerOptions = {
  readonly door: Door
  /** True for a receiver that knows the door by its key, and waits for the host's return. */
  readonly isReturning: boolean
  readonly points: Pick<
    MeetingPointsOptions,
    'urls' | 'most' | 'signer' | 'clock' | 'random' | 'open' | 'refused' | 'clocks' | 'onClock'
  >
  /** The first body, if it is known; called once, as soon as a point takes it. */
  readonly opening: () => string | undefined
  /** A host answers. */
  readonly onHost: (run: string) => void
  readonly onBody: (body: string) => void
  /** A returning receiver's host does not answer yet. */
  readonly onWaiting: () => void
  /** The host has left. */
  readonly onGone: () => void
  /** No point is usable, or no host answers. */
  readonly onLost: (error: AppError) => void
}

export class MeetingJoiner {
  readonly #options: MeetingJoinerOptions
  readonly #points: MeetingPoints
  readonly #run = randomBytes(16).toString('hex')
  readonly #reply: Door
  readonly #cancels: (() => void)[] = []
  #conversation: Conversation | null = null
  /** The number of the host that answered first. */
  #host: string | null = null
  #isAwaiting = false
  #isClosed = false

  constructor(options: MeetingJoinerOptions) {
    const { door, points } = options
    this.#options = options
    this.#reply = replyDoorOf(door, this.#run)
    this.#points = new MeetingPoints({
      ...points,
      topics: [this.#reply.topic],
      onContent: (content) => {
        const message = openMessage(this.#reply, content)
        if (message?.t === 'say') this.#onSay(message)
      },
      onOpen: () => this.#knock(),
      onReady: () => this.#awaitAnswer(),
      onLost: (error) => this.#end(() => options.onLost(error)),
    })
  }

  start(): void {
    const { points } = this.#options
    this.#cancels.push(
      points.clock.after(widenMs, () => {
        if (this.#host === null) this.#points.widen(points.urls.length)
      }),
    )
    this.#points.start()
  }

  send(body: string): void {
    this.#conversation?.push(body)
  }

  onWake(): void {
    this.#points.onWake()
  }

  /** Ends it; `leaves` also tells the host. */
  close(leaves: boolean): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const cancel of this.#cancels) cancel()
    this.#conversation?.close(leaves)
    this.#points.close()
  }

  #knock(): void {
    if (this.#conversation !== null) return
    const { door, points, isReturning, opening, onBody, onGone } = this.#options
    this.#conversation = new Conversation({
      clock: points.clock,
      ...(isReturning && { firstRepeatsMs: returnMs }),
      say: (message) =>
        this.#points.say(door.topic, sealMessage(door, { ...message, run: this.#run })),
      onBody,
      onGone: () => this.#end(onGone),
    })
    const first = opening()
    if (first !== undefined) this.#conversation.push(first)
    this.#conversation.flush()
  }

  #awaitAnswer(): void {
    if (this.#isAwaiting) return
    this.#isAwaiting = true
    const { points, isReturning, onWaiting, onLost } = this.#options
    const afterMs = isReturning ? patientMs : answerMs
    this.#cancels.push(
      points.clock.after(afterMs, () => {
        if (this.#host !== null) return
        if (isReturning) onWaiting()
        else this.#end(() => onLost(silence))
      }),
    )
  }

  /** Reads messages of the first host that answers. Anyone who knows the number can be that host. */
  #onSay(message: Say): void {
    const { by, n } = message
    if (this.#host === null && by !== undefined && n === 0) {
      this.#host = by
      this.#options.onHost(this.#run)
    }
    if (by === this.#host) this.#conversation?.receive(message)
  }

  #end(tell: () => void): void {
    if (this.#isClosed) return
    this.close(false)
    tell()
  }
}

const silence = appError('E_NO_SUCH_CODE', 'nobody answers at the meeting points')
