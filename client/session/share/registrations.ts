/**
 * All registrations of a share: at the configured server, at its fallback servers, and at the embedded server, where the local
 * network finds it. They have the same nameplate, so that one code leads to all of them. The configured server assigns
 * it. If that server does not answer in time, another one does, so that a code exists early. The others are asked for
 * the same one later. Without a configured server there is one registration.
 */
import { meetingUrl } from '#client/meeting/meeting-client'
import { isServerError, type SessionContext } from '#client/session/session-context'
import { BackupRegistrations } from '#client/session/share/backup-registrations'
import { Registration } from '#client/session/share/registration'
import { NameplateOwner } from '#client/signaling/nameplate-owner'
import { type AppError, appError } from '#shared/errors'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'
import type { Greeting } from '#shared/signaling/owner-proof'
import type { MeetingState } from '#shared/state/app-state'

/** Dependencies and callbacks of `Registrations`. */
export type RegistrationsOptions = {
  readonly context: SessionContext
  /** The share's ownership before a restart. */
  readonly restored: { readonly ownerKey: string; readonly nameplate: string } | null
  /** The resume keys of receivers that may return, the latest last. */
  readonly returning: () => readonly string[]
  /** A server has the share, under this nameplate. */
  readonly onHosted: (nameplate: string) => void
  /** A registration that other networks can reach is lost, and another registration remains. */
  readonly onNearer: () => void
  readonly onMessage: (message: ServerMessage) => void
  /** No server has the share; attempts follow automatically. `isLast`: every server has failed. */
  readonly onLost: (error: AppError, isLast: boolean) => void
}

/** The time for the main server to assign the nameplate, for which a person waits. */
const firstChanceMs = 1000

/** The same time for a main server with fallbacks. */
const backupChanceMs = 2000

/** The prefix for ids of receivers from the local network. */
const nearPrefix = 'near-'

/** The length of numbers at public meeting points. */
const meetingDigits = 6

/** A random nameplate of six digits, so that the configured server has it free later: it prefers shorter ones. */
const longNameplate = (random: () => number): string =>
  String(100_000 + Math.floor(random() * 900_000))

