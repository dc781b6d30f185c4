/**
 * One share: the nameplate's owner at the signaling server on one side, one session of the engine
 * on the other. Receivers that are connected do not need the server any more, so losing it ends
 * nothing; the share takes its nameplate back as soon as it can.
 */
import type { EngineCommand, EngineEvent } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import { isServerFault, type SessionContext } from '#client/session-context'
import { SignalingClient } from '#client/signaling-client'
import { checkSources, titleOf } from '#client/source-paths'
import type { PeerId, ShareId } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { makeJoinCode } from '#shared/join-code'
import { limits } from '#shared/limits'
import { type ServerMessage, SIGNALING_VERSION } from '#shared/signaling'

/** Where a receiver is; the server's word counts only until the two are connected. */
type PeerPhase = 'pairing' | 'proven' | 'connected'

/**
 * After a receiver left that knows the code: one that found no way through leaves, and the engine
 * here comes to the same verdict about then.
 */
const verdictMs = 5000

/** What the server gave, to take it back after a break. */
type Ownership = { readonly nameplate: string; readonly token: string }

/** Waiting does not help against these. */
const hopeless: ReadonlySet<ErrorCode> = new Set([
  'E_BAD_ARGUMENT',
  'E_PEER_VERSION',
  'E_SERVER_PROTOCOL',
])

/** Made by the client, which then calls `start` once. */
export class ShareSession {
  readonly #context: SessionContext
  readonly #id: ShareId
  readonly #session: SessionNumber
  readonly #signaling: SignalingClient
  readonly #words: string
  readonly #startedAtMs: number
  readonly #peers = new Map<string, PeerPhase>()
  /** Problems told already, so that ten receivers do not tell the same one ten times. */
  readonly #problems = new Set<string>()
  /** Each ends the wait for the engine's verdict about a receiver that left. */
  readonly #waits = new Set<() => void>()
  #ownership: Ownership | null = null
  #code: string | null = null
  #isOver = false

  constructor(context: SessionContext, id: ShareId) {
    this.#context = context
    this.#id = id
    this.#words = context.words.newWords()
    this.#startedAtMs = context.clock.now()
    this.#session = context.engine.open((event) => this.#onEngine(event))
    this.#signaling = new SignalingClient({
      ...context,
      hello: () => ({ t: 'host', v: SIGNALING_VERSION, ...this.#ownership }),
      onUp: (address) => context.serverChanged({ phase: 'connected', ...address }),
      onMessage: (message) => this.#onServer(message),
      onDown: (error, url) => this.#onServerLost(error, url),
    })
  }

