/**
 * Places of a share at the servers that stand behind the main one in its profile. They are taken one after the
 * other while the main server has not got the share, under the nameplate that people know already, or else
 * under one that the first of them gives. A place that has the share keeps it: its address may be in a link.
 */
import type { SessionContext } from '#client/session/session-context'
import { SharePlace } from '#client/session/share/share-place'
import type { NameplateOwner } from '#client/signaling/nameplate-owner'
import type { AppError } from '#shared/errors'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'

/** What spare places need; none of the callbacks is called after `close`. */
export type SparePlacesOptions = {
  readonly context: SessionContext
  /** Of the nameplate, at all places of the share. */
  readonly owner: () => NameplateOwner
  /** A server has the share, under this nameplate. */
  readonly onHosted: (nameplate: string) => void
  readonly onMessage: (message: ServerMessage) => void
  /** A server that had the share has lost it; the next attempt follows automatically. */
  readonly onLost: (error: AppError) => void
}

/** Each server gets so long before the one behind it is asked, too. */
const nextAfterMs = 5000

/** Set apart the ids of receivers that came by one of these places. */
const prefixOf = (index: number): string => `spare${index}-`

export class SparePlaces {
  readonly #options: SparePlacesOptions
  /** By the number of their servers in the profile. */
  readonly #places = new Map<number, SharePlace>()
  /** Where the nameplate is somebody else's, or its time is over. */
  readonly #refused = new Set<number>()
  /** Where the last attempt failed. */
  readonly #failed = new Set<number>()
  /** The main server has not got the share. */
  #isNeeded = false
  #cancel: (() => void) | null = null
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: SparePlacesOptions) {
    this.#options = options
  }

  /** The first server that has the share, or `null`. */
  get serverUrl(): string | null {
    const hosting = [...this.#places].find(([, { isHosting }]) => isHosting)
    return hosting === undefined ? null : (this.#servers[hosting[0]]?.url ?? null)
  }

  get isHosting(): boolean {
    return this.serverUrl !== null
  }

  /** One of them has not said anything yet. */
  get isAsking(): boolean {
    return this.#servers.some((_, at) => !this.#refused.has(at) && !this.#failed.has(at))
  }

  /** The main server has not got the share: unless one of these has, the next one is asked `afterMs` from now. */
  need(afterMs = nextAfterMs): void {
    this.#isNeeded = true
    if (this.isHosting || this.#next === null) return
    if (afterMs > 0 && this.#cancel !== null) return
    this.#stopWaiting()
    if (afterMs === 0) this.#startNext()
    else this.#cancel = this.#options.context.clock.after(afterMs, () => this.#startNext())
  }

  /** The main server has the share: no other one is asked for it. */
  settle(): void {
    this.#isNeeded = false
    this.#stopWaiting()
    for (const [index, { isHosting }] of [...this.#places]) if (!isHosting) this.#leave(index)
  }

  /** Whether it went to a receiver that came by one of these places. */
  send(message: ClientMessage): boolean {
    const peer = message.t === 'relay' ? message.to : message.t === 'grant' ? message.peer : ''
    for (const [index, place] of this.#places) {
      if (!peer.startsWith(prefixOf(index))) continue
      place.send(message)
      return true
    }
    return false
  }

  /** The computer woke up. */
  noticeWake(): void {
    for (const place of this.#places.values()) place.noticeWake()
  }

  /** Gives all places back, for another nameplate or for good; a share that `returns` keeps them. */
  async close(farewell?: 'returns'): Promise<void> {
    this.#stopWaiting()
    this.#refused.clear()
    for (const index of [...this.#places.keys()]) this.#leave(index, farewell)
    await this.#farewell
  }

  get #servers() {
    return this.#options.context.fallbacks
  }

  get #next(): number | null {
    const index = this.#servers.findIndex(
      (_, at) => !this.#places.has(at) && !this.#refused.has(at),
    )
    return index === -1 ? null : index
  }

  #stopWaiting(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  #startNext(): void {
    this.#cancel = null
    const index = this.#next
    const server = index === null ? undefined : this.#servers[index]
    if (index === null || server === undefined) return
    const { context, owner, onMessage } = this.#options
    const place = new SharePlace({
      context,
      server,
      prefix: prefixOf(index),
      onMessage,
      claim: (greeting) => owner().claim(greeting),
      onUp: (reached) => context.serverChanged({ phase: 'connected', ...reached }),
      onHosted: (nameplate) => this.#onHosted(index, nameplate),
      onLost: (error) => this.#onLost(index, error),
    })
    this.#places.set(index, place)
    place.start()
    this.need()
  }

  #onHosted(index: number, nameplate: string): void {
    const wanted = this.#options.owner().nameplate
    if (wanted !== null && wanted !== nameplate) {
      // It was asked for any, and another place answered first.
      this.#leave(index)
      this.need(0)
      return
    }
    this.#failed.delete(index)
    this.#stopWaiting()
    this.#options.onHosted(nameplate)
  }

  #onLost(index: number, error: AppError): void {
    const isTaken = error.code === 'E_NO_SUCH_CODE'
    if (isTaken) {
      this.#refused.add(index)
      this.#leave(index)
    } else this.#failed.add(index)
    if (this.#isNeeded) this.need(isTaken ? 0 : undefined)
    this.#options.onLost(error)
  }

  #leave(index: number, farewell?: 'returns'): void {
    const place = this.#places.get(index)
    this.#places.delete(index)
    this.#failed.delete(index)
    this.#farewell = Promise.all([this.#farewell, place?.close(farewell)])
  }
}
