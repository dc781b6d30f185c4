/**
 * All places of a share: at the server that is configured, at those that stand behind it in its profile, and
 * at the embedded one, by which the local network finds it. They have one nameplate, so that one code leads
 * to all. The configured server gives it; when that doesn't answer in time, another one does, so that there
 * is a code at once, and the others are asked for the same one later. Without a configured server there is
 * one place.
 */
import { isServerError, type SessionContext } from '#client/session/session-context'
import { SharePlace } from '#client/session/share/share-place'
import { SparePlaces } from '#client/session/share/spare-places'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import { type AppError, appError } from '#shared/errors'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'

/** What a share learns of its places. */
export type SharePlacesOptions = {
  readonly context: SessionContext
  /** What the share owned before a restart. */
  readonly restored: { readonly ownerKey: string; readonly nameplate: string } | null
  /** A server has the share, under this nameplate. */
  readonly onHosted: (nameplate: string) => void
  /** A place that leads to other networks is lost, and another place is left. */
  readonly onNearer: () => void
  readonly onMessage: (message: ServerMessage) => void
  /** No server has the share any more, or yet; attempts follow automatically. `isLast`: each one has said so. */
  readonly onLost: (error: AppError, isLast: boolean) => void
}

/** A person waits for the code; most servers have answered by then. */
const firstChanceMs = 1000

/** The same for a server that others stand behind. */
const spareChanceMs = 2000

/** At the ids of receivers that came over the local network. */
const nearPrefix = 'near-'

/**
 * Of six digits, so that the configured server has it free later: it gives shorter ones as long as it
 * has any.
 */
const longNameplate = (random: () => number): string =>
  String(100_000 + Math.floor(random() * 900_000))

