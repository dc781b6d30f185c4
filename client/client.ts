/**
 * The application without a window: takes commands, runs shares and receives over one engine, and
 * reports everything that happens as numbered events. Knows nothing of Electron or of a terminal.
 */
import { hostname } from 'node:os'
import { ClientFiles } from '#client/client-files'
import { type ClientOptions, defaultPatienceMs, isReachable } from '#client/client-options'
import { type Clock, systemClock } from '#client/clock'
import { Contacts } from '#client/contacts/contacts'
import { type EngineLink, startEngine } from '#client/engine-link'
import type { History } from '#client/history/history'
import { LocalNetwork, type NearNetwork } from '#client/lan/local-network'
import { answerNames } from '#client/lan/peer-names'
import { meetingUrl } from '#client/meeting/meeting-client'
import { Nearby } from '#client/nearby/nearby'
import { NetworkChecks } from '#client/network-check/network-checks'
import { watchPaths } from '#client/path-watch'
import { peerName } from '#client/peer-name'
import { noRouter } from '#client/port-mapping/find-router'
import { mapPorts } from '#client/port-mapping/port-mapper'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import { findCode, type FoundCode } from '#client/session/found-code'
import { JoinPreparation } from '#client/session/receive/join-preparation'
import type { JoinTarget } from '#client/session/receive/join-target'
import {
  checkOffer,
  ended,
  needsCode,
  type NewRequest,
  type NewShare,
  nothingToResume,
  removalOf,
  stillRuns,
} from '#client/session/requests'
import type { SessionContext } from '#client/session/session-context'
import {
  type RunningReceive,
  type RunningRequest,
  type RunningShare,
  Sessions,
} from '#client/session/sessions'
import { sourceChecks } from '#client/session/share/source-checks'
import { absoluteItems } from '#client/session/share/source-paths'
import { followSettings, mapsPorts, visibilityOf } from '#client/settings/follow-settings'
import { SettingsInMemory, type SettingsSource } from '#client/settings/settings-store'
import { configuredUrls, LinkServers } from '#client/signaling/link-servers'
import type { ServerLocator } from '#client/signaling/server-locator'
import { type UsedServer, useServer } from '#client/signaling/used-server'
import { newFacts, type TransferFacts } from '#client/state/receive-recorder'
import type { RememberedShare } from '#client/state/remembered-share'
import { stateDirectory } from '#client/state/state-directory'
import { type Listener, type NewEvent, StateLog } from '#client/state/state-log'
import { checkWords } from '#shared/code/chosen-words'
import { type AppError, appError } from '#shared/errors'
import type { Snapshot } from '#shared/ipc'
import type { DeletedPartial } from '#shared/offer'
import { err, ok, type Result } from '#shared/result'
import { asksAboutMeeting } from '#shared/settings/server-choice'
import type { SettingsPatch } from '#shared/settings/settings'
import { defaultShareOptions } from '#shared/settings/share-options'
import type { Visibility } from '#shared/settings/visibility'
import {
  emptyState,
  hasEnded,
  type ReceiveId,
  type ServerStatus,
  type ShareId,
  type SpeedLimits,
  type TransferId,
} from '#shared/state/app-state'
import type { ContactId } from '#shared/state/contacts'
import type { UpdateStatus } from '#shared/update/update-status'

/** Errors: `E_BAD_ARGUMENT` for an invalid address, `E_INTERNAL` if the engine can't start. */
export function createClient(options: ClientOptions): Result<Client, AppError> {
  const settings = options.settings ?? new SettingsInMemory()
  const used = useServer(options, settings)
  if (!used.ok) return used
  const clock = options.clock ?? systemClock
  const engine = startEngine(options.engine, clock)
  if (!engine.ok) return engine
  return ok(new Client({ ...options, clock, link: engine.value }, settings, used.value))
}

/** Options together with the running engine. */
type StartedOptions = ClientOptions & { readonly clock: Clock; readonly link: EngineLink }

