/**
 * The way from a nameplate to the server that has it: the *home* server, which is configured or the
 * embedded one of this computer, and embedded ones that announce the nameplate on the local network are
 * asked at once. The first that introduces the sender is taken, and the others are left. Who answers
 * first need not be the sender: when pairing fails there, the link looks once more elsewhere.
 *
 * Servers that stand behind the home server in its profile are asked one after the other when that can't be
 * reached, says nothing for long, or has not got the sender. Strangers may have the nameplate there, as on the
 * local network: what holds for places nearby holds for them.
 *
 * The local network answers long before a configured server can be asked. When nobody has announced the
 * nameplate by then, the first message for the sender goes with the question, which saves its round trip,
 * and places nearby have to wait for that server's word: a message that one sender has seen counts
 * nowhere else.
 */
import type { FoundServer } from '#client/lan/local-network'
import { isServerError, type SessionContext } from '#client/session/session-context'
import type { ServerLocator } from '#client/signaling/server-locator'
import { SignalingClient, type SignalingOptions } from '#client/signaling/signaling-client'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { ok } from '#shared/result'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'

/** These may be different in a moment: the server starts again, the sender takes its place back. */
export const passing: ReadonlySet<ErrorCode> = new Set([
  'E_SERVER_UNREACHABLE',
  'E_PROXY_UNREACHABLE',
  'E_PROXY_REFUSED',
  'E_PEER_GONE',
])

/** How a place is asked. */
export type Asking = {
  /** It is the home server. */
  readonly isHome: boolean
  /** No other place is asked before the answer: the first message for the sender may go with the question. */
  readonly isAlone: boolean
}

/** What a search needs, and its callbacks, none of which is called after `close`. */
export type SenderSearchOptions = {
  readonly context: SessionContext
  readonly nameplate: string
  readonly hello: (asking: Asking) => ClientMessage
  readonly onMessage: (message: ServerMessage, isHome: boolean) => void
  /** No place has the sender, or the one that had it is lost. The next attempt follows automatically. */
  readonly onDown: (error: AppError) => void
  /** What an earlier search of the same link leaves to this one; the home server goes first then. */
  readonly leftover?: Leftover | undefined
}

/** Places that are not to be asked again, and some on the local network that were not asked yet. */
export type Leftover = {
  readonly avoid: ReadonlySet<string>
  readonly spotted: readonly FoundServer[]
}

/**
 * On the local network whoever has a share answers within milliseconds; a packet or two may get lost. The
 * time for the first announcer, and for the answer of each.
 */
const nearPatienceMs = 2500

/** For the answer of a server behind the home server: over half the world and TLS, and to say that it has nobody. */
const fallbackPatienceMs = 8000

/** For the word of a configured server that has the first message: places nearby wait no longer. */
const homeWordMs = 1500

/** Addresses of announcers that are asked; all but one are wrong, and strangers can make any number. */
const maxNear = 4

/** Those that are remembered for a second search. */
const maxSpotted = 16

/** The name of the home server among places. */
const home = 'home'

/** Each server gets so long before the one behind it is asked, too. */
const nextServerMs = 3000

/** The name of a server behind it among places. */
const fallbackName = (index: number): string => `fallback ${index}`

const keyOf = ({ url, dial }: FoundServer): string => `${url} ${dial?.host ?? ''}`

/** An announcer is the same one at another address, and so is whoever announces twice from one. */
const namesOf = (server: FoundServer): readonly string[] => [
  keyOf(server),
  server.instance,
  server.dial?.host ?? server.url,
]

const isIn = (places: ReadonlySet<string>, server: FoundServer): boolean =>
  namesOf(server).some((name) => places.has(name))

