/** A share's place at one signaling server: its socket and its hosting state. */
import type { SessionContext } from '#client/session/session-context'
import type { ReachedServer, ServerLocator } from '#client/signaling/server-locator'
import {
  openSignaling,
  type SignalingConnection,
  type SignalingOptions,
} from '#client/signaling/signaling-client'
import type { AppError } from '#shared/errors'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'

type Greeting = Parameters<SignalingOptions['hello']>[0]
type Claim = Extract<ClientMessage, { readonly t: 'host' }>

/** Dependencies and callbacks of a place; none is called after `close`. */
export type RegistrationOptions = {
  readonly context: SessionContext
  readonly server: ServerLocator
  /** Distinguishes its receivers' ids from those of other servers. */
  readonly prefix: string
  readonly claim: (greeting: Greeting) => Claim
  /** True if people already have the nameplate. */
  readonly isRestored?: boolean
  /** The resume keys of receivers that may return. */
  readonly returning: () => readonly string[]
  readonly onUp: (server: ReachedServer) => void
  /** `isAsked`: the nameplate is the requested one, or any was requested. */
  readonly onHosted: (nameplate: string, isAsked: boolean) => void
  /** Receives later messages, with the prefix at every id. */
  readonly onMessage: (message: ServerMessage) => void
  /** The next attempt follows automatically. */
  readonly onLost: (error: AppError, url: string) => void
}

/** `start` begins it, once. */
export class Registration {
  readonly #options: RegistrationOptions
  readonly #signaling: SignalingConnection
  /** The current socket's request until it is answered. */
  #asking: Claim | null = null
  #isHosting = false
  #hasPage = false

  constructor(options: RegistrationOptions) {
    const { context, server, onUp } = options
    this.#options = options
    this.#signaling = openSignaling({
      ...context,
      server,
      hello: (greeting) => {
        this.#asking = options.claim(greeting)
        return this.#asking
      },
      ...(options.isRestored === true && { isRestored: true }),
      returning: options.returning,
      onUp: (reached, hasPage = false) => {
        this.#hasPage = hasPage
        onUp(reached)
      },
      onMessage: (message) => this.#onServer(message),
      onDown: (error, url) => {
        this.#isHosting = false
        options.onLost(error, url)
      },
    })
  }

  /** True while the server has the share under its nameplate. */
  get isHosting(): boolean {
    return this.#isHosting
  }

  /** True if browsers can receive at this server. */
  get hasPage(): boolean {
    return this.#isHosting && this.#hasPage
  }

  start(): void {
    this.#signaling.start()
  }

  /** Sends a message whose ids have the prefix. */
  send(message: ClientMessage): void {
    const { length } = this.#options.prefix
    if (message.t === 'relay') this.#signaling.send({ ...message, to: message.to.slice(length) })
    else if (message.t === 'grant') {
      this.#signaling.send({ ...message, peer: message.peer.slice(length) })
    } else this.#signaling.send(message)
  }

  /** Counts a wrong guess of one of its receivers, whose id has the prefix. */
  noteWrongGuess(peer: string): void {
    this.#signaling.noteWrongGuess?.(peer.slice(this.#options.prefix.length))
  }

  /** Call it when the keys of returning receivers have changed. */
  onReturning(): void {
    this.#signaling.onReturning?.()
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#signaling.onWake()
  }

  /** Releases the nameplate unless the share `returns`; resolves when the socket is closed. */
  close(farewell?: 'returns'): Promise<void> {
    this.#isHosting = false
    return this.#signaling.close(farewell)
  }

  /** A nameplate is valid only once, as the answer to `host`: a server can't change it later. */
  #onServer(message: ServerMessage): void {
    const asking = this.#asking
    if ((message.t === 'hosted') !== (asking !== null)) {
      const isRepeated = message.t === 'hosted'
      this.#signaling.accuse(isRepeated ? 'hosted, unasked' : `${message.t} before hosted`)
    } else if (message.t === 'hosted') {
      this.#asking = null
      this.#isHosting = true
      const wanted = asking?.nameplate ?? message.nameplate
      this.#options.onHosted(message.nameplate, wanted === message.nameplate)
    } else this.#options.onMessage(this.#withPrefix(message))
  }

  #withPrefix(message: ServerMessage): ServerMessage {
    const { prefix } = this.#options
    if (message.t === 'relay') return { ...message, from: prefix + message.from }
    return 'peer' in message && message.peer !== undefined
      ? { ...message, peer: prefix + message.peer }
      : message
  }
}