/** `start` begins it, once. */
export class Registrations {
  readonly #options: RegistrationsOptions
  /** The owner of the nameplate, at all registrations. */
  readonly owner: NameplateOwner
  #main: Registration
  /** The registration at the embedded server, unless that is the main one. */
  #near: Registration | null = null
  #isNearStarted = false
  /** The registrations at the fallback servers. */
  readonly #backups: BackupRegistrations
  /** True once the main server has had the current nameplate: it then decides about its end. */
  #wasMain = false
  /** The main server's error, which is more useful than the others'. */
  #mainError: AppError | null = null
  /** The nameplate that places without a configured server are asked for. */
  #wish: string | null = null
  #withdraw: () => void = () => undefined
  #cancelChance: () => void = () => undefined
  #stopFollowing: () => void = () => undefined
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: RegistrationsOptions) {
    this.#options = options
    this.owner = new NameplateOwner(options.restored)
    this.#backups = new BackupRegistrations({
      context: options.context,
      owner: () => this.owner,
      returning: options.returning,
      onHosted: (nameplate) => this.#onBackupHosted(nameplate),
      onMessage: options.onMessage,
      onLost: (error) => this.#onBackupLost(error),
    })
    this.#main = this.#newMain()
    this.#near = this.#newNear()
  }

  /** Address of the configured server that has the share, or else of the main one; `null` without any. */
  get serverUrl(): string | null {
    const { serverUrl } = this.#options.context
    if (this.#main.isHosting) return serverUrl
    const { serverUrl: backup } = this.#backups
    return backup === meetingUrl ? null : (backup ?? serverUrl)
  }

  /** True if the server of `serverUrl` has the share, and a page at which browsers receive. */
  get hasPage(): boolean {
    return this.#main.isHosting ? this.#main.hasPage : this.#backups.hasPage
  }

  /** The state of the share at public meeting points; `undefined` if it doesn't depend on them. */
  get meeting(): MeetingState | undefined {
    const isAlone = !this.#main.isHosting || this.#isMainEmbedded
    const isBackup = isAlone && this.#backups.serverUrl === meetingUrl
    if (!this.#isMainMeeting && !isBackup) return undefined
    if (this.#main.isHosting || isBackup) return 'there'
    return this.#mainError?.code === 'E_CODE_LOCKED' ? 'left' : 'away'
  }

  /** True if a configured server has the share, so that other networks can reach it. */
  get isFar(): boolean {
    return (this.#main.isHosting && !this.#isMainEmbedded) || this.#backups.isHosting
  }

  start(): void {
    const { localNetwork } = this.#options.context
    this.#stopFollowing = localNetwork.onVisible(() => this.#onVisible(localNetwork.isVisible))
    this.#main.start()
    this.#waitForMain()
    this.#backups.need(backupChanceMs)
  }

  /** Sends through the server of the message's receiver, or else the main one. */
  send(message: ClientMessage): void {
    const peer = message.t === 'relay' ? message.to : message.t === 'grant' ? message.peer : null
    // Contacts on this computer may listen at the embedded server.
    if (message.t === 'notify' && this.#isMainMeeting) this.#near?.send(message)
    if (peer?.startsWith(nearPrefix) === true && this.#near !== null) this.#near.send(message)
    else if (!this.#backups.send(message)) this.#main.send(message)
  }

  /** Counts a wrong guess of a receiver, at the place where it came from. */
  noteWrongGuess(peer: string): void {
    if (peer.startsWith(nearPrefix) || this.#backups.noteWrongGuess(peer)) return
    this.#main.noteWrongGuess(peer)
  }

  /** Call it when the keys of returning receivers have changed. */
  onReturning(): void {
    this.#main.onReturning()
    this.#backups.onReturning()
  }

  /** True for a receiver that came through public meeting points. */
  isFromMeeting(peer: string): boolean {
    if (peer.startsWith(nearPrefix)) return false
    const { server } = this.#options.context
    return (this.#backups.serverOf(peer) ?? server).url === meetingUrl
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    this.#main.onWake()
    this.#backups.onWake()
    this.#near?.onWake()
  }

  /**
   * Registers a share of this network at public meeting points, too, if a person has agreed since; returns false
   * otherwise. A number that is shorter than theirs needs a new code for that.
   */
  meetPublicly(): boolean {
    const place = this.#options.context.meeting()
    const isLong = this.owner.nameplate?.length === meetingDigits
    if (place === null || place === 'undecided' || !this.#isMainEmbedded || !isLong) return false
    return this.#backups.use(place)
  }

  /** Registers again under a new nameplate, as an owner that no server knows. */
  renew(): void {
    this.deregister()
    this.#forget()
    this.#wasMain = false
    this.#main = this.#newMain()
    this.#near = this.#newNear()
    this.start()
  }

  /** Releases all registrations, unless the share `returns` to them. */
  deregister(farewell?: 'returns'): void {
    this.#cancelChance()
    this.#stopFollowing()
    this.#withdraw()
    this.#farewell = Promise.all([
      this.#farewell,
      this.#main.close(farewell),
      this.#near?.close(farewell),
      this.#backups.close(farewell),
    ])
  }

  /** Resolves when all former sockets are closed. */
  async left(): Promise<void> {
    await this.#farewell
  }

  /** True if the only place is at the embedded server, visible to the local network or not. */
  get #isMainEmbedded(): boolean {
    const { server, localNetwork } = this.#options.context
    return server.url === localNetwork.server.url
  }

  get #isMainMeeting(): boolean {
    return this.#options.context.server.url === meetingUrl
  }

  /** True if a share of this network may be found at public meeting points now or later. */
  get #mayMeet(): boolean {
    return this.#isMainEmbedded && this.#options.context.meeting() !== null
  }

  #forget(): void {
    this.owner.forget()
    this.#wish = null
  }

  #claim(greeting: Greeting): ReturnType<NameplateOwner['claim']> {
    this.#wish ??= longNameplate(this.#options.context.random)
    return this.owner.claim(greeting, this.#wish)
  }

  #newMain(): Registration {
    const { context, returning, onMessage } = this.#options
    const isMeeting = this.#isMainMeeting
    const isNear = context.localNetwork.isVisible && this.#isMainEmbedded
    return new Registration({
      context,
      server: context.server,
      prefix: '',
      isRestored: this.owner.nameplate !== null,
      returning,
      claim: (greeting) => ({
        ...(isMeeting || this.#mayMeet ? this.#claim(greeting) : this.owner.claim(greeting)),
        ...(isNear && { visible: true }),
      }),
      onUp: (server) => {
        if (!isMeeting) context.serverChanged({ phase: 'connected', ...server })
      },
      onHosted: (nameplate, isAsked) => this.#onMainHosted(nameplate, isAsked, isNear),
      onMessage,
      onLost: (error, url) => this.#onMainLost(error, url, isNear),
    })
  }

  #newNear(): Registration | null {
    const { context, returning, onMessage } = this.#options
    this.#isNearStarted = false
    if (!context.localNetwork.isVisible || this.#isMainEmbedded) return null
    return new Registration({
      context,
      server: context.localNetwork.server,
      prefix: nearPrefix,
      returning,
      claim: (greeting) => ({
        ...this.#claim(greeting),
        visible: true,
      }),
      onUp: () => undefined,
      onHosted: (nameplate) => this.#onNearHosted(nameplate),
      onMessage,
      onLost: (error) => this.#onNearLost(error),
    })
  }

  /** Follows the setting for visibility on the local network. */
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
    // The server keeps the nameplate for this share until visibility returns.
    this.#replaceNear('returns')
    if (isVisible) this.#waitForMain()
    else if (wasHosting && !this.#main.isHosting && !this.#backups.isHosting) {
      this.#tellLost(appError('E_SERVER_UNREACHABLE', 'only nearby'))
    }
  }

  /** Starts the registration nearby after the main one, or earlier if that takes too long. */
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
      // The main server assigned a different nameplate too late: people already have the other server's code.
      this.#farewell = Promise.all([this.#farewell, this.#main.close()])
      this.#main = this.#newMain()
      this.#main.start()
      return
    }
    this.#mainError = null
    if (!this.#isMainEmbedded) this.#backups.settle()
    this.#wasMain = true
    this.owner.got(nameplate)
    if (isElsewhere || (!isAsked && this.#isNearStarted)) this.#restartNear()
    else this.#startNear()
    if (isNear) this.#announce(nameplate)
    this.#options.onHosted(nameplate)
    this.meetPublicly()
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

  #onBackupHosted(nameplate: string): void {
    this.owner.got(nameplate)
    this.#startNear()
    this.#options.onHosted(nameplate)
  }

  #onBackupLost(error: AppError): void {
    if (error.code === 'E_NO_SUCH_CODE' && !this.#wasMain && !this.#isElsewhere) this.#forget()
    // The main server may still answer, and then decides.
    if (this.#mainError !== null && !this.#isElsewhere) this.#tellLost(error)
    else this.#options.onNearer()
  }

  /** Reports the main server's error, which is final only once no fallback is being queried. */
  #tellLost(error: AppError): void {
    const isLast = this.#mainError !== null && !this.#backups.isAsking
    this.#options.onLost(this.#mainError ?? error, isLast)
  }

  /** True if a server other than the main one has the share. */
  get #isElsewhere(): boolean {
    return this.#near?.isHosting === true || this.#backups.isHosting
  }

  #onMainLost(error: AppError, url: string, isNear: boolean): void {
    const { context } = this.#options
    this.#mainError = error
    if (isNear) this.#withdraw()
    if (error.code === 'E_CODE_LOCKED') {
      this.#options.onNearer()
      return
    }
    if (isServerError(error) && !this.#backups.isHosting && !this.#isMainMeeting) {
      context.serverChanged({ phase: 'unreachable', url, error })
    }
    // A restarting server is soon back.
    this.#backups.need(this.#wasMain ? undefined : 0)
    // The nameplate has expired or its server forgot it, so the next attempt requests any. While a fallback has the
    // share, people's code leads there.
    const isOver = error.code === 'E_NO_SUCH_CODE' && !this.#backups.isHosting
    if (isOver && (this.#wasMain || this.#near?.isHosting !== true)) {
      this.#forget()
      this.#wasMain = false
      this.#farewell = Promise.all([this.#farewell, this.#backups.close()])
      // The next attempt's result starts it again, with a new nameplate.
      if (this.#isNearStarted) this.#replaceNear()
      this.#tellLost(error)
    } else if (this.#near !== null && !this.#isNearStarted) this.#startNear()
    else if (!this.#isElsewhere) this.#tellLost(error)
    else this.#options.onNearer()
  }

  #onNearLost(error: AppError): void {
    this.#withdraw()
    const isFree = error.code === 'E_NO_SUCH_CODE' && !this.#wasMain && !this.#backups.isHosting
    if (isFree) this.#forget()
    if (!this.#main.isHosting && !this.#backups.isHosting) this.#tellLost(error)
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