/** Begins with `start`, once. */
export class SharePlaces {
  readonly #options: SharePlacesOptions
  /** Of the nameplate, at all of them. */
  readonly owner: NameplateOwner
  #main: SharePlace
  /** At the embedded server, when that isn't the main one. */
  #near: SharePlace | null = null
  #isNearStarted = false
  /** Behind the main one. */
  readonly #spares: SparePlaces
  /** The main server has had the present nameplate: it decides about its end. */
  #wasMain = false
  /** Why the main server doesn't have the share; it says more than the other's. */
  #mainError: AppError | null = null
  #withdraw: () => void = () => undefined
  #cancelChance: () => void = () => undefined
  #stopFollowing: () => void = () => undefined
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: SharePlacesOptions) {
    this.#options = options
    this.owner = new NameplateOwner(options.restored)
    this.#spares = new SparePlaces({
      context: options.context,
      owner: () => this.owner,
      onHosted: (nameplate) => this.#onSpareHosted(nameplate),
      onMessage: options.onMessage,
      onLost: (error) => this.#onSpareLost(error),
    })
    this.#main = this.#newMain()
    this.#near = this.#newNear()
  }

  /** Address of the configured server that has the share, or else of the main one; `null` without any. */
  get serverUrl(): string | null {
    const { serverUrl } = this.#options.context
    return this.#main.isHosting ? serverUrl : (this.#spares.serverUrl ?? serverUrl)
  }

  /** A configured server has the share, so that it is found from other networks, too. */
  get isFar(): boolean {
    return (this.#main.isHosting && !this.#isMainEmbedded) || this.#spares.isHosting
  }

  start(): void {
    const { localNetwork } = this.#options.context
    this.#stopFollowing = localNetwork.onVisible(() => this.#onVisible(localNetwork.isVisible))
    this.#main.start()
    this.#waitForMain()
    this.#spares.need(spareChanceMs)
  }

  /** To the server by which a receiver came, or else to the main one. */
  send(message: ClientMessage): void {
    const peer = message.t === 'relay' ? message.to : message.t === 'grant' ? message.peer : null
    if (peer?.startsWith(nearPrefix) === true) this.#near?.send(message)
    else if (!this.#spares.send(message)) this.#main.send(message)
  }

  /** The computer woke up. */
  noticeWake(): void {
    this.#main.noticeWake()
    this.#spares.noticeWake()
    this.#near?.noticeWake()
  }

  /** Other places under another nameplate, by an owner that no server knows. */
  renew(): void {
    this.leave()
    this.owner.forget()
    this.#wasMain = false
    this.#main = this.#newMain()
    this.#near = this.#newNear()
    this.start()
  }

  /** Gives all places back, unless the share `returns` to them. */
  leave(farewell?: 'returns'): void {
    this.#cancelChance()
    this.#stopFollowing()
    this.#withdraw()
    this.#farewell = Promise.all([
      this.#farewell,
      this.#main.close(farewell),
      this.#near?.close(farewell),
      this.#spares.close(farewell),
    ])
  }

  /** Resolves when all sockets that were left are gone. */
  async left(): Promise<void> {
    await this.#farewell
  }

  /** The one place is at the embedded server, open to the local network or not. */
  get #isMainEmbedded(): boolean {
    const { server, localNetwork } = this.#options.context
    return server.url === localNetwork.server.url
  }

  #newMain(): SharePlace {
    const { context, onMessage } = this.#options
    const isNear = context.localNetwork.isVisible && this.#isMainEmbedded
    return new SharePlace({
      context,
      server: context.server,
      prefix: '',
      claim: (greeting) => ({ ...this.owner.claim(greeting), ...(isNear && { visible: true }) }),
      onUp: (server) => context.serverChanged({ phase: 'connected', ...server }),
      onHosted: (nameplate, isAsked) => this.#onMainHosted(nameplate, isAsked, isNear),
      onMessage,
      onLost: (error, url) => this.#onMainLost(error, url, isNear),
    })
  }

  #newNear(): SharePlace | null {
    const { context, onMessage } = this.#options
    this.#isNearStarted = false
    if (!context.localNetwork.isVisible || this.#isMainEmbedded) return null
    return new SharePlace({
      context,
      server: context.localNetwork.server,
      prefix: nearPrefix,
      claim: (greeting) => ({
        ...this.owner.claim(greeting, longNameplate(context.random)),
        visible: true,
      }),
      onUp: () => undefined,
      onHosted: (nameplate) => this.#onNearHosted(nameplate),
      onMessage,
      onLost: (error) => this.#onNearLost(error),
    })
  }

  /** A person wants the share to be found on the local network from now on, or no more. */
  #onVisible(isVisible: boolean): void {
    if (this.#isMainEmbedded) {
      this.#withdraw()
      this.#farewell = Promise.all([this.#farewell, this.#main.close('returns')])
      this.#main = this.#newMain()
      this.#main.start()
      return
    }
    const wasHosting = this.#near?.isHosting === true
    this.#cancelChance()
    // The nameplate is not given to somebody else there until it is wanted again.
    this.#replaceNear('returns')
    if (isVisible) this.#waitForMain()
    else if (wasHosting && !this.#main.isHosting && !this.#spares.isHosting) {
      this.#tellLost(appError('E_SERVER_UNREACHABLE', 'only nearby'))
    }
  }

  /** The place nearby follows the main one, or comes first when that takes too long. */
  #waitForMain(): void {
    if (this.#near === null) return
    if (this.#main.isHosting) this.#startNear()
    else {
      const { clock } = this.#options.context
      this.#cancelChance = clock.after(firstChanceMs, () => this.#startNear())
    }
  }

  #startNear(): void {
    this.#cancelChance()
    if (this.#near === null || this.#isNearStarted) return
    this.#isNearStarted = true
    this.#near.start()
  }

  #replaceNear(farewell?: 'returns'): void {
    this.#farewell = Promise.all([this.#farewell, this.#near?.close(farewell)])
    this.#withdraw()
    this.#near = this.#newNear()
  }

  #restartNear(): void {
    this.#replaceNear()
    this.#startNear()
  }

  #onMainHosted(nameplate: string, isAsked: boolean, isNear: boolean): void {
    const before = this.owner.nameplate
    const isElsewhere = before !== null && before !== nameplate && this.#isElsewhere
    if (isElsewhere && !this.#wasMain) {
      // It was asked for any, and the other answered first: people have that code by now.
      this.#farewell = Promise.all([this.#farewell, this.#main.close()])
      this.#main = this.#newMain()
      this.#main.start()
      return
    }
    this.#mainError = null
    this.#spares.settle()
    this.#wasMain = true
    this.owner.got(nameplate)
    if (isElsewhere || (!isAsked && this.#isNearStarted)) this.#restartNear()
    else this.#startNear()
    if (isNear) this.#announce(nameplate)
    this.#options.onHosted(nameplate)
  }

  #onNearHosted(nameplate: string): void {
    const wanted = this.owner.nameplate
    if (wanted !== null && wanted !== nameplate) {
      this.#restartNear()
      return
    }
    this.owner.got(nameplate)
    this.#announce(nameplate)
    this.#options.onHosted(nameplate)
  }

  #onSpareHosted(nameplate: string): void {
    this.owner.got(nameplate)
    this.#startNear()
    this.#options.onHosted(nameplate)
  }

  #onSpareLost(error: AppError): void {
    if (error.code === 'E_NO_SUCH_CODE' && !this.#wasMain && !this.#isElsewhere) this.owner.forget()
    // The main server may still answer, and decides then.
    if (this.#mainError !== null && !this.#isElsewhere) this.#tellLost(error)
    else this.#options.onNearer()
  }

  /** The main server's error says most, and is not the last word while one behind it is asked. */
  #tellLost(error: AppError): void {
    const isLast = this.#mainError !== null && !this.#spares.isAsking
    this.#options.onLost(this.#mainError ?? error, isLast)
  }

  /** Another server than the main one has the share. */
  get #isElsewhere(): boolean {
    return this.#near?.isHosting === true || this.#spares.isHosting
  }

  #onMainLost(error: AppError, url: string, isNear: boolean): void {
    const { context } = this.#options
    this.#mainError = error
    if (isNear) this.#withdraw()
    if (isServerError(error) && !this.#spares.isHosting) {
      context.serverChanged({ phase: 'unreachable', url, error })
    }
    // A server that only restarts is soon back.
    this.#spares.need(this.#wasMain ? undefined : 0)
    // The nameplate's time is over or its server forgot it: the next attempt asks for any.
    // As long as one behind it has the share, people's code leads there.
    const isOver = error.code === 'E_NO_SUCH_CODE' && !this.#spares.isHosting
    if (isOver && (this.#wasMain || this.#near?.isHosting !== true)) {
      this.owner.forget()
      this.#wasMain = false
      this.#farewell = Promise.all([this.#farewell, this.#spares.close()])
      // The outcome of the next attempt here starts it again, with another nameplate.
      if (this.#isNearStarted) this.#replaceNear()
      this.#tellLost(error)
    } else if (this.#near !== null && !this.#isNearStarted) this.#startNear()
    else if (!this.#isElsewhere) this.#tellLost(error)
    else this.#options.onNearer()
  }

  #onNearLost(error: AppError): void {
    this.#withdraw()
    const isFree = error.code === 'E_NO_SUCH_CODE' && !this.#wasMain && !this.#spares.isHosting
    if (isFree) this.owner.forget()
    if (!this.#main.isHosting && !this.#spares.isHosting) this.#tellLost(error)
  }

  #announce(nameplate: string): void {
    this.#withdraw()
    const stop = this.#options.context.localNetwork.announce(nameplate)
    this.#withdraw = () => {
      this.#withdraw = () => undefined
      stop()
    }
  }
}
