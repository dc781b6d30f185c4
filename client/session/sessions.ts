/** The running shares and receives of a client. */
import { meetingUrl } from '#client/meeting/meeting-client'
import type { JoinTarget } from '#client/session/receive/join-target'
import { ReceiveSession } from '#client/session/receive/receive-session'
import { RequestSession } from '#client/session/request/request-session'
import type { NewShare } from '#client/session/requests'
import type { SessionContext } from '#client/session/session-context'
import { ShareSession } from '#client/session/share/share-session'
import { fixedServer, type ServerLocator } from '#client/signaling/server-locator'
import type { TransferFacts } from '#client/state/receive-recorder'
import type { RememberedShare } from '#client/state/remembered-share'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { err, ok } from '#shared/result'
import type { ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { ReceiveId, ShareId } from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'

/** Dependencies of `Sessions`. */
export type SessionsOptions = {
  readonly context: Omit<SessionContext, 'ended'>
  /** Address of the embedded server. */
  readonly embeddedUrl: string
  /** Called when the last session has ended. */
  readonly onIdle: () => void
}

/** A new share. `restored`: the same share as an earlier program stored it. */
export type ShareBeginning = {
  readonly items: readonly SourceItem[]
  readonly options: ShareOptions
  readonly to: readonly ContactId[]
  readonly words?: string | undefined
  readonly restored?: RememberedShare | null
  /** The request that it answers. */
  readonly answers?: JoinTarget | undefined
  /** Given if it differs from the client's server. */
  readonly place?: ServerLocator | undefined
}

/** A share without its lifecycle, for callers of `Client`. */
export type RunningShare = Omit<
  ShareSession,
  'start' | 'add' | 'invite' | 'close' | 'onWake' | 'onSettings'
>
/** A request without its lifecycle, for callers of `Client`. */
export type RunningRequest = Pick<RequestSession, 'stop' | 'changeCode' | 'renewCode'>
/** A receive without its lifecycle, for callers of `Client`. */
export type RunningReceive = Omit<ReceiveSession, 'start' | 'adopt' | 'onWake'>

/** Each client has one. */
export class Sessions {
  readonly shares = new Map<ShareId, ShareSession>()
  readonly requests = new Map<ShareId, RequestSession>()
  readonly receives = new Map<ReceiveId, ReceiveSession>()
  /** Offers of ended shares that are still in the state. */
  readonly stopped = new Map<ShareId, NewShare>()
  readonly #options: SessionsOptions
  readonly #farewells = new Set<Promise<void>>()
  #lastId = 0

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** The number of further sessions that may start. */
  get room(): number {
    return limits.transfersRunning - this.#running
  }

  get #running(): number {
    return this.shares.size + this.requests.size + this.receives.size
  }

  /** The reason why no further session may start, or `null`. */
  get refusal(): AppError | null {
    return this.room > 0
      ? null
      : appError('E_LIMIT_EXCEEDED', `at most ${limits.transfersRunning} transfers at once`)
  }

  /** Begins a share. */
  share(beginning: ShareBeginning): ShareId {
    const { items, options, to, words, restored = null, answers = null, place } = beginning
    const id = this.#newId('s') as ShareId
    const url = restored?.server
    const { access } = this.#options.context
    const server = typeof url === 'string' ? fixedServer(url, access) : place
    const context = this.#contextOf(() => {
      this.stopped.set(id, session.offer)
      this.shares.delete(id)
    }, server)
    const session = new ShareSession(context, id, options, { words, restored, answers })
    this.shares.set(id, session)
    void session.start(items)
    session.invite(to)
    return id
  }

  /** Begins a request for files. `server`: given if it differs from the client's. */
  request(options: ShareOptions, words?: string, server?: ServerLocator): ShareId {
    const id = this.#newId('s') as ShareId
    const session = new RequestSession({
      context: this.#contextOf(() => this.requests.delete(id), server),
      ...{ id, options, words },
      newReceiveId: () => this.#newId('r') as ReceiveId,
      begin: (receive, { nameplate, words: secret, facts, onAccepted, onEnded }) => {
        const { refusal } = this
        if (refusal !== null) return err(refusal)
        const context = this.#contextOf(() => {
          this.receives.delete(receive)
          onEnded()
        }, server)
        const arrival = { request: id, onAccepted }
        const target = { nameplate, words: secret }
        const begun = new ReceiveSession(context, receive, target, facts, arrival)
        this.receives.set(receive, begun)
        void begun.start()
        return ok(begun)
      },
    })
    this.requests.set(id, session)
    void session.start()
    return id
  }

  /** Begins a receive. `server`: given if it differs from the client's. */
  receive(target: JoinTarget, facts: TransferFacts, server?: ServerLocator): ReceiveId {
    const id = this.#newId('r') as ReceiveId
    const context = this.#contextOf(() => this.receives.delete(id), server)
    const session = new ReceiveSession(context, id, target, facts)
    this.receives.set(id, session)
    void session.start()
    return id
  }

  /** See `Client.offerOf`. */
  async offerOf(share: ShareId): Promise<NewShare | null> {
    const offer = this.stopped.get(share)
    if (offer === undefined) return null
    const paths = offer.items.flatMap((item) => (item.kind === 'path' ? [item.path] : []))
    const { usable } = await this.#options.context.sources.check(paths)
    const items = offer.items.filter(
      (item) => item.kind === 'text' || (item.kind === 'path' && usable.includes(item.path)),
    )
    return items.length === 0 ? null : { ...offer, items }
  }

  /** True while this share or receive runs. */
  runs(share: ShareId, receive: ReceiveId): boolean {
    return this.shares.has(share) || this.requests.has(share) || this.receives.has(receive)
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    for (const sessions of [this.shares, this.requests, this.receives])
      for (const session of sessions.values()) session.onWake()
  }

  /** Call it when settings have changed. */
  onSettings(): void {
    for (const session of [...this.shares.values(), ...this.requests.values()]) session.onSettings()
  }

  /** Ends all sessions. `suspended`: shares can be resumed later. */
  end(shares: 'suspended' | 'stopped'): void {
    for (const session of [...this.shares.values()]) session.close(shares)
    for (const session of [...this.requests.values()]) session.stop()
    for (const session of [...this.receives.values()]) session.cancel()
  }

  /** Resolves when the sockets of ended sessions are closed. */
  async gone(): Promise<void> {
    await Promise.all(this.#farewells)
  }

  #newId(kind: 's' | 'r'): string {
    this.#lastId += 1
    return `${kind}${this.#lastId}`
  }

  #contextOf(forget: () => void, other?: ServerLocator): SessionContext {
    const { context, embeddedUrl, onIdle } = this.#options
    const server = other ?? context.server
    const serverUrl = [embeddedUrl, meetingUrl].includes(server.url) ? null : server.url
    return {
      ...context,
      server,
      serverUrl,
      fallbacks: server.url === context.server.url ? context.fallbacks : [],
      // A session at a chosen place stays there.
      meeting: other === undefined ? context.meeting : () => null,
      ended: (farewell) => {
        forget()
        this.#farewells.add(farewell)
        void farewell.finally(() => this.#farewells.delete(farewell))
        if (this.#running === 0) onIdle()
      },
    }
  }
}
