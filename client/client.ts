/**
 * The application without a window: takes commands, runs shares and receives over one engine, and
 * tells everything that happens as numbered events. Knows nothing of Electron or of a terminal.
 */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { type Clock, systemClock } from '#client/clock'
import type { EngineModule } from '#client/engine'
import { EngineLink } from '#client/engine-link'
import { type IceText, parseIceConfig, resolveIceServers } from '#client/ice-servers'
import { LocalServer } from '#client/local-server'
import { ReceiveSession } from '#client/receive-session'
import { fixedServer, parseServerUrl, type ServerLocator } from '#client/server-locator'
import type { NewEvent, SessionContext } from '#client/session-context'
import { ShareSession } from '#client/share-session'
import { absolutePaths } from '#client/source-paths'
import { type Listener, StateLog } from '#client/state-log'
import type { PeerId, ReceiveId, ServerStatus, ShareId } from '#shared/app-state'
import { type AppError, appError } from '#shared/errors'
import type { Snapshot } from '#shared/ipc'
import { parseJoinCode } from '#shared/join-code'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'

/** What the program around a client decides. */
export type ClientOptions = {
  readonly engine: EngineModule
  /** Where receives are written unless another folder is chosen. */
  readonly downloads: string
  /** `ws://host:port` or `wss://host`; `null` for the server on this computer. */
  readonly serverUrl: string | null
  /** STUN and TURN servers as in `parseIceConfig`; none unless given. */
  readonly ice?: IceText
  /** This computer's name as others see it; the system's unless given. */
  readonly name?: string
  /** How long a share or receive tries to reach the server for the first time. */
  readonly patienceMs?: number
  /** Port of the server on this computer. */
  readonly localPort?: number
  readonly clock?: Clock
  readonly random?: () => number
}

/** Long enough to log in to a network after the computer woke up. */
const defaultPatienceMs = 60_000

/** A client over `options`, or `E_BAD_ARGUMENT` for an address that makes no sense. */
export function createClient(options: ClientOptions): Result<Client, AppError> {
  const url = options.serverUrl === null ? null : parseServerUrl(options.serverUrl)
  if (url?.ok === false) return url
  const ice = parseIceConfig(options.ice ?? { stun: [], turn: [], relayOnly: false })
  if (!ice.ok) return ice
  const server = url === null ? new LocalServer(options.localPort) : fixedServer(url.value)
  return ok(new Client(options, server, () => resolveIceServers(ice.value)))
}

/** Made by `createClient`. Every command answers at once; what follows arrives as events. */
export class Client {
  readonly #log: StateLog
  readonly #engineModule: EngineModule
  readonly #engine: EngineLink
  readonly #server: ServerLocator
  readonly #clock: Clock
  readonly #context: Omit<SessionContext, 'ended'>
  readonly #shares = new Map<ShareId, ShareSession>()
  readonly #receives = new Map<ReceiveId, ReceiveSession>()
  readonly #farewells = new Set<Promise<void>>()
  #lastId = 0
  #closed: Promise<void> | null = null

