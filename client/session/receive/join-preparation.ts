/**
 * What can be done for a code while its words are still typed: a socket to the configured server, on which
 * nothing is said yet, addresses of STUN and TURN servers, and a look at the local network for who announces
 * the nameplate. Nobody learns more by it than by the join that follows, and the server not even the nameplate;
 * nothing of it counts as a guess, or as a question for a code. A join without typing, by a link or the command, also
 * looks for addresses while its socket is made.
 */
import type { Clock } from '#client/clock'
import type { IceServers } from '#client/engine'
import type { FoundServer, NearNetwork } from '#client/lan/local-network'
import type { ServerLocator } from '#client/signaling/server-locator'
import { SignalingClient } from '#client/signaling/signaling-client'
import type { AppError } from '#shared/errors'
import type { Result } from '#shared/result'

/** Servers close a socket that says nothing for 10 s. */
const maxMs = 8000

/** How often in a round, which is far below what servers allow: people may type on and on, and a page do worse. */
const maxInRound = 6
const roundMs = 60_000

/** Announcers that are remembered; a search remembers as many. */
const maxSpotted = 16

/** The part of `SessionContext` that preparing a join uses. */
export type PreparationContext = {
  readonly server: ServerLocator
  readonly serverUrl: string | null
  readonly localNetwork: NearNetwork
  readonly clock: Clock
  readonly random: () => number
  readonly iceServers: (at: ServerLocator) => Promise<Result<IceServers, AppError>>
}

/** What a search begins with. */
export type Prepared = {
  /** Has a socket, or makes one, and waits for `adopt`. */
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

/** One for a client; prepares for one code at a time. */
export class JoinPreparation {
  readonly #context: PreparationContext
  #present: Present | null = null
  #round = { beganMs: 0, begun: 0 }
  #farewell: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(context: PreparationContext) {
    this.#context = context
  }

  /** Prepares for a share with this nameplate, in place of another one; the same one for 8 s. */
  begin(nameplate: string): void {
    if (this.#isFor(nameplate, this.#context.server) || this.#isClosed) return
    this.#end()
    this.#prepare(nameplate, true)
  }

  /** For a share at `server`, to which a socket is made meanwhile. Errors as those of `UsedServer`. */
  iceServers(nameplate: string, server: ServerLocator): Promise<Result<IceServers, AppError>> {
    const isOurs = server === this.#context.server && !this.#isClosed
    // Whoever joins looks at the local network itself.
    if (this.#present === null && isOurs) this.#prepare(nameplate, false)
    const present = this.#isFor(nameplate, server) ? this.#present : null
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

  /** What there is for a share at `server`, once; it is the caller's from then on. */
  take(nameplate: string, server: ServerLocator): Prepared {
    const present = this.#isFor(nameplate, server) ? this.#present : null
    if (present === null) return { client: null, spotted: [] }
    const { client, spotted } = present
    present.client = null
    this.#end()
    return { client, spotted }
  }

  /** The computer woke up: the socket may be dead, and who was nearby far away. */
  noticeWake(): void {
    this.#end()
  }

  /** Ends it for good; resolves when there is no socket any more. */
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

  /** The server on this computer needs none of this: it answers at once. */
  #connect(present: Present): void {
    const { server, serverUrl, clock, random } = this.#context
    if (serverUrl === null) return
    const client = new SignalingClient({
      server,
      clock,
      random,
      // Whoever adopts it says another one.
      hello: () => ({ t: 'leave' }),
      onUp: () => undefined,
      onMessage: () => undefined,
      // Whoever joins makes the next attempt, and says what comes of it.
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
