/**
 * Notifications of contacts at public meeting points. Each is one event, and another one if there is no answer: only the
 * contact's own answer proves that it arrived. An absent contact is asked less and less often.
 */
import { randomBytes } from 'node:crypto'
import { type Door, keyDoorOf, replyDoorOf } from '#client/meeting/meeting-door'
import { MeetingPoints, type MeetingPointsOptions } from '#client/meeting/meeting-points'
import { openMessage, sealMessage } from '#client/meeting/messages'

/** Mailboxes that are notified at the same time, and those that wait for their turn. */
const maxActive = 4
const maxQueued = 100

/** Points that are used at first, all of the list after a while, and the limit for the answer. */
const points = 4
const widenMs = 3000
const answerMs = 8000

/** Limits the last notifications, for which a program that ends waits. */
const farewellMs = 3000

/** The pauses after notifications without an answer. */
const pausesMs = [10_000, 30_000, 60_000, 120_000, 300_000] as const

/** Dependencies and callbacks of a notifier; none is called after `close`. */
export type MeetingNotifierOptions = {
  readonly points: Pick<
    MeetingPointsOptions,
    'signer' | 'clock' | 'random' | 'open' | 'refused' | 'clocks'
  >
  readonly ranked: (topic: string) => readonly string[]
  /** The present day by the points' clocks. */
  readonly day: () => string
  readonly onNotified: (mailbox: string, reached: boolean) => void
}

type Call = { readonly mailbox: string; readonly body: string }
type Active = { readonly points: MeetingPoints; readonly cancels: readonly (() => void)[] }

/** Each share has at most one. */
export class MeetingNotifier {
  readonly #options: MeetingNotifierOptions
  readonly #active = new Map<string, Active>()
  readonly #queue: Call[] = []
  #onIdle: () => void = () => undefined
  /** Failures of each mailbox in a row, and the time of the next attempt. */
  readonly #absent = new Map<string, { readonly failures: number; readonly untilMs: number }>()

  constructor(options: MeetingNotifierOptions) {
    this.#options = options
  }

  /** Notifies a mailbox now or soon; `onNotified` follows, unless it is being notified already. */
  notify(mailbox: string, body: string): void {
    const { points: seams, onNotified } = this.#options
    if (this.#active.has(mailbox) || this.#queue.some((call) => call.mailbox === mailbox)) return
    if (seams.clock.now() < (this.#absent.get(mailbox)?.untilMs ?? 0)) onNotified(mailbox, false)
    else if (this.#active.size < maxActive) this.#begin({ mailbox, body })
    else if (this.#queue.length < maxQueued) this.#queue.push({ mailbox, body })
  }

  /** Resolves when the notifications under way have ended, and closes then; those of a share that ends withdraw it. */
  async finish(): Promise<void> {
    if (this.#active.size > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
        this.#options.points.clock.after(farewellMs, resolve)
      })
    }
    this.close()
  }

  close(): void {
    this.#queue.length = 0
    for (const active of this.#active.values()) stop(active)
    this.#active.clear()
  }

  #begin({ mailbox, body }: Call): void {
    const { points: seams, ranked, day } = this.#options
    const door = keyDoorOf(mailbox, day())
    const run = randomBytes(16).toString('hex')
    const reply = replyDoorOf(door, run)
    const urls = ranked(door.topic)
    let isSent = false
    const say = (): void => {
      isSent = true
      meeting.say(door.topic, sealMessage(door, { t: 'note', run, body }))
    }
    const meeting: MeetingPoints = new MeetingPoints({
      ...{ ...seams, urls, most: points, topics: [reply.topic] },
      onContent: (content) => {
        if (isAnswer(reply, run, content)) this.#end(mailbox, true)
      },
      onReady: () => {
        if (!isSent) say()
      },
      onLost: () => this.#end(mailbox, false),
    })
    const { clock } = seams
    const widen = clock.after(widenMs, () => {
      meeting.widen(urls.length)
      if (isSent) say()
    })
    const giveUp = clock.after(answerMs, () => this.#end(mailbox, false))
    this.#active.set(mailbox, { points: meeting, cancels: [widen, giveUp] })
    meeting.start()
  }

  #end(mailbox: string, reached: boolean): void {
    const active = this.#active.get(mailbox)
    if (active === undefined) return
    stop(active)
    this.#active.delete(mailbox)
    const failures = reached ? 0 : (this.#absent.get(mailbox)?.failures ?? 0) + 1
    const pauseMs = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0
    this.#absent.set(mailbox, { failures, untilMs: this.#options.points.clock.now() + pauseMs })
    this.#options.onNotified(mailbox, reached)
    const next = this.#queue.shift()
    if (next !== undefined) this.#begin(next)
    if (this.#active.size === 0) this.#onIdle()
  }
}

const stop = ({ points: meeting, cancels }: Active): void => {
  for (const cancel of cancels) cancel()
  meeting.close()
}

function isAnswer(reply: Door, run: string, content: string): boolean {
  const message = openMessage(reply, content)
  return message?.t === 'noted' && message.run === run
}