  /** For `createClient`, which has checked everything. */
  constructor(
    options: ClientOptions,
    server: ServerLocator,
    iceServers: SessionContext['iceServers'],
  ) {
    this.#clock = options.clock ?? systemClock
    this.#log = new StateLog(options.downloads)
    this.#engineModule = options.engine
    this.#engine = new EngineLink(options.engine, this.#clock)
    this.#server = server
    this.#context = {
      words: options.engine,
      engine: this.#engine,
      server,
      clock: this.#clock,
      random: options.random ?? Math.random,
      name: shortened(options.name ?? hostname(), limits.peerNameBytes),
      patienceMs: options.patienceMs ?? defaultPatienceMs,
      iceServers,
      record: (event) => this.#record(event),
      serverChanged: (status) => this.#setServer(status),
    }
  }

  /** Offers files and folders. The ones that can't be offered follow as `share-problem`. */
  openShare(paths: readonly string[]): Result<ShareId, AppError> {
    const fault = this.#faultOfNew()
    if (fault !== null) return err(fault)
    if (paths.length === 0) return err(appError('E_NOTHING_TO_SEND'))
    if (paths.length > limits.pathsPerShare) {
      return err(appError('E_LIMIT_EXCEEDED', `at most ${limits.pathsPerShare} items at once`))
    }
    const id = this.#newId('s') as ShareId
    const session = new ShareSession(
      this.#contextOf(() => this.#shares.delete(id)),
      id,
    )
    this.#shares.set(id, session)
    void session.start(absolutePaths(paths))
    return ok(id)
  }

  /** Looks up a code. Error: `E_BAD_CODE` before anything is sent. */
  join(text: string): Result<ReceiveId, AppError> {
    const fault = this.#faultOfNew()
    if (fault !== null) return err(fault)
    const code = parseJoinCode(text)
    if (!code.ok) return code
    if (!this.#engineModule.isJoinCode(code.value)) {
      return err(appError('E_BAD_CODE', 'not all of these are code words'))
    }
    const id = this.#newId('r') as ReceiveId
    const context = this.#contextOf(() => this.#receives.delete(id))
    const session = new ReceiveSession(context, id, code.value)
    this.#receives.set(id, session)
    void session.start()
    return ok(id)
  }

  /** Takes an offer into `directory`, which is created if missing. */
  accept(receive: ReceiveId, directory: string): Result<null, AppError> {
    const session = this.#receives.get(receive)
    if (session === undefined) return err(ended)
    const fault = session.accept(resolve(directory))
    return fault === null ? ok(null) : err(fault)
  }

  /** Declines an offer, or cancels a running receive. */
  cancel(receive: ReceiveId): Result<null, AppError> {
    const session = this.#receives.get(receive)
    session?.cancel()
    return session === undefined ? err(ended) : ok(null)
  }

  /** Ends a share for all its receivers. */
  stopShare(share: ShareId): Result<null, AppError> {
    const session = this.#shares.get(share)
    session?.stop()
    return session === undefined ? err(ended) : ok(null)
  }

  /** Ends one receiver of a share. */
  dropReceiver(share: ShareId, peer: PeerId): Result<null, AppError> {
    const session = this.#shares.get(share)
    session?.drop(peer)
    return session === undefined ? err(ended) : ok(null)
  }

  /** Forgets a share or receive that has ended. */
  dismiss(id: string): Result<null, AppError> {
    const share = id as ShareId
    const receive = id as ReceiveId
    if (this.#shares.has(share) || this.#receives.has(receive)) {
      return err(appError('E_BAD_ARGUMENT', 'it has not ended yet'))
    }
    const { shares, receives } = this.#log.state
    if (shares.some((one) => one.id === share)) this.#record({ type: 'share-removed', share })
    if (receives.some((one) => one.id === receive)) {
      this.#record({ type: 'receive-removed', receive })
    }
    return ok(null)
  }

  /** The state, and the number of the last event in it. */
  snapshot(): Snapshot {
    return this.#log.snapshot()
  }

  /** Calls `listener` with every batch of events until the returned function is called. */
  subscribe(listener: Listener): () => void {
    return this.#log.subscribe(listener)
  }

  /** Ends everything and waits for it. Safe at every moment and more than once. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    for (const session of [...this.#shares.values()]) session.stop()
    for (const session of [...this.#receives.values()]) session.cancel()
    await Promise.all([this.#engine.close(), ...this.#farewells])
    await this.#server.close()
  }

  #faultOfNew(): AppError | null {
    if (this.#closed !== null) return appError('E_ENGINE_CLOSED')
    const running = this.#shares.size + this.#receives.size
    return running < limits.transfersRunning
      ? null
      : appError('E_LIMIT_EXCEEDED', `at most ${limits.transfersRunning} transfers at once`)
  }

  #newId(kind: 's' | 'r'): string {
    this.#lastId += 1
    return `${kind}${this.#lastId}`
  }

  #contextOf(forget: () => void): SessionContext {
    return {
      ...this.#context,
      ended: (farewell) => {
        forget()
        this.#farewells.add(farewell)
        void farewell.finally(() => this.#farewells.delete(farewell))
        if (this.#shares.size + this.#receives.size === 0) this.#setServer({ phase: 'idle' })
      },
    }
  }

  #record(event: NewEvent): void {
    this.#log.record({ ...event, atMs: this.#clock.now() })
  }

  #setServer(server: ServerStatus): void {
    const before = this.#log.state.server
    if (JSON.stringify(before) !== JSON.stringify(server)) {
      this.#record({ type: 'server-changed', server })
    }
  }
}

const ended = appError('E_BAD_ARGUMENT', 'there is nothing running under this id')

/** The longest beginning of `text` that fits, whole characters only. */
function shortened(text: string, mostBytes: number): string {
  let short = ''
  for (const character of text.trim()) {
    if (Buffer.byteLength(short + character) > mostBytes) break
    short += character
  }
  return short
}