/** Made by `createClient`. Every command returns immediately; its results arrive as events. */
export class Client {
  readonly contacts: Contacts
  /** Computers on the same network, and questions of those that want to send. */
  readonly nearby: Nearby
  readonly history: History
  readonly preparation: JoinPreparation
  /** Chooses the proxy for each server. */
  readonly proxyFor: ProxyFor
  /** Checks of this computer's connections. */
  readonly network: NetworkChecks
  /** Shares that have not ended. */
  readonly shares: ReadonlyMap<ShareId, RunningShare>
  /** Requests for files that have not ended. */
  readonly requests: ReadonlyMap<ShareId, RunningRequest>
  /** Receives that have not ended. */
  readonly receives: ReadonlyMap<ReceiveId, RunningReceive>
  readonly #log: StateLog
  readonly #engine: EngineLink
  readonly #used: UsedServer
  readonly #linkServers: LinkServers
  readonly #localNetwork: NearNetwork
  readonly #files: ClientFiles
  readonly #clock: Clock
  readonly #settings: SettingsSource
  readonly #context: Omit<SessionContext, 'ended'>
  readonly #sessions: Sessions
  readonly #restored = new Map<ShareId, RememberedShare['id']>()
  #closed: Promise<void> | null = null

  /** Called only by `createClient`, which has checked the options. */
  constructor(options: StartedOptions, settings: SettingsSource, used: UsedServer) {
    this.#clock = options.clock
    this.#settings = settings
    const mayBeVisible = options.visibleOnNetwork !== false
    const visibility = (): Visibility =>
      mayBeVisible ? visibilityOf(settings.settings.network, used.choice().relayUse) : 'off'
    const isVisible = visibility() !== 'off'
    this.#log = new StateLog({
      ...emptyState(options.downloads, settings.settings, used.fixed),
      localNetwork: { phase: isVisible ? 'idle' : 'off' },
    })
    this.#engine = options.link
    this.#engine.watchNetwork(() => this.onWake())
    this.#used = used
    mapPorts({
      clock: this.#clock,
      engine: this.#engine,
      find: options.findRouter ?? noRouter,
      isWanted: (url) =>
        url !== used.embedded.url && mapsPorts(settings.settings.network, used.choice().relayUse),
    })
    this.proxyFor = used.proxyFor
    this.network = new NetworkChecks(used, settings, options.engine, mayBeVisible)
    this.#files = new ClientFiles({
      directory: options.stateDir ?? stateDirectory(),
      clock: this.#clock,
      engine: this.#engine,
      record: (event) => this.#record(event),
      keepsHistory: () => options.keepsHistory === true && settings.settings.general.keepHistory,
      isRunning: (transfer) => this.#isReceiving(transfer),
    })
    this.#localNetwork =
      options.localNetwork ??
      LocalNetwork.beside(used.embedded, this.#clock, isVisible, (localNetwork) =>
        this.#record({ type: 'local-network-changed', localNetwork }),
      )
    answerNames({ engine: this.#engine, network: this.#localNetwork, clock: this.#clock })
    const { resumableReceives, installation, confirmedServers, history } = this.#files
    this.#linkServers = new LinkServers(
      used,
      () => configuredUrls(settings.settings.network, used.fallbacks),
      confirmedServers,
    )
    this.history = history
    this.#context = {
      installationSecret: () => installation.get(),
      watchFiles: options.watchesFiles === true,
      get receiving() {
        return settings.settings.receiving
      },
      words: options.engine,
      engine: this.#engine,
      get server() {
        return used.server
      },
      get serverUrl() {
        return used.serverUrl
      },
      get fallbacks() {
        return used.fallbacks
      },
      meeting: () => {
        if (asksAboutMeeting(used.fixed, settings.settings.network)) return 'undecided'
        return used.server.url === meetingUrl ? used.server : null
      },
      localNetwork: this.#localNetwork,
      preparation: () => this.preparation,
      clock: this.#clock,
      random: options.random ?? Math.random,
      get name() {
        return peerName(options.name ?? (settings.settings.general.name || hostname()))
      },
      patienceMs: options.patienceMs ?? defaultPatienceMs,
      sources: sourceChecks(this.#clock),
      watchPaths,
      iceServers: used.iceServers,
      offeredRelays: used.offeredRelays,
      access: used.access,
      record: (event) => this.#record(event),
      recordResumable: (entry) => resumableReceives.note({ ...entry, ownName: options.name }),
      suspectResumeKey: (transfer) => resumableReceives.suspectResumeKey(transfer),
      completeResumable: (transfer) => resumableReceives.complete(transfer),
      shareFile: this.#files.shares,
      shareRules: options.shareRules ?? {},
      notifier: (...share) => this.contacts.notifier(...share),
      callNearby: (...call) => this.nearby.call(...call),
      serverChanged: (status) => this.#setServer(status),
    }
    this.#sessions = new Sessions({
      context: this.#context,
      embeddedUrl: used.embedded.url,
      onIdle: () => this.#setServer({ phase: 'idle' }),
    })
    this.shares = this.#sessions.shares
    this.requests = this.#sessions.requests
    this.receives = this.#sessions.receives
    this.preparation = new JoinPreparation(this.#context)
    this.contacts = new Contacts({
      server: () => used.server,
      embedded: used.embedded.url,
      access: used.access,
      clock: this.#clock,
      random: this.#context.random,
      directory: options.stateDir ?? stateDirectory(),
      module: options.engine,
      engine: this.#engine,
      isReachable: () => isReachable(options.reachable, settings.settings),
      record: (event) => this.#record(event),
      receive: (way, place) => this.#receive(way, newFacts(), place),
      accept: (receive, plan) => void this.receives.get(receive)?.accept(plan),
      defer: (receive) => void this.receives.get(receive)?.defer(),
      sendNearby: (contact, body) => this.nearby.invite(contact, body),
      onChange: () => this.nearby.apply(),
    })
    this.nearby = new Nearby({
      network: this.#localNetwork,
      clock: this.#clock,
      random: this.#context.random,
      name: () => this.#context.name,
      visibility,
      receives: options.receivesNearby ?? 'off',
      contacts: () => this.contacts.marked,
      ownMarks: () => this.contacts.ownMarks,
      onInvitation: (contact, body) => this.contacts.receive(contact, body),
      onShare: (target, safety) => {
        const received = this.#receive({ ...target, nearby: safety }, newFacts(), used.embedded)
        return received.ok ? received.value : undefined
      },
      record: (event) => this.#record(event),
    })
    this.#log.subscribe((batch) => {
      for (const { event } of batch) {
        this.contacts.onEvent(event)
        if (event.type === 'settings-changed') this.#sessions.onSettings()
      }
      for (const { event } of batch) history.onEvent(event, this.#log.state)
    })
    followSettings(settings, {
      record: (event) => this.#record(event),
      setLimits: (speedLimits) => void this.setLimits(speedLimits),
      configure: (command) => void this.#engine.post(command),
      tryAgain: () => this.onWake(),
      relayUse: () => used.choice().relayUse,
      setVisibility: (visibleTo) => {
        this.#localNetwork.setVisible(mayBeVisible && visibleTo !== 'off')
        this.nearby.apply()
      },
    })
  }

  /**
   * Sends to contacts and nearby computers, without a code unless `invitedOnly` is false: at the contacts' own server, or
   * at none. Errors: those of `openShare`, `Contacts.placeOf` and `Nearby.call`.
   */
  send({ nearby = [], ...offer }: NewShare): Result<ShareId, AppError> {
    const { to = [] } = offer
    const isLocal = to.length === 0 && offer.invitedOnly !== false
    const place = isLocal ? ok(this.#used.embedded) : this.contacts.placeOf(to)
    if (!place.ok) return place
    const { invitedOnly = true, maxReceivers = defaultShareOptions.maxReceivers } = offer
    // Everyone who was chosen has room.
    const room = invitedOnly ? Math.max(maxReceivers, to.length + nearby.length) : maxReceivers
    const opened = this.openShare({ ...offer, invitedOnly, maxReceivers: room }, place.value)
    if (!opened.ok) return opened
    const session = this.#sessions.shares.get(opened.value)
    const failed = nearby.map((id) => session?.call(id) ?? ended).find(({ ok: isOk }) => !isOk)
    if (failed === undefined || failed.ok) return opened
    session?.stop()
    return failed
  }

  /**
   * Offers files, folders and texts. Items that can't be offered are reported as `share-problem`. `server`: given if it
   * differs from this client's server.
   */
  openShare(offer: NewShare, server?: ServerLocator): Result<ShareId, AppError> {
    const { items, to = [], words, answers, ...options } = offer
    const error = this.#checkNew() ?? checkOffer(offer) ?? this.contacts.checkKnown(to)
    if (error !== null) return err(error)
    const absolute = absoluteItems(items)
    const whole = { ...defaultShareOptions, ...options }
    this.#used.access.refused.forget()
    const more = { to, words, answers, place: server }
    const id = this.#sessions.share({ items: absolute, options: whole, ...more })
    this.history.shared(id, absolute)
    return ok(id)
  }

  /** Sends to the request with this code or link. Errors: those of `openShare` and `join`. */
  answer(text: string, offer: NewShare, agreed = false): Result<ShareId, AppError> {
    const found = this.#find(text, agreed)
    if (!found.ok) return found
    return this.openShare({ ...offer, answers: found.value.target }, found.value.place)
  }

  /** Requests files: makes a code for senders, each of which becomes a receive. Errors: those of `openShare`. */
  request({ words, ...options }: NewRequest = {}): Result<ShareId, AppError> {
    const error = this.#checkNew() ?? checkWords(words)
    if (error !== null) return err(error)
    this.#used.access.refused.forget()
    return ok(this.#sessions.request({ ...defaultShareOptions, ...options }, words))
  }

  /** Reopens interrupted shares, or only those `wanted`, with their codes, items and receivers. */
  async resumeShares(wanted?: (share: RememberedShare) => boolean): Promise<readonly ShareId[]> {
    const room = this.#settings.refusal === null ? this.#sessions.room : 0
    const claimed = await this.#files.shares.claim(room, wanted)
    if (this.#closed !== null) return []
    return claimed.map((restored) => {
      const id = this.#sessions.share({ ...restored, restored })
      this.#restored.set(id, restored.id)
      this.history.shared(id, restored.items)
      return id
    })
  }

  /** Also offers a share to contacts, who need no code. */
  invite(share: ShareId, to: readonly ContactId[]): Result<null, AppError> {
    const session = this.#sessions.shares.get(share)
    if (session === undefined) return ended
    const error = this.contacts.checkKnown(to)
    if (error !== null) return err(error)
    session.invite(to)
    return ok(null)
  }

  /** Adds items to a running share, for present and later receivers. */
  async addItems(share: ShareId, items: NewShare['items']): Promise<Result<null, AppError>> {
    const session = this.#sessions.shares.get(share)
    if (session === undefined) return ended
    const error = checkOffer({ items })
    if (error !== null) return err(error)
    this.history.shared(share, absoluteItems(items))
    return session.add(absoluteItems(items))
  }

  /** Changes settings permanently. Error: `E_BAD_ARGUMENT` if the file can't be written. */
  changeSettings(patch: SettingsPatch): Promise<Result<null, AppError>> {
    return this.#settings.change(this.#used.withPasswords(patch))
  }

  /** Limits all transfers together until the settings change, in bytes of files per second; 0 means no limit. */
  setLimits({ upload, download }: SpeedLimits): Result<null, AppError> {
    const error = this.#engine.post({ type: 'set-limits', upload, download })
    if (error !== null) return err(error)
    this.#record({ type: 'limits-changed', speedLimits: { upload, download } })
    return ok(null)
  }

  /**
   * Looks up a code or a link, to receive anew or to resume an unfinished receive. `agreed`: a person has confirmed the
   * link's server. Errors: those of `findCode`, and `E_BAD_ARGUMENT` for a receive that is unknown or already running.
   * `waitMs`: for this time, the share may still be opened.
   */
  join(
    text: string,
    resumes?: TransferId,
    agreed = false,
    waitMs = 0,
  ): Result<ReceiveId, AppError> {
    const found = this.#find(text, agreed)
    if (!found.ok) return found
    const { target, place } = found.value
    const facts = resumes === undefined ? newFacts() : this.#files.resumableReceives.find(resumes)
    return this.#receive({ ...target, waitMs }, facts, place)
  }

  #find(text: string, agreed: boolean): Result<FoundCode, AppError> {
    const { shares } = this.#log.state
    return findCode(text, agreed, { ...this.#context, servers: this.#linkServers, shares })
  }

  /**
   * Resumes an unfinished receive without a code, while the sender still shares. Error: `E_BAD_ARGUMENT` for a receive
   * that is unknown, already running, or can only be resumed with a code.
   */
  resume(transfer: TransferId): Result<ReceiveId, AppError> {
    const entry = this.#files.resumableReceives.find(transfer)
    const key = entry?.resumeKey ?? null
    const place = key === null ? null : this.#linkServers.locateAgain(key.server)
    if (key === null || place === null) return err(needsCode)
    return this.#receive({ nameplate: key.nameplate, words: null, pass: key.pass }, entry, place)
  }

  /** `server`: given if it differs from this client's server. */
  #receive(
    target: JoinTarget,
    facts: TransferFacts | undefined,
    server?: ServerLocator,
  ): Result<ReceiveId, AppError> {
    const error = this.#checkNew()
    if (error !== null) return err(error)
    if (facts === undefined || this.#isReceiving(facts.transfer)) return err(nothingToResume)
    this.#used.access.refused.forget()
    return ok(this.#sessions.receive(target, facts, server))
  }

  /** Deletes the partial files of an unfinished receive and removes it from the list. */
  deletePartial(transfer: TransferId): Promise<Result<DeletedPartial, AppError>> {
    return this.#files.resumableReceives.deletePartial(transfer)
  }

  /** The items of a stopped share, so that they can be offered again; `null` if it left none. */
  offerOf(share: ShareId): Promise<NewShare | null> {
    return this.#sessions.offerOf(share)
  }

  /** Removes an ended share or receive from the state. */
  dismiss(id: string): Result<null, AppError> {
    const [share, receive] = [id as ShareId, id as ReceiveId]
    if (this.#sessions.runs(share, receive)) return err(stillRuns)
    this.#sessions.stopped.delete(share)
    if (this.#restored.has(share)) this.#files.shares.remove(this.#restored.get(share) ?? '')
    for (const event of removalOf(this.#log.state, share, receive)) this.#record(event)
    return ok(null)
  }

  /**
   * Call it when the computer wakes up or changes networks. Connections to servers are checked, and waiting attempts
   * start immediately. The engine notices lost connections to other computers itself.
   */
  onWake(): void {
    for (const each of [this.#sessions, this.contacts, this.nearby, this.preparation]) each.onWake()
  }

  /** Records the progress of a program update; the updater calls it. */
  setUpdateStatus(update: UpdateStatus): void {
    this.#record({ type: 'update-changed', update })
  }

  /** The state and the number of its last event. */
  snapshot(): Snapshot {
    return this.#log.snapshot()
  }

  /** Calls `listener` with every batch of events until the returned function is called. */
  subscribe(listener: Listener): () => void {
    return this.#log.subscribe(listener)
  }

  /**
   * Ends everything and resolves once it has ended; further calls return the same promise.
   * `suspended`: shares can be resumed later.
   */
  close(shares: 'suspended' | 'stopped' = 'stopped'): Promise<void> {
    this.#closed ??= this.#close(shares)
    return this.#closed
  }

  async #close(shares: 'suspended' | 'stopped'): Promise<void> {
    this.#settings.close()
    this.#sessions.end(shares)
    const people = Promise.all([this.contacts.close(), this.nearby.close()])
    const contacts = people.then(() => undefined)
    // The history receives the ends of these sessions with the events of this turn.
    await Promise.resolve()
    void this.history.flushed()
    await Promise.all([this.#engine.close(), this.preparation.close(), this.#sessions.gone()])
    await this.#files.flushed(contacts, this.contacts.flushed(), this.#linkServers.flushed())
    await Promise.all([this.#used.embedded.close(), this.#localNetwork.server.close()])
  }

  #checkNew(): AppError | null {
    if (this.#closed !== null) return appError('E_ENGINE_CLOSED')
    return this.#settings.refusal ?? this.#sessions.refusal
  }

  #isReceiving(transfer: TransferId): boolean {
    return this.#log.state.receives.some((one) => one.transfer === transfer && !hasEnded(one))
  }

  #record(event: NewEvent): void {
    this.#log.record({ ...event, atMs: this.#clock.now() })
  }

  #setServer(server: ServerStatus): void {
    const isSame = JSON.stringify(this.#log.state.server) === JSON.stringify(server)
    if (!isSame) this.#record({ type: 'server-changed', server })
  }
}
