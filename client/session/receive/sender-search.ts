/**
 * The search for the server that has a nameplate. It queries several places at the same time: the *home* server, which
 * is configured or embedded, and servers that announce the nameplate on the local network. The first place to introduce
 * the sender wins, and the others are dropped. The winner may not lead to the sender: if pairing fails there, the link
 * searches once more elsewhere.
 *
 * If the home server is unreachable, silent or does not have the sender, its fallback servers are queried one after
 * another. Strangers may hold the nameplate there, so the rules for places nearby apply.
 *
 * The local network responds long before a configured server can be queried. If the nameplate was not announced by then,
 * the home server's question carries the first message for the sender, which saves a round trip. Places nearby then wait
 * for that server's response, because a message that one sender has seen is useless elsewhere.
 */
import type { FoundServer } from '#client/lan/local-network'
import { meetingUrl } from '#client/meeting/meeting-client'
import { isServerError, type SessionContext } from '#client/session/session-context'
import type { ServerLocator } from '#client/signaling/server-locator'
import {
  openSignaling,
  type SignalingClient,
  type SignalingConnection,
  type SignalingOptions,
} from '#client/signaling/signaling-client'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { ok } from '#shared/result'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'

/** Errors that may pass within moments: the server restarts, or the sender returns to its place. */
export const passing: ReadonlySet<ErrorCode> = new Set([
  'E_SERVER_UNREACHABLE',
  'E_PROXY_UNREACHABLE',
  'E_PROXY_REFUSED',
  'E_PEER_GONE',
])

/** The circumstances in which a place is queried. */
export type Asking = {
  /** True for the home server. */
  readonly isHome: boolean
  /** True if no other place is queried before the answer, so the question may carry the first message. */
  readonly isAlone: boolean
}

/** Dependencies and callbacks of a search; none is called after `close`. */
export type SenderSearchOptions = {
  readonly context: SessionContext
  readonly nameplate: string
  /** True if the first message for the home server travels sealed. */
  readonly hasPass: boolean
  /** The key that resumes an earlier receive. */
  readonly resumeKey?: string
  readonly hello: (asking: Asking) => ClientMessage
  readonly onMessage: (message: ServerMessage, isHome: boolean) => void
  /** No place has the sender, or the sender's place was lost. The next attempt follows automatically. */
  readonly onDown: (error: AppError) => void
  /** The remaining places of an earlier search of the same link; the home server then goes first. */
  readonly leftover?: Leftover | undefined
}

/** Places to avoid, and announcers that were found but not queried yet. */
export type Leftover = {
  readonly avoid: ReadonlySet<string>
  readonly spotted: readonly FoundServer[]
}

/**
 * The time for the first announcer to appear, and for each answer. On the local network both take milliseconds, unless
 * packets get lost.
 */
const nearPatienceMs = 2500

/** The time limit of a fallback server, which may be far away, use TLS and delay a negative answer. */
const fallbackPatienceMs = 8000

/** The time that places nearby wait for a configured server that has the first message. */
const homeWordMs = 1500

/** Limits the announcers queried: at most one is right, and strangers can make any number. */
const maxNear = 4

/** Limits the announcers kept for a second search. */
const maxSpotted = 16

/** The home server's key among places. */
const home = 'home'

/** The time before the next fallback server is queried, too. */
const nextServerMs = 3000

/** A fallback server's key among places. */
const fallbackName = (index: number): string => `fallback ${index}`

const keyOf = ({ url, dial }: FoundServer): string => `${url} ${dial?.host ?? ''}`

/** The identities of an announcer: it may have several addresses, and announce twice from one address. */
const namesOf = (server: FoundServer): readonly string[] => [
  keyOf(server),
  server.instance,
  server.dial?.host ?? server.url,
]

const isIn = (places: ReadonlySet<string>, server: FoundServer): boolean =>
  namesOf(server).some((name) => places.has(name))

/** `start` begins it, once. */
export class SenderSearch {
  readonly #options: SenderSearchOptions
  /** The places that are being queried, and the winner. */
  readonly #clients = new Map<string, SignalingConnection>()
  /** Cancels the time limit of each place's answer. */
  readonly #deadlines = new Map<string, () => void>()
  /** Servers that announce the nameplate, in order of discovery. */
  readonly #spotted = new Map<string, FoundServer>()
  /** Places that failed, here or in an earlier search. */
  readonly #refused: Set<string>
  /** True for a follow-up search, in which places nearby must not beat the home server again. */
  readonly #isSecond: boolean
  #askedNear = 0
  /** The number of fallback servers that were queried. */
  #askedFallbacks = 0
  #cancelNext: () => void = () => undefined
  #hasLooked = false
  /** Ends the time in which only the home server is queried; `null` otherwise. */
  #endHomeTurn: (() => void) | null = null
  /** True while announcers that were present from the start may still appear. */
  #isPatient = false
  #stopLooking: () => void = () => undefined
  /** The home server's last error. */
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