/** Begins with `start`, once. */
export class SenderSearch {
  readonly #options: SenderSearchOptions
  /** Where an answer is awaited, or was the right one. */
  readonly #clients = new Map<string, SignalingClient>()
  /** Each ends the time that a place nearby has for its answer. */
  readonly #deadlines = new Map<string, () => void>()
  /** Where the nameplate is announced, in the order of their coming. */
  readonly #spotted = new Map<string, FoundServer>()
  /** Places that were no help, here or in an earlier search. */
  readonly #refused: Set<string>
  /** It follows another search: whoever was wrong nearby shall not be faster than the home server again. */
  readonly #isSecond: boolean
  #askedNear = 0
  /** Of the servers behind the home server, those that are or were asked. */
  #askedFallbacks = 0
  #cancelNext: () => void = () => undefined
  #hasLooked = false
  /** Ends the time in which only the home server is asked; `null` outside of it. */
  #endHomeTurn: (() => void) | null = null
  /** Announcers may still come that were there from the beginning. */
  #isPatient = false
  #stopLooking: () => void = () => undefined
  /** Why the home server was no help the last time. */
  #homeError: AppError | null = null
  #nearError: AppError | null = null
  #winner: string | null = null
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: SenderSearchOptions) {
    const { avoid = [], spotted = [] } = options.leftover ?? {}
    this.#options = options
    this.#isSecond = options.leftover !== undefined
    this.#refused = new Set(avoid)
    for (const server of spotted) this.#spotted.set(keyOf(server), server)
  }

  /** What another search may try when pairing failed at the place that was taken; `null`: nothing. */
  get leftover(): Leftover | null {
    if (this.#winner === null) return null
    const winner = this.#spotted.get(this.#winner)
    const avoid = new Set([...this.#refused, this.#winner, ...(winner ? namesOf(winner) : [])])
    const spotted = [...this.#spotted.values()].filter((server) => !isIn(avoid, server))
    const isOther = (_: unknown, index: number): boolean => !avoid.has(fallbackName(index))
    const hasOther = this.#options.context.fallbacks.some(isOther)
    // Whoever announces last on the local network may be the sender.
    const isLast = avoid.has(home) && spotted.length === 0 && !hasOther && !this.isNear
    return isLast ? null : { avoid, spotted }
  }

  /** The home server has said that it does not have the sender. */
  get #isHomeOut(): boolean {
    return this.#refused.has(home)
  }

  /** The place that was taken is not the home server: anybody may answer there. */
  get isNear(): boolean {
    return this.#winner !== null && this.#winner !== home
  }

  /**
   * What another search begins with though the sender has proved itself at the place that was taken:
   * who stood there may have passed messages on until then. The home server goes first.
   */
  get again(): Leftover {
    return { avoid: this.#refused, spotted: [...this.#spotted.values()] }
  }

  start(): void {
    const { context, nameplate } = this.#options
    const prepared = this.#isSecond ? null : context.preparation().take(nameplate, context.server)
    // A person may have left the local network in between.
    const spotted = context.localNetwork.isThere ? (prepared?.spotted ?? []) : []
    for (const server of spotted) this.#spotted.set(keyOf(server), server)
    if (!this.#isSecond || this.#isHomeOut) this.#look()
    if (!this.#isHomeOut) this.#askHome(prepared?.client ?? null)
    else {
      this.#askFallback()
      this.#conclude()
    }
  }

  /** Passes a message on to the place that was taken. */
  send(message: ClientMessage): void {
    if (this.#winner !== null) this.#clients.get(this.#winner)?.send(message)
  }

  /** The computer woke up. */
  noticeWake(): void {
    for (const client of this.#clients.values()) client.noticeWake()
  }

  /** The sender has proved to be the right one: nobody else is looked for. */
  settle(): void {
    this.#stopLooking()
  }

  /** Leaves all places; resolves when their sockets are gone. */
  async close(): Promise<void> {
    this.settle()
    this.#cancelNext()
    this.#endTurn()
    for (const key of [...this.#clients.keys()]) this.#leave(key)
    await this.#farewell
  }

  /** `prepared` has a socket already, or makes one. */
  #askHome(prepared: SignalingClient | null): void {
    const { context, hello } = this.#options
    const options: SignalingOptions = {
      ...context,
      hello: () => hello({ isHome: true, isAlone: this.#takesTurn() }),
      onUp: (server) => context.serverChanged({ phase: 'connected', ...server }),
      onMessage: (message) => this.#onMessage(home, message),
      onDown: (error, url) => {
        if (isServerError(error)) context.serverChanged({ phase: 'unreachable', url, error })
        this.#homeError = error
        this.#onDown(home, error)
      },
    }
    const client = prepared ?? new SignalingClient(options)
    this.#clients.set(home, client)
    this.#waitForServer()
    if (prepared === null) client.start()
    else prepared.adopt(options)
  }

  /** Asks the next server behind the home server, and the one after it when that says nothing. */
  #askFallback(): void {
    this.#cancelNext()
    const { fallbacks } = this.#options.context
    const isOut = (key: string): boolean => this.#refused.has(key) || this.#clients.has(key)
    while (isOut(fallbackName(this.#askedFallbacks))) this.#askedFallbacks += 1
    const server = fallbacks[this.#askedFallbacks]
    if (this.#winner !== null || server === undefined) return
    const key = fallbackName(this.#askedFallbacks)
    this.#askedFallbacks += 1
    this.#askPlace(key, server, fallbackPatienceMs)
    this.#waitForServer()
  }

  /** The sender may be on its way to them from the home server. They were shown nothing, but for those of an earlier search. */
  #forgetFallbacks(): void {
    this.#askedFallbacks = 0
    for (const index of this.#options.context.fallbacks.keys()) {
      const key = fallbackName(index)
      if (this.#options.leftover?.avoid.has(key) !== true) this.#refused.delete(key)
    }
  }

  #waitForServer(): void {
    const { clock, fallbacks } = this.#options.context
    this.#cancelNext()
    if (this.#askedFallbacks < fallbacks.length) {
      this.#cancelNext = clock.after(nextServerMs, () => this.#askFallback())
    }
  }

  /** Whether the home server is asked alone, from now until it has said something. */
  #takesTurn(): boolean {
    if (this.#isSecond || !this.#hasLooked) return !this.#isSecond
    const { clock, serverUrl } = this.#options.context
    // The server on this computer answers at once, and takes its time to say no.
    if (serverUrl === null || this.#spotted.size > 0) return false
    this.#endTurn()
    this.#endHomeTurn = clock.after(homeWordMs, () => {
      this.#endHomeTurn = null
      this.#askNear()
    })
    return true
  }

  #endTurn(): void {
    this.#endHomeTurn?.()
    this.#endHomeTurn = null
  }

  /** Looks on the local network, for as long as nobody has proved to be the right one. */
  #look(): void {
    const { context, nameplate } = this.#options
    const { localNetwork, clock } = context
    if (this.#hasLooked || !localNetwork.isThere) return
    this.#hasLooked = true
    this.#isPatient = true
    const stopSearch = localNetwork.search(nameplate, (server) => this.#onSpotted(server))
    const cancelPatience = clock.after(nearPatienceMs, () => {
      this.#isPatient = false
      this.#conclude()
    })
    this.#stopLooking = () => {
      stopSearch()
      cancelPatience()
    }
    this.#askNear()
  }

  #onSpotted(server: FoundServer): void {
    const key = keyOf(server)
    if (this.#spotted.has(key) || this.#spotted.size >= maxSpotted) return
    this.#spotted.set(key, server)
    this.#askNear()
  }

  /** Asks each announcer at one of its addresses, and at the next when that was no help. */
  #askNear(): void {
    if (this.#winner !== null || this.#endHomeTurn !== null) return
    for (const [key, server] of this.#spotted) {
      const isOut = isIn(this.#refused, server) || this.#askedNear >= maxNear
      const isAsked = [...this.#clients.keys()].some(
        (other) => this.#spotted.get(other)?.instance === server.instance,
      )
      if (!isOut && !isAsked) this.#ask(key, server)
    }
  }

  #ask(key: string, server: FoundServer): void {
    this.#askedNear += 1
    const locator = { url: server.url, locate: () => Promise.resolve(ok(server)), close: nothing }
    this.#askPlace(key, locator, nearPatienceMs)
  }

  /** For `patienceMs`. */
  #askPlace(key: string, server: ServerLocator, patienceMs: number): void {
    const client = new SignalingClient({
      ...this.#options.context,
      server,
      hello: () => this.#options.hello({ isHome: false, isAlone: false }),
      onUp: () => undefined,
      onMessage: (message) => this.#onMessage(key, message),
      onDown: (error) => {
        this.#nearError = error
        this.#onDown(key, error)
      },
    })
    this.#clients.set(key, client)
    const { clock } = this.#options.context
    this.#deadlines.set(
      key,
      clock.after(patienceMs, () => {
        this.#onDown(key, this.#nearError ?? appError('E_NO_SUCH_CODE', 'no answer there'))
      }),
    )
    client.start()
  }

  #onMessage(key: string, message: ServerMessage): void {
    const isHome = key === home
    if (this.#winner === null && message.t === 'joined') {
      this.#winner = key
      this.#endTurn()
      this.#cancelNext()
      this.#deadlines.get(key)?.()
      for (const other of [...this.#clients.keys()]) if (other !== key) this.#leave(other)
    }
    const isFirstWord = this.#winner === null && isHome && message.t === 'waiting'
    if (isFirstWord) {
      this.#endTurn()
      this.#askNear()
      this.#askFallback()
    }
    if (this.#winner === key || isFirstWord) this.#options.onMessage(message, isHome)
  }

  #onDown(key: string, error: AppError): void {
    if (this.#winner === key) {
      this.#options.onDown(error)
      return
    }
    if (key === home) this.#endTurn()
    // The home server is asked again by itself after an error that passes.
    if (key !== home || !passing.has(error.code)) {
      this.#refused.add(key)
      this.#leave(key)
    } else this.#forgetFallbacks()
    if (!this.#spotted.has(key)) this.#askFallback()
    if (this.#hasLooked) this.#askNear()
    this.#conclude()
  }

  /** Reports that nobody has the nameplate, unless somebody may still say the opposite. */
  #conclude(): void {
    if (this.#winner !== null) return
    const isHomeSilent = this.#clients.has(home) && this.#homeError === null
    if (this.#isSecond && !isHomeSilent) this.#look()
    const isNearSilent = [...this.#clients.keys()].some((key) => key !== home)
    if (isHomeSilent || isNearSilent || this.#isPatient) return
    const error = this.#homeError ?? this.#nearError ?? appError('E_NO_SUCH_CODE', 'not announced')
    this.#homeError = null
    this.#options.onDown(this.#withScope(error))
  }

  /** Without a server, the search went no further than the local network. */
  #withScope(error: AppError): AppError {
    const { serverUrl, fallbacks, localNetwork } = this.#options.context
    if (error.code !== 'E_NO_SUCH_CODE' || serverUrl !== null || fallbacks.length > 0) return error
    const where = localNetwork.isThere ? 'network' : 'computer'
    return appError('E_NO_SUCH_CODE', `looked on this ${where} only`)
  }

  #leave(key: string): void {
    const client = this.#clients.get(key)
    this.#clients.delete(key)
    this.#deadlines.get(key)?.()
    this.#deadlines.delete(key)
    this.#farewell = Promise.all([this.#farewell, client?.close()])
  }
}

const nothing = (): Promise<void> => Promise.resolve()
