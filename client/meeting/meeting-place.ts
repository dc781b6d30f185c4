/** The public meeting points of a program, in the place of a server's locator. */
import { createHash } from 'node:crypto'
import type { Clock } from '#client/clock'
import { MeetingClient, type MeetingSeams, meetingUrl } from '#client/meeting/meeting-client'
import { dayOf, type Door, doorOf } from '#client/meeting/meeting-door'
import { MeetingListener } from '#client/meeting/meeting-listener'
import { RefusedPoints } from '#client/meeting/meeting-points'
import { EventSigner } from '#client/meeting/nostr-event'
import { type OpenPoint, pointOpener } from '#client/meeting/point-socket'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import type { ServerLocator } from '#client/signaling/server-locator'
import type { SignalingConnection, SignalingOptions } from '#client/signaling/signaling-client'
import { appError } from '#shared/errors'
import { err } from '#shared/result'

/** Limits the derived doors that are kept. */
const maxDoors = 16

/** Dependencies of a meeting place. */
export type MeetingPlaceOptions = {
  /** The addresses of the points, as set now. */
  readonly urls: () => readonly string[]
  readonly proxyFor: ProxyFor
  readonly clock: Clock
  readonly seams?: MeetingPlaceSeams | undefined
}

/** The parts that tests replace. */
export type MeetingPlaceSeams = {
  readonly open: OpenPoint
  /** Computes the door of a nameplate on a day. */
  readonly doorOf: (nameplate: string, day: string) => Promise<Door>
}

/** Each client has one. */
export class MeetingPlace implements ServerLocator {
  readonly url = meetingUrl
  readonly #options: MeetingPlaceOptions
  readonly #refused = new RefusedPoints()
  readonly #doors = new Map<string, Promise<Door>>()

  constructor(options: MeetingPlaceOptions) {
    this.#options = options
  }

  /** Computes a door and loads the curve ahead, which saves 0.2 s; nothing is sent. */
  prepare(nameplate: string): void {
    void EventSigner.create()
    void this.doorOf(nameplate, dayOf(this.#options.clock.now()))
  }

  /** There is no single address. */
  locate(): ReturnType<ServerLocator['locate']> {
    return Promise.resolve(err(appError('E_SERVER_UNREACHABLE', 'not a server')))
  }

  /** Makes the client of a share, a join, or a program that contacts can notify. */
  open(options: SignalingOptions): SignalingConnection {
    const { proxyFor, clock, seams: replaced } = this.#options
    const open = replaced?.open ?? pointOpener(proxyFor, clock, options.trust)
    const seams: MeetingSeams = {
      open,
      refused: this.#refused,
      ranked: (topic) => this.#ranked(topic),
      doorOf: (nameplate, day) => this.doorOf(nameplate, day),
    }
    return options.listens === true
      ? new MeetingListener(options, seams)
      : new MeetingClient(options, seams)
  }

  /** The door of a nameplate on a day. */
  doorOf(nameplate: string, day: string): Promise<Door> {
    const key = `${nameplate} ${day}`
    const compute = this.#options.seams?.doorOf ?? doorOf
    const door = this.#doors.get(key) ?? compute(nameplate, day)
    this.#doors.delete(key)
    this.#doors.set(key, door)
    const [oldest] = this.#doors.keys()
    if (this.#doors.size > maxDoors && oldest !== undefined) this.#doors.delete(oldest)
    return door
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  /** Both sides sort alike, so load spreads over the list, and lists of different versions still overlap. */
  #ranked(topic: string): readonly string[] {
    const rank = (url: string): string =>
      createHash('sha256').update(`${url} ${topic}`).digest('hex')
    return [...this.#options.urls()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }
}