  /** The remaining places for a second search, if pairing failed at the winner; `null` if there are none. */
  get leftover(): Leftover | null {
    if (this.#winner === null) return null
    const winner = this.#spotted.get(this.#winner)
    const avoid = new Set([...this.#refused, this.#winner, ...(winner ? namesOf(winner) : [])])
    const spotted = [...this.#spotted.values()].filter((server) => !isIn(avoid, server))
    const isOther = (_: unknown, index: number): boolean => !avoid.has(fallbackName(index))
    const hasOther = this.#options.context.fallbacks.some(isOther)
    // The latest announcer on the local network may be the sender.
    const isLast = avoid.has(home) && spotted.length === 0 && !hasOther && !this.isNear
    return isLast ? null : { avoid, spotted }
  }

  /** True once the home server has denied having the sender. */
  get #isHomeOut(): boolean {
    return this.#refused.has(home)
  }

  /** True if strangers may answer at the winner, which is not a configured server. */
  get isNear(): boolean {
    const isPublic = this.#options.context.server.url === meetingUrl
    return this.#winner !== null && (this.#winner !== home || isPublic)
  }

  /** True if the winner is the public meeting points. */
  get isAtMeeting(): boolean {
    const { server, fallbacks } = this.#options.context
    if (this.#winner === home) return server.url === meetingUrl
    const index = fallbacks.findIndex(({ url }) => url === meetingUrl)
    return index !== -1 && this.#winner === fallbackName(index)
  }

  /** True if the home server is the embedded one, which answers immediately but delays a negative answer. */
  get #isHomeEmbedded(): boolean {
    const { server, localNetwork } = this.#options.context
    return server.url === localNetwork.server.url
  }

  /**
   * The remaining places for another search after the sender has proved itself at the winner, where a stranger may have
   * passed messages on until then. The home server goes first.
   */
  get again(): Leftover {
    return { avoid: this.#refused, spotted: [...this.#spotted.values()] }
  }

  start(): void {
    const { context, nameplate } = this.#options
    const prepared = this.#isSecond ? null : context.preparation().take(nameplate, context.server)
    // The local network may have been turned off in between.
    const spotted = context.localNetwork.isThere ? (prepared?.spotted ?? []) : []
    for (const server of spotted) this.#spotted.set(keyOf(server), server)
    if (!this.#isSecond || this.#isHomeOut) this.#look()
    if (!this.#isHomeOut) this.#askHome(prepared?.client ?? null)
    else {
      this.#askFallback()
      this.#conclude()
    }
  }

  /** Sends a message to the winner. */
  send(message: ClientMessage): void {
    if (this.#winner !== null) this.#clients.get(this.#winner)?.send(message)
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    for (const client of this.#clients.values()) client.onWake()
  }

  /** Ends the search: the winner is the right sender. */
  settle(): void {
    this.#stopLooking()
  }

  /** Leaves all places; resolves when their sockets are closed. */
  async close(): Promise<void> {
    this.settle()
    this.#cancelNext()
    this.#endTurn()
    for (const key of [...this.#clients.keys()]) this.#leave(key)
    await this.#farewell
  }

  /** `prepared`: an open or opening socket. */
  #askHome(prepared: SignalingClient | null): void {
    const { context, nameplate, hasPass, resumeKey } = this.#options
    const isServer = context.server.url !== meetingUrl
    const hello = () => this.#options.hello({ isHome: true, isAlone: this.#takesTurn() })
    const options: SignalingOptions = {
      ...context,
      joining: nameplate,
      ...(resumeKey !== undefined && { resumeKey }),
      hello,
      ...(!hasPass && { early: hello }),
      onUp: (server) => {
        if (isServer) context.serverChanged({ phase: 'connected', ...server })
      },
      onMessage: (message) => this.#onMessage(home, message),
      onDown: (error, url) => {
        if (isServer && isServerError(error))
          context.serverChanged({ phase: 'unreachable', url, error })
        this.#homeError = error
        this.#onDown(home, error)
      },
    }
    const client = prepared ?? openSignaling(options)
    this.#clients.set(home, client)
    this.#waitForServer()
    if (prepared === null) client.start()
    else prepared.adopt(options)
  }

  /** Queries the next fallback server, and later ones if it stays silent. */
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

  /**
   * Allows fallback servers to be queried again, because the sender may be moving to them. Only those of an earlier
   * search have received a message, and stay refused.
   */
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

  /** True if only the home server is queried now; starts the limit for its first response. */
  #takesTurn(): boolean {
    if (this.#isSecond || !this.#hasLooked) return !this.#isSecond
    const { clock } = this.#options.context
    if (this.#isHomeEmbedded || this.#spotted.size > 0) return false
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

  /** Searches the local network until a sender has proved to be the right one. */
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

  /** Queries each announcer at one address, and at the next one if that fails. */
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

  #askPlace(key: string, server: ServerLocator, patienceMs: number): void {
    const { context, nameplate, resumeKey } = this.#options
    const hello = () => this.#options.hello({ isHome: false, isAlone: false })
    const client = openSignaling({
      ...context,
      server,
      joining: nameplate,
      ...(resumeKey !== undefined && { resumeKey }),
      hello,
      early: hello,
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
      clock.after(patienceMs, () =>
        this.#onDown(key, this.#nearError ?? appError('E_NO_SUCH_CODE', 'no answer there')),
      ),
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
    // The home server's client retries automatically after a passing error.
    if (key !== home || !passing.has(error.code)) {
      this.#refused.add(key)
      this.#leave(key)
    } else this.#forgetFallbacks()
    if (!this.#spotted.has(key)) this.#askFallback()
    if (this.#hasLooked) this.#askNear()
    this.#conclude()
  }

  /** Reports that no place has the nameplate, unless an answer is still possible. */
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

  /** Without a server, adds to the error how far the search went. */
  #withScope(error: AppError): AppError {
    const { fallbacks, localNetwork } = this.#options.context
    if (error.code !== 'E_NO_SUCH_CODE' || !this.#isHomeEmbedded || fallbacks.length > 0)
      return error
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
