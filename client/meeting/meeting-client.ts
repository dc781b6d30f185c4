/**
 * A share or a join at public meeting points, behind the surface of a signaling client: the same messages go in and come
 * out, so sessions and pairing are the same as at a server. There is no authority, so a nameplate is a courtesy among
 * hosts, and silence is the only sign that it is free.
 */
import { dayOf, type Door, keyDoorOf } from '#client/meeting/meeting-door'
import { MeetingHost, type OpenDoors } from '#client/meeting/meeting-host'
import { MeetingJoiner } from '#client/meeting/meeting-joiner'
import { MeetingNotifier } from '#client/meeting/meeting-notifier'
import type { MeetingPointsOptions } from '#client/meeting/meeting-points'
import { EventSigner } from '#client/meeting/nostr-event'
import { PointClocks } from '#client/meeting/point-clocks'
import { reconnectDelayMs, type SignalingOptions } from '#client/signaling/signaling-client'
import { type AppError, appError } from '#shared/errors'
import type { ClientMessage } from '#shared/signaling/messages'
import type { Greeting } from '#shared/signaling/owner-proof'

/** Stands for the meeting points where others have a server's address. */
export const meetingUrl = 'meeting:'

/** Points that are used at first. */
const points = 4

/** Clocks may differ by this much around midnight, when the topics change. */
export const dayMarginMs = 15 * 60_000

/** The interval of checks of the day. */
const dayCheckMs = 5 * 60_000

/** Objections to a claim that are believed; a stranger may lie. */
const maxTaken = 3

/** Wrong guesses at public meeting points, where anyone may try, before the share leaves them. */
const maxWrong = 10

/** Doors of returning receivers, the latest ones: relays limit the topics of a subscription. */
const maxKnown = 99

const ttlS = 24 * 3600

/** The dependencies that all meeting clients of a program share. */
export type MeetingSeams = Pick<MeetingPointsOptions, 'open' | 'refused'> & {
  /** The addresses of all points in the order for a topic. */
  readonly ranked: (topic: string) => readonly string[]
  readonly doorOf: (nameplate: string, day: string) => Promise<Door>
}

/** No server greets a host here, so its proof of ownership proves nothing. */
const noGreeting: Greeting = { nonce: '', serverKey: '', clientKey: '' }

export class MeetingClient {
  readonly #options: SignalingOptions
  readonly #seams: MeetingSeams
  #signer: EventSigner | null = null
  #notifier: MeetingNotifier | null = null
  /** The doors of a host by their days; two around midnight. */
  readonly #hosts = new Map<string, MeetingHost>()
  #joiner: { readonly day: string; readonly joiner: MeetingJoiner } | null = null
  #nameplate = ''
  #isHosting = false
  #isShut = false
  #taken = 0
  #wrong = 0
  #failures = 0
  readonly #clocks = new PointClocks()
  /** Numbers attempts, so that the results of earlier ones are dropped. */
  #attempt = 0
  #cancel: () => void = () => undefined
  #isClosed = false

  constructor(options: SignalingOptions, seams: MeetingSeams) {
    this.#options = options
    this.#seams = seams
  }

  start(): void {
    void this.#begin()
  }

