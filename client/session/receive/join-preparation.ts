/**
 * Prepares a join while the words of a code are being typed. It opens a silent socket to the configured server,
 * resolves STUN and TURN servers, and searches the local network for the nameplate. It reveals no more than the later
 * join does, and not even the nameplate to the server. Nothing counts as a guess or as a lookup of a code. A join
 * without typing, by a link or the command, also resolves addresses while its socket is opened.
 */
import type { Clock } from '#client/clock'
import type { IceServers } from '#client/engine'
import type { FoundServer, NearNetwork } from '#client/lan/local-network'
import type { ServerLocator } from '#client/signaling/server-locator'
import { SignalingClient } from '#client/signaling/signaling-client'
import type { AppError } from '#shared/errors'
import type { Result } from '#shared/result'

/** Servers close a socket that is silent for 10 s. */
const maxMs = 8000

/**
 * Preparations per round, far below the limits of servers: a person may keep typing, and a compromised page may do
 * worse.
 */
const maxInRound = 6
const roundMs = 60_000

/** Limits the found servers kept; a search keeps the same number. */
const maxSpotted = 16

/** The part of `SessionContext` that preparing a join uses. */
export type PreparationContext = {
  readonly server: ServerLocator
  readonly serverUrl: string | null
  readonly localNetwork: NearNetwork
  readonly clock: Clock
  readonly random: () => number
  readonly iceServers: (at: ServerLocator) => Promise<Result<IceServers, AppError>>
  readonly installationSecret: () => Promise<string>
}

/** The prepared start of a search. */
export type Prepared = {
  /** An open or opening socket that waits for `adopt`. */
  readonly client: SignalingClient | null
  readonly spotted: readonly FoundServer[]
}

type Present = {
  readonly nameplate: string
  readonly server: ServerLocator
  readonly spotted: FoundServer[]
  readonly ice: Promise<Result<IceServers, AppError>>
  client: SignalingClient | null
  stop: () => void
}

/** Each client has one; it prepares for one code at a time. */
export class JoinPreparation {
  readonly #context: PreparationContext
  #present: Present | null = null
  #round = { beganMs: 0, begun: 0 }
  #farewell: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(context: PreparationContext) {
    this.#context = context
  }

  /**
   * Prepares for a share with this nameplate, replacing an earlier preparation; keeps one for the
   * same nameplate for 8 s.
   */
  begin(nameplate: string): void {
    if (this.#isFor(nameplate, this.#context.server) || this.#isClosed) return
    this.#end()
    this.#prepare(nameplate, true)
  }

  /**
   * ICE servers for a share at `server`, to which a socket is opened meanwhile. The engine has the installation's
   * secret then. Errors are those of `UsedServer`.
   */
  iceServers(nameplate: string, server: ServerLocator): Promise<Result<IceServers, AppError>> {
    const isOurs = server === this.#context.server && !this.#isClosed
    // A join searches the local network itself.
    if (this.#present === null && isOurs) this.#prepare(nameplate, false)
    const present = this.#isFor(nameplate, server) ? this.#present : null
    void this.#context.installationSecret()
    return present?.ice ?? this.#context.iceServers(server)
  }

  #isFor(nameplate: string, server: ServerLocator): boolean {
    return this.#present?.nameplate === nameplate && this.#present.server === server
  }

  #prepare(nameplate: string, looks: boolean): void {
    if (!this.#mayBegin()) return
    const { server, clock, localNetwork } = this.#context
    const spotted: FoundServer[] = []
    const present: Present = {
      nameplate,
      server,
      spotted,
      client: null,
      stop: () => undefined,
      ice: this.#context.iceServers(server),
    }
    this.#present = present
    const stopSearch =
      looks && localNetwork.isThere
        ? localNetwork.search(nameplate, (found) => {
            if (spotted.length < maxSpotted) spotted.push(found)
          })
        : () => undefined
    const cancel = clock.after(maxMs, () => this.#end())
    present.stop = () => {
      stopSearch()
      cancel()
    }
    this.#connect(present)
  }

  /** Hands over the preparation for a share at `server`; the caller owns it. */
  take(nameplate: string, server: ServerLocator): Prepared {
    const present = this.#isFor(nameplate, server) ? this.#present : null
    if (present === null) return { client: null, spotted: [] }
    const { client, spotted } = present
    present.client = null
    this.#end()
    return { client, spotted }
  }

  /** Call it when the computer wakes up: the socket may be dead, and found servers out of reach. */
  onWake(): void {
    this.#end()
  }

  /** Ends preparation permanently; resolves when the socket is closed. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#end()
    await this.#farewell
  }

  #mayBegin(): boolean {
    const nowMs = this.#context.clock.now()
    if (nowMs - this.#round.beganMs >= roundMs) this.#round = { beganMs: nowMs, begun: 0 }
    this.#round.begun += 1
    return this.#round.begun <= maxInRound
  }

  /** The embedded server needs no preparation: it answers immediately. */
  #connect(present: Present): void {
    const { server, serverUrl, clock, random } = this.#context
    server.prepare?.(present.nameplate)
    if (serverUrl === null) return
    const client = new SignalingClient({
      server,
      clock,
      random,
      // The adopter replaces this message.
      hello: () => ({ t: 'leave' }),
      onUp: () => undefined,
      onMessage: () => undefined,
      // The join itself makes the next attempt and reports its result.
      onDown: () => {
        if (present.client !== client) return
        present.client = null
        this.#leave(client)
      },
    })
    present.client = client
    client.startAhead()
  }

  #end(): void {
    const present = this.#present
    this.#present = null
    present?.stop()
    if (present?.client) this.#leave(present.client)
  }

  #leave(client: SignalingClient): void {
    this.#farewell = Promise.all([this.#farewell, client.close('returns')])
  }
}
