/**
 * One receive: a joiner at the signaling server on one side, one session of the engine on the other.
 * Until the two computers are connected a lost server means to begin again, with a new session of
 * the engine; afterwards it means nothing, and how the transfer ends is the engine's word alone.
 */
import type { EngineEvent, IceServers } from '#client/engine'
import { fromEngine, type SessionNumber } from '#client/engine-link'
import { isServerFault, type SessionContext } from '#client/session-context'
import { SignalingClient } from '#client/signaling-client'
import { titleOf } from '#client/source-paths'
import type { ReceiveId } from '#shared/app-state'
import { assertNever } from '#shared/assert-never'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import { nameplateOf } from '#shared/join-code'
import { type ServerMessage, SIGNALING_VERSION } from '#shared/signaling'

/** One attempt to pair; each shows the sender one proof, so their number is bounded. */
type Run = { readonly peer: string; readonly session: SessionNumber }

/** Runs that follow by themselves after the first was cut off. */
const mostRepeats = 2

/** After a finished transfer the sender may still ask for the last acknowledgements. */
const lingerMs = 10_000

/** These may be different in a moment: the server starts again, the sender takes its place back. */
const passing: ReadonlySet<ErrorCode> = new Set(['E_SERVER_UNREACHABLE', 'E_PEER_GONE'])

/** Made by the client, which then calls `start` once. */
export class ReceiveSession {
  readonly #context: SessionContext
  readonly #id: ReceiveId
  readonly #code: string
  readonly #signaling: SignalingClient
  #ice: IceServers | null = null
  #run: Run | null = null
  #repeats = 0
  /** Since when it is tried to reach the sender; anew with each run. */
  #triedSinceMs: number
  #isSenderGone = false
  #phase: 'finding' | 'connected' | 'offered' | 'accepted' | 'over' = 'finding'

  /** `code` is well-formed. */
  constructor(context: SessionContext, id: ReceiveId, code: string) {
    this.#context = context
    this.#id = id
    this.#code = code
    this.#triedSinceMs = context.clock.now()
    this.#signaling = new SignalingClient({
      ...context,
      hello: () => ({ t: 'join', v: SIGNALING_VERSION, nameplate: nameplateOf(code) }),
      onUp: (address) => context.serverChanged({ phase: 'connected', ...address }),
      onMessage: (message) => this.#onServer(message),
      onDown: (error, url) => this.#onServerLost(error, url),
    })
  }

  /** Looks for the sender. */
  async start(): Promise<void> {
    this.#context.record({ type: 'receive-opened', receive: this.#id, code: this.#code })
    const ice = await this.#context.iceServers()
    if (this.#phase === 'over') return
    if (ice.ok) {
      this.#ice = ice.value
      this.#signaling.start()
    } else {
      this.#fail(ice.error)
    }
  }

  /** Takes the offer into `directory`, which is absolute. */
  accept(directory: string): AppError | null {
    if (this.#phase !== 'offered' || this.#run === null) {
      return appError('E_BAD_ARGUMENT', 'there is no offer to accept')
    }
    const { session } = this.#run
    const fault = this.#context.engine.post({ type: 'accept', session, directory })
    if (fault !== null) return fault
    this.#phase = 'accepted'
    this.#context.record({ type: 'receive-accepted', receive: this.#id, directory })
    return null
  }

  /** Declines the offer, or cancels whatever runs. */
  cancel(): void {
    this.#fail(appError(this.#phase === 'offered' ? 'E_DECLINED' : 'E_CANCELLED'))
  }

  #onServer(message: ServerMessage): void {
    switch (message.t) {
      case 'joined':
        this.#begin(message.peer)
        break
      case 'relay':
        this.#pass(message.from, message.body)
        break
      case 'gone':
        // The end of the socket follows and says what to do.
        this.#isSenderGone = true
        break
      case 'hosted':
      case 'peer':
      case 'error':
        break
      default:
        assertNever(message)
    }
  }

  #begin(peer: string): void {
    if (this.#run !== null || this.#ice === null) return
    const { engine, name, clock } = this.#context
    const session = engine.open((event) => this.#onEngine(event))
    this.#run = { peer, session }
    this.#triedSinceMs = clock.now()
    this.#isSenderGone = false
    const ice = this.#ice
    const fault = engine.post({ type: 'open-receive', session, code: this.#code, peer, name, ice })
    if (fault === null) this.#context.record({ type: 'receive-found', receive: this.#id })
    else this.#fail(fault)
  }

  #pass(peer: string, payload: string): void {
    if (this.#run?.peer !== peer) return
    const { session } = this.#run
    const fault = this.#context.engine.post({ type: 'signal', session, peer, payload })
    if (fault !== null) this.#fail(fault)
  }

  #onServerLost(lost: AppError, url: string): void {
    const error = this.#isSenderGone ? appError('E_PEER_GONE', lost.detail) : lost
    if (isServerFault(error)) this.#context.serverChanged({ phase: 'unreachable', url, error })
    if (this.#phase !== 'finding') {
      void this.#signaling.close()
      return
    }
    if (this.#run !== null) {
      this.#context.engine.end(this.#run.session)
      this.#run = null
      this.#repeats += 1
    }
    const triedMs = this.#context.clock.now() - this.#triedSinceMs
    const isWorthAnother = passing.has(error.code) && this.#repeats <= mostRepeats
    if (!isWorthAnother || triedMs >= this.#context.patienceMs) this.#fail(error)
  }

  #onEngine(event: EngineEvent): void {
    const { record } = this.#context
    const receive = this.#id
    switch (event.type) {
      case 'scan': {
        const { files, folders, bytes, complete } = event
        record({ type: 'receive-counted', receive, totals: { files, folders, bytes, complete } })
        break
      }
      case 'signal':
        this.#signaling.send({ t: 'relay', to: event.peer, body: event.payload })
        break
      case 'connected':
        if (this.#phase === 'finding') this.#phase = 'connected'
        record({ type: 'receive-connected', receive, from: event.name, route: event.route })
        break
      case 'offer': {
        const { items, files, folders, bytes } = event
        const totals = { files, folders, bytes, complete: true }
        if (this.#phase === 'connected') this.#phase = 'offered'
        const title = titleOf(items.map((item) => item.name))
        record({ type: 'receive-offered', receive, title, items, totals })
        break
      }
      case 'progress': {
        const { files, bytes, totalFiles, totalBytes } = event
        const counters = { files, bytes, totalFiles, totalBytes }
        record({ type: 'receive-progressed', receive, counters })
        break
      }
      case 'item-problem': {
        const error = fromEngine(event.error, event.path)
        record({ type: 'receive-problem', receive, path: event.path, error })
        break
      }
      case 'finished': {
        const { files, bytes, problems, renamed } = event
        const outcome = { files, bytes, problems, renamed }
        record({ type: 'receive-finished', receive, outcome })
        this.#end(lingerMs)
        break
      }
      case 'failed':
        this.#fail(fromEngine(event.error))
        break
      case 'pairing-done':
      case 'scan-items':
      case 'accepted':
        break
      default:
        assertNever(event)
    }
  }

  #fail(error: AppError): void {
    if (this.#phase === 'over') return
    this.#context.record({ type: 'receive-failed', receive: this.#id, error })
    this.#end(0)
  }

  #end(engineLingerMs: number): void {
    this.#phase = 'over'
    if (this.#run !== null) this.#context.engine.end(this.#run.session, engineLingerMs)
    this.#context.ended(this.#signaling.close())
  }
}