  /** Offers what of `paths` (absolute) can be offered. */
  async start(paths: readonly string[]): Promise<void> {
    const share = this.#id
    this.#context.record({ type: 'share-opened', share, title: titleOf(paths) })
    const [sources, ice] = await Promise.all([checkSources(paths), this.#context.iceServers()])
    if (this.#isOver) return
    for (const { path, error } of sources.problems) {
      this.#context.record({ type: 'share-problem', share, path, error })
    }
    if (sources.usable.length === 0) {
      this.#fail(appError('E_NOTHING_TO_SEND'))
      return
    }
    if (!ice.ok) {
      this.#fail(ice.error)
      return
    }
    const fault = this.#context.engine.post({
      type: 'open-share',
      session: this.#session,
      paths: sources.usable,
      name: this.#context.name,
      ice: ice.value,
    })
    if (fault === null) this.#signaling.start()
    else this.#fail(fault)
  }

  /** Ends the share for everybody. */
  stop(): void {
    if (this.#isOver) return
    this.#context.record({ type: 'share-stopped', share: this.#id })
    this.#end()
  }

  /** Ends one receiver. */
  drop(peer: PeerId): void {
    this.#forget(peer)
    this.#failReceiver(peer, appError('E_CANCELLED'))
  }

  #onServer(message: ServerMessage): void {
    switch (message.t) {
      case 'hosted':
        this.#own(message)
        break
      case 'peer':
        this.#add(message.peer)
        break
      case 'relay':
        this.#postFor(message.from, {
          type: 'signal',
          session: this.#session,
          peer: message.from,
          payload: message.body,
        })
        break
      case 'gone':
        this.#lose(message.peer)
        break
      case 'error':
        if (message.peer !== undefined) this.#lose(message.peer)
        break
      case 'joined':
        break
      default:
        assertNever(message)
    }
  }

  #own({ nameplate, token }: Ownership): void {
    this.#ownership = { nameplate, token }
    const code = makeJoinCode(nameplate, this.#words)
    if (code !== this.#code) {
      this.#code = code
      const fault = this.#context.engine.post({ type: 'set-code', session: this.#session, code })
      if (fault !== null) {
        this.#fail(fault)
        return
      }
    }
    this.#context.record({ type: 'share-coded', share: this.#id, code })
  }

  #add(peer: string): void {
    if (this.#peers.size >= limits.receiversShown) return
    this.#peers.set(peer, 'pairing')
    this.#postFor(peer, { type: 'add-peer', session: this.#session, peer })
  }

  /** The server says that a receiver's socket ended, which means nothing once it is connected. */
  #lose(peer: string): void {
    const phase = this.#peers.get(peer)
    if (phase === 'pairing') this.#giveUp(peer)
    if (phase !== 'proven') return
    const cancel = this.#context.clock.after(verdictMs, () => {
      this.#waits.delete(cancel)
      if (this.#peers.get(peer) === 'proven') this.#giveUp(peer)
    })
    this.#waits.add(cancel)
  }

  #giveUp(peer: string): void {
    this.#forget(peer)
    this.#failReceiver(peer, appError('E_PEER_GONE', 'left before it was connected'))
  }

  #forget(peer: string): void {
    if (!this.#peers.delete(peer)) return
    this.#context.engine.post({ type: 'drop-peer', session: this.#session, peer })
  }

  #postFor(peer: string, command: EngineCommand): void {
    const fault = this.#context.engine.post(command)
    if (fault !== null) this.#failReceiver(peer, fault)
  }

  #onServerLost(error: AppError, url: string): void {
    if (isServerFault(error)) this.#context.serverChanged({ phase: 'unreachable', url, error })
    // The nameplate's time is over or its server forgot it: the next attempt asks for any.
    if (error.code === 'E_NO_SUCH_CODE') this.#ownership = null
    if (this.#code !== null) {
      this.#context.record({ type: 'share-unreachable', share: this.#id })
    } else if (hopeless.has(error.code) || this.#isOutOfPatience()) {
      this.#fail(error)
    }
  }

  #isOutOfPatience(): boolean {
    return this.#context.clock.now() - this.#startedAtMs >= this.#context.patienceMs
  }

  #onEngine(event: EngineEvent): void {
    const { record } = this.#context
    const share = this.#id
    if (this.#isAboutForgotten(event)) return
    switch (event.type) {
      case 'scan': {
        const { files, folders, bytes, complete } = event
        record({ type: 'share-counted', share, totals: { files, folders, bytes, complete } })
        break
      }
      case 'scan-items':
        record({ type: 'share-listed', share, items: event.items })
        break
      case 'item-problem':
        this.#tellProblem(event.path, fromEngine(event.error, event.path))
        break
      case 'signal':
        this.#signaling.send({ t: 'relay', to: event.peer, body: event.payload })
        break
      case 'pairing-done':
        this.#peers.set(event.peer, 'proven')
        record({ type: 'receiver-joined', share, peer: event.peer as PeerId })
        break
      case 'connected': {
        const { name, route } = event
        const peer = event.peer as PeerId
        this.#peers.set(peer, 'connected')
        record({ type: 'receiver-connected', share, peer, name, route })
        break
      }
      case 'accepted':
        record({ type: 'receiver-accepted', share, peer: event.peer as PeerId })
        break
      case 'progress': {
        const { files, bytes, totalFiles, totalBytes } = event
        const counters = { files, bytes, totalFiles, totalBytes }
        record({ type: 'receiver-progressed', share, peer: event.peer as PeerId, counters })
        break
      }
      case 'finished': {
        const { files, bytes, problems, renamed } = event
        const outcome = { files, bytes, problems, renamed }
        this.#peers.delete(event.peer)
        record({ type: 'receiver-finished', share, peer: event.peer as PeerId, outcome })
        break
      }
      case 'failed':
        if (event.peer === '') this.#fail(fromEngine(event.error))
        else this.#failReceiver(event.peer, fromEngine(event.error))
        break
      case 'offer':
        break
      default:
        assertNever(event)
    }
  }

  /** What the engine said of a receiver before it learned that the receiver has left. */
  #isAboutForgotten(event: EngineEvent): boolean {
    if (!('peer' in event) || event.peer === '' || this.#peers.has(event.peer)) return false
    return event.type !== 'signal' && event.type !== 'item-problem'
  }

  #tellProblem(path: string, error: AppError): void {
    const key = `${error.code} ${path}`
    if (this.#problems.has(key) || this.#problems.size >= limits.problemsShown) return
    this.#problems.add(key)
    this.#context.record({ type: 'share-problem', share: this.#id, path, error })
  }

  /** One that never proved to know the code was never shown, and so the event changes nothing. */
  #failReceiver(peer: string, error: AppError): void {
    this.#peers.delete(peer)
    this.#context.record({
      type: 'receiver-failed',
      share: this.#id,
      peer: peer as PeerId,
      error,
    })
  }

  #fail(error: AppError): void {
    if (this.#isOver) return
    this.#context.record({ type: 'share-failed', share: this.#id, error })
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    for (const cancel of this.#waits) cancel()
    this.#context.engine.end(this.#session)
    this.#context.ended(this.#signaling.close())
  }
}
