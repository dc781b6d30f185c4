/**
 * A share's registrations at the fallback servers of the main server's profile. They are taken one after another while the
 * main server lacks the share, under its current nameplate, or else one that the first fallback assigns. A registration that
 * has the share is kept, because its address may be in a link.
 */
import { meetingUrl } from '#client/meeting/meeting-client'
import type { SessionContext } from '#client/session/session-context'
import { Registration } from '#client/session/share/registration'
import type { NameplateOwner } from '#client/signaling/nameplate-owner'
import type { ServerLocator } from '#client/signaling/server-locator'
import type { AppError } from '#shared/errors'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'

/** Dependencies and callbacks of backup registrations; none is called after `close`. */
export type BackupRegistrationsOptions = {
  readonly context: SessionContext
  /** The owner of the nameplate, at all registrations of the share. */
  readonly owner: () => NameplateOwner
  /** The resume keys of receivers that may return. */
  readonly returning: () => readonly string[]
  /** A server has the share, under this nameplate. */
  readonly onHosted: (nameplate: string) => void
  readonly onMessage: (message: ServerMessage) => void
  /** A server that had the share has lost it; the next attempt follows automatically. */
  readonly onLost: (error: AppError) => void
}

/** The time before the next server is queried, too. */
const nextAfterMs = 5000

/** The prefix for ids of receivers from one of these registrations. */
const prefixOf = (index: number): string => `spare${index}-`

export class BackupRegistrations {
  readonly #options: BackupRegistrationsOptions
  /** Places by their server's position in the profile. */
  readonly #registrations = new Map<number, Registration>()
  /** Servers where the nameplate is taken or has expired. */
  readonly #refused = new Set<number>()
  /** Servers where the last attempt failed. */
  readonly #failed = new Set<number>()
  /** Servers that were added to the fallbacks of the profile. */
  readonly #added: ServerLocator[] = []
  /** True while the main server lacks the share. */
  #isNeeded = false
  #cancel: (() => void) | null = null
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: BackupRegistrationsOptions) {
    this.#options = options
  }

  /** Adds a server unless it is known, and registers there; returns false if that was done before. */
  use(server: ServerLocator): boolean {
    if (!this.#servers.includes(server)) this.#added.push(server)
    if (this.#registrations.has(this.#servers.indexOf(server))) return false
    this.need(0)
    return true
  }

  /** The first server that has the share, or `null`. */
  get serverUrl(): string | null {
    const hosting = [...this.#registrations].find(([, { isHosting }]) => isHosting)
    return hosting === undefined ? null : (this.#servers[hosting[0]]?.url ?? null)
  }

  get isHosting(): boolean {
    return this.serverUrl !== null
  }

  /** True if browsers can receive at the server of `serverUrl`. */
  get hasPage(): boolean {
    return [...this.#registrations.values()].find(({ isHosting }) => isHosting)?.hasPage === true
  }

  /** True while one of them has not answered yet. */
  get isAsking(): boolean {
    return this.#servers.some((_, at) => !this.#refused.has(at) && !this.#failed.has(at))
  }

  /** Call it when the main server lacks the share: unless a fallback has it, queries the next one after `afterMs`. */
  need(afterMs = nextAfterMs): void {
    this.#isNeeded = true
    if (this.isHosting || this.#next === null) return
    if (afterMs > 0 && this.#cancel !== null) return
    this.#stopWaiting()
    if (afterMs === 0) this.#startNext()
    else this.#cancel = this.#options.context.clock.after(afterMs, () => this.#startNext())
  }

  /** Call it when the main server has the share: pending fallbacks are dropped. */
  settle(): void {
    this.#isNeeded = false
    this.#stopWaiting()
    for (const [index, { isHosting }] of [...this.#registrations])
      if (!isHosting) this.#deregister(index)
  }

  /** Sends to a receiver of one of these registrations; false if it belongs to none. */
  send(message: ClientMessage): boolean {
    const peer = message.t === 'relay' ? message.to : message.t === 'grant' ? message.peer : ''
    const registration = this.#of(peer)
    registration?.send(message)
    return registration !== undefined
  }

  /** Counts a wrong guess of a receiver; false if it belongs to none of these registrations. */
  noteWrongGuess(peer: string): boolean {
    const registration = this.#of(peer)
    registration?.noteWrongGuess(peer)
    return registration !== undefined
  }

  /** Call it when the keys of returning receivers have changed. */
  onReturning(): void {
    for (const registration of this.#registrations.values()) registration.onReturning()
  }

  /** The server of a receiver of one of these registrations. */
  serverOf(peer: string): ServerLocator | undefined {
    return this.#servers.find((_, index) => peer.startsWith(prefixOf(index)))
  }

  #of(peer: string): Registration | undefined {
    return [...this.#registrations].find(([index]) => peer.startsWith(prefixOf(index)))?.[1]
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    for (const registration of this.#registrations.values()) registration.onWake()
  }

  /** Releases all registrations, unless the share `returns` to them. */
  async close(farewell?: 'returns'): Promise<void> {
    this.#stopWaiting()
    this.#refused.clear()
    for (const index of [...this.#registrations.keys()]) this.#deregister(index, farewell)
    await this.#farewell
  }

  get #servers(): readonly ServerLocator[] {
    return [...this.#options.context.fallbacks, ...this.#added]
  }

  get #next(): number | null {
    const index = this.#servers.findIndex(
      (_, at) => !this.#registrations.has(at) && !this.#refused.has(at),
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
    const { context, owner, returning, onMessage } = this.#options
    const registration = new Registration({
      context,
      server,
      prefix: prefixOf(index),
      returning,
      onMessage,
      claim: (greeting) => owner().claim(greeting),
      isRestored: owner().nameplate !== null,
      onUp: (reached) => {
        if (reached.url !== meetingUrl) context.serverChanged({ phase: 'connected', ...reached })
      },
      onHosted: (nameplate) => this.#onHosted(index, nameplate),
      onLost: (error) => this.#onLost(index, error),
    })
    this.#registrations.set(index, registration)
    registration.start()
    this.need()
  }

  #onHosted(index: number, nameplate: string): void {
    const wanted = this.#options.owner().nameplate
    if (wanted !== null && wanted !== nameplate) {
      // Any nameplate was requested, and another registration answered first.
      this.#deregister(index)
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
      this.#deregister(index)
    } else this.#failed.add(index)
    if (this.#isNeeded) this.need(isTaken ? 0 : undefined)
    this.#options.onLost(error)
  }

  #deregister(index: number, farewell?: 'returns'): void {
    const registration = this.#registrations.get(index)
    this.#registrations.delete(index)
    this.#failed.delete(index)
    this.#farewell = Promise.all([this.#farewell, registration?.close(farewell)])
  }
}
