/**
 * A host at public meeting points on one day: it listens at its doors, in silence until someone knocks. Before that it
 * has asked once whether another host has the same nameplate. Besides the nameplate's door, which anyone can find, it
 * has a door for each receiver that may return; those who only know the number can't disturb these.
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

/**
 * Joiners at the same time, and new ones per second: anyone who knows the number can knock. Returning receivers have
 * the same limits, apart from these.
 */
const maxRuns = 20
const knocksPerSecond = 5

/** Answers to claims per second. */
const objectionMs = 1000

/** The wait for the engine's first body, which the first answer then carries. */
const answerMs = 50

/** Dependencies and callbacks of a host; none is called after `close`. */
export type MeetingHostOptions = {
  readonly door: Door
  readonly doors: OpenDoors
  readonly points: Pick<
    MeetingPointsOptions,
    'urls' | 'most' | 'signer' | 'clock' | 'random' | 'open' | 'refused' | 'clocks' | 'onClock'
  >
  /** True if people already have the nameplate, so that it is not given up for anyone. */
  readonly isKept: boolean
  /** True while new joiners who know the number are answered. */
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

/** The doors where a host listens. */
export type OpenDoors = {
  /** True for the door of the nameplate. */
  readonly isPublic: boolean
  /** Doors of returning receivers. At least one door is open. */
  readonly known: readonly Door[]
}

/** A joiner, and the door where it knocked. */
type Run = { readonly conversation: Conversation; readonly door: Door }

export class MeetingHost {
  readonly #options: MeetingHostOptions
  readonly #clock: Clock
  readonly #points: MeetingPoints
  readonly #own = randomBytes(16).toString('hex')
  /** Open doors by their topics. */
  #doors: ReadonlyMap<string, Door>
  readonly #runs = new Map<string, Run>()
  /** Ended runs, which are not begun again. */
  readonly #ended = new Set<string>()
  /** The times of recent knocks, at the nameplate's door and at the others. */
  readonly #knocks = { public: [] as number[], known: [] as number[] }
  #objectedMs = 0
  #isOpen = false
  #cancelClaim: (() => void) | null = null

  constructor(options: MeetingHostOptions) {
    const { points, door, doors, onLost } = options
    this.#options = options
    this.#clock = points.clock
    this.#doors = byTopic(door, doors)
    this.#points = new MeetingPoints({
      ...points,
      topics: [...this.#doors.keys()],
      greeting: (topic) =>
        sealMessage(this.#doors.get(topic) ?? door, { t: 'taken?', by: this.#own }),
      onContent: (content, topic) => {
        const at = this.#doors.get(topic)
        const message = at === undefined ? null : openMessage(at, content)
        if (at !== undefined && message !== null) this.#onMessage(message, at)
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
    const known = this.#runs.get(run)
    known?.conversation.push(body)
    return known !== undefined
  }

  /** Changes the doors. Joiners that were let in stay. */
  setDoors(doors: OpenDoors): void {
    this.#doors = byTopic(this.#options.door, doors)
    for (const { door } of this.#runs.values()) {
      if (!this.#doors.has(door.topic)) this.#doors = new Map(this.#doors).set(door.topic, door)
    }
    this.#points.listen([...this.#doors.keys()])
  }

  /** True for a joiner that came by the door of a returning receiver. */
  cameByKey(run: string): boolean {
    const { door } = this.#options
    return (this.#runs.get(run)?.door ?? door).topic !== door.topic
  }

  onWake(): void {
    this.#points.onWake()
  }

  /** Ends it; `leaves` also tells joiners. */
  close(leaves: boolean): void {
    this.#cancelClaim?.()
    for (const { conversation } of this.#runs.values()) conversation.close(leaves)
    this.#points.close()
  }

  #open(): void {
    this.#isOpen = true
    this.#options.onOpen()
  }

  #onMessage(message: MeetingMessage, door: Door): void {
    if (message.t === 'say') this.#onSay(message, door)
    else if (door.topic !== this.#options.door.topic) return
    else if (message.t === 'taken') {
      if (message.by === this.#own && !this.#isOpen) this.#options.onTaken()
    } else if (message.t === 'taken?' && message.by !== this.#own) this.#object(message.by)
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

  #onSay(message: Say, door: Door): void {
    const { run } = message
    if (run === undefined || !this.#isOpen || this.#ended.has(run)) return
    const known = this.#runs.get(run)
    if (known === undefined) {
      if (message.n === 0 && this.#mayBegin(door)) this.#begin(run, message, door)
    } else if (known.door.topic === door.topic) known.conversation.receive(message)
  }

  #mayBegin({ topic }: Door): boolean {
    const isPublic = topic === this.#options.door.topic
    const kind = isPublic ? 'public' : 'known'
    const nowMs = this.#clock.now()
    const recent = this.#knocks[kind].filter((atMs) => nowMs - atMs < 1000)
    this.#knocks[kind] = recent
    const runs = [...this.#runs.keys()].filter((run) => this.cameByKey(run) !== isPublic)
    if ((isPublic && !this.#options.admits()) || runs.length >= maxRuns) return false
    if (recent.length >= knocksPerSecond) return false
    recent.push(nowMs)
    return true
  }

  #begin(run: string, knock: Say, door: Door): void {
    const { onPeer, onBody } = this.#options
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
    this.#runs.set(run, { conversation, door })
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

const byTopic = (door: Door, { isPublic, known }: OpenDoors): ReadonlyMap<string, Door> =>
  new Map([...(isPublic ? [door] : []), ...known].map((each) => [each.topic, each]))