  /** Sends to the other side of a pairing, or to a contact's mailbox; there is no server for other messages. */
  send(message: ClientMessage): void {
    if (message.t === 'notify') this.#notify(message.mailbox, message.body)
    if (message.t !== 'relay') return
    const { to, body } = message
    if (this.#joiner !== null) this.#joiner.joiner.send(body)
    else if (![...this.#hosts.values()].some((host) => host.send(to, body))) {
      this.#options.onMessage({ t: 'error', code: 'E_PEER_GONE', peer: to })
    }
  }

  /** Starts again, as after a message that makes no sense. */
  accuse(detail: string): void {
    this.#down(appError('E_SERVER_PROTOCOL', detail))
  }

  /**
   * Counts a joiner's wrong guess at the words. After the last one the nameplate's door is closed, and the share stays
   * at other places and at the doors of returning receivers.
   */
  noteWrongGuess(run: string): void {
    if ([...this.#hosts.values()].some((host) => host.cameByKey(run))) return
    this.#wrong += 1
    if (this.#wrong < maxWrong || this.#isShut) return
    this.#isShut = true
    this.#isHosting = false
    this.#followDays()
    this.#options.onDown(appError('E_CODE_LOCKED', 'at public meeting points'), meetingUrl)
  }

  /** The keys of returning receivers have changed. */
  onReturning(): void {
    if (this.#isHosting || this.#isShut) this.#followDays()
  }

  onWake(): void {
    for (const host of this.#hosts.values()) host.onWake()
    this.#joiner?.joiner.onWake()
    if (this.#hosts.size > 0) this.#followDays()
  }

  /**
   * Ends without further callbacks; one that `returns` doesn't tell the other side. Resolves when its last notifications
   * have arrived, or soon.
   */
  close(farewell: 'leaves' | 'returns' = 'leaves'): Promise<void> {
    this.#isClosed = true
    this.#stop(farewell === 'leaves')
    if (farewell === 'leaves') return this.#notifier?.finish() ?? Promise.resolve()
    this.#notifier?.close()
    return Promise.resolve()
  }

  #notify(mailbox: string, body: string): void {
    if (this.#signer === null || this.#isClosed) return
    const { clock, random, onMessage } = this.#options
    const { open, refused, ranked } = this.#seams
    this.#notifier ??= new MeetingNotifier({
      points: { signer: this.#signer, clock, random, open, refused, clocks: this.#clocks },
      ranked,
      day: () => dayOf(this.#now),
      onNotified: (to, reached) => {
        if (!this.#isClosed) onMessage({ t: 'notified', mailbox: to, reached })
      },
    })
    this.#notifier.notify(mailbox, body)
  }

  #stop(leaves: boolean): void {
    this.#attempt += 1
    this.#cancel()
    for (const host of this.#hosts.values()) host.close(leaves)
    this.#hosts.clear()
    this.#joiner?.joiner.close(leaves)
    this.#joiner = null
  }

  async #begin(): Promise<void> {
    this.#attempt += 1
    const attempt = this.#attempt
    const { joining, random } = this.#options
    // The door is computed on another thread meanwhile.
    if (joining !== undefined) void this.#seams.doorOf(joining, dayOf(this.#now))
    this.#signer ??= await EventSigner.create()
    if (attempt !== this.#attempt || this.#isClosed) return
    if (joining !== undefined) {
      await this.#join(joining)
      return
    }
    const hello = this.#options.hello(noGreeting)
    if (hello.t !== 'host') return
    this.#nameplate = hello.nameplate ?? longNameplate(random)
    this.#followDays()
  }

  get #now(): number {
    return this.#options.clock.now() + this.#clocks.aheadMs
  }

  #pointsFor({ topic }: Door, signer: EventSigner) {
    const { clock, random } = this.#options
    const { open, refused, ranked } = this.#seams
    return {
      ...{ urls: ranked(topic), most: points, signer, clock, random, open, refused },
      ...{ clocks: this.#clocks, onClock: (): void => this.#onClock() },
    }
  }

  #onClock(): void {
    if (this.#hosts.size > 0) this.#followDays()
    const { joining } = this.#options
    if (joining === undefined || this.#joiner?.day === dayOf(this.#now)) return
    this.#stop(false)
    void this.#join(joining)
  }

  async #join(nameplate: string): Promise<void> {
    const attempt = this.#attempt
    const day = dayOf(this.#now)
    const door = await this.#seams.doorOf(nameplate, day)
    if (attempt !== this.#attempt || this.#signer === null) return
    const { onMessage, onUp, hello, resumeKey } = this.#options
    let peer = ''
    const joiner = new MeetingJoiner({
      door: resumeKey === undefined ? door : keyDoorOf(resumeKey, day),
      isReturning: resumeKey !== undefined,
      points: this.#pointsFor(door, this.#signer),
      opening: () => {
        const message = hello(noGreeting)
        return message.t === 'join' ? message.body : undefined
      },
      onHost: (run) => {
        peer = run
        this.#failures = 0
        onUp({ url: meetingUrl, embedded: false, insecure: false })
        onMessage({ t: 'joined', peer })
      },
      onBody: (body) => onMessage({ t: 'relay', from: peer, body }),
      onWaiting: () => onMessage({ t: 'waiting' }),
      onGone: () => {
        if (peer !== '') onMessage({ t: 'gone', peer })
        this.#down(appError('E_PEER_GONE', 'left the meeting points'))
      },
      onLost: (error) => this.#down(ofPoints(error)),
    })
    this.#joiner = { day, joiner }
    joiner.start()
  }

  /** Opens the doors of the present days, and closes unused ones. */
  #followDays(): void {
    this.#cancel()
    this.#cancel = this.#options.clock.after(dayCheckMs, () => this.#followDays())
    const near = [this.#now - dayMarginMs, this.#now + dayMarginMs].map(dayOf)
    const isDone = this.#isShut && this.#returning.length === 0
    const days = new Set(isDone ? [] : near)
    for (const [day, host] of this.#hosts) {
      if (days.has(day)) host.setDoors(this.#doorsOn(day))
      else if (!host.isBusy) {
        host.close(false)
        this.#hosts.delete(day)
      }
    }
    for (const day of days) if (!this.#hosts.has(day)) void this.#host(day)
  }

  get #returning(): readonly string[] {
    return this.#options.returning?.() ?? []
  }

  #doorsOn(day: string): OpenDoors {
    const keys = this.#returning.slice(-maxKnown)
    return { isPublic: !this.#isShut, known: keys.map((key) => keyDoorOf(key, day)) }
  }

  async #host(day: string): Promise<void> {
    const attempt = this.#attempt
    const door = await this.#seams.doorOf(this.#nameplate, day)
    const isOver = attempt !== this.#attempt || this.#hosts.has(day)
    const isDone = this.#isShut && this.#returning.length === 0
    if (isOver || isDone || this.#signer === null) return
    const { onMessage, isRestored } = this.#options
    const host = new MeetingHost({
      door,
      points: this.#pointsFor(door, this.#signer),
      doors: this.#doorsOn(day),
      isKept: [isRestored, this.#isHosting, this.#isShut, this.#taken >= maxTaken].includes(true),
      admits: () => this.#isHosting,
      onOpen: () => this.#hosted(),
      onTaken: () => {
        this.#taken += 1
        this.#down(appError('E_NO_SUCH_CODE', 'another share has this number'))
      },
      onPeer: (run, body) =>
        onMessage({ t: 'peer', peer: run, ...(body !== undefined && { body }) }),
      onBody: (run, body) => onMessage({ t: 'relay', from: run, body }),
      onGone: (run) => onMessage({ t: 'gone', peer: run }),
      onLost: (error) => {
        if ([...this.#hosts.values()].every(({ isReady }) => !isReady)) this.#lost(error)
      },
    })
    this.#hosts.set(day, host)
    host.start()
  }

  #hosted(): void {
    if (this.#isHosting || this.#isShut) return
    this.#failures = 0
    const { hello, onUp, onMessage } = this.#options
    const claim = hello(noGreeting)
    const { nameplate = this.#nameplate } = claim.t === 'host' ? claim : {}
    if (nameplate !== this.#nameplate) {
      this.#stop(false)
      void this.#begin()
      return
    }
    this.#isHosting = true
    onUp({ url: meetingUrl, embedded: false, insecure: false })
    onMessage({ t: 'hosted', nameplate, ttlS })
  }

  /** No point is usable; the points try again by themselves. */
  #lost(error: AppError): void {
    if (this.#isShut) return
    this.#isHosting = false
    this.#options.onDown(ofPoints(error), meetingUrl)
  }

  /** Ends the attempt; another one follows. */
  #down(error: AppError): void {
    if (this.#isClosed || this.#isShut) return
    const { clock, random, onDown } = this.#options
    this.#stop(false)
    this.#isHosting = false
    this.#failures += 1
    this.#cancel = clock.after(reconnectDelayMs(this.#failures, random), () => void this.#begin())
    onDown(error, meetingUrl)
  }
}

/** The last point's error, for a person who knows none of them. */
export const ofPoints = (error: AppError): AppError =>
  error.code === 'E_SERVER_UNREACHABLE'
    ? appError(error.code, `no meeting point answers: ${error.detail}`)
    : error

/** A random nameplate of six digits. */
const longNameplate = (random: () => number): string =>
  String(100_000 + Math.floor(random() * 900_000))
