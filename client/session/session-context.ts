/** The parts of a client that its sessions share. */
import type { Clock } from '#client/clock'
import type { ContactNotifier } from '#client/contacts/contact-notifier'
import type { EngineModule, IceServers } from '#client/engine'
import type { EngineLink } from '#client/engine-link'
import type { NearNetwork } from '#client/lan/local-network'
import type { Nearby } from '#client/nearby/nearby'
import type { PathChecks } from '#client/path-checks'
import type { WatchPaths } from '#client/path-watch'
import type { JoinPreparation } from '#client/session/receive/join-preparation'
import type { TurnMessage } from '#client/signaling/offered-relays'
import type { ServerRelayMessage } from '#client/signaling/offered-server-relay'
import type { ServerAccess, ServerLocator } from '#client/signaling/server-locator'
import type { ShareRules } from '#client/state/remembered-share'
import type { ShareFile } from '#client/state/share-file'
import type { NewEvent } from '#client/state/state-log'
import { type AppError, appError, type ErrorCode } from '#shared/errors'
import type { ReceiveEvent, ReceiverEvent, ShareEvent } from '#shared/events'
import type { Result } from '#shared/result'
import type { Settings } from '#shared/settings/settings'
import type { ClientMessage } from '#shared/signaling/messages'
import type { ServerStatus, TransferId } from '#shared/state/app-state'
import type { Invited } from '#shared/state/contacts'
import type { ResumableReceiveRecord } from '#shared/state/resumable-receive-record'

type WithoutSubject<E, K extends string> = E extends unknown ? Omit<E, 'atMs' | K> : never

/** Events about a known share, receiver or receive, without its id. */
export type NewShareEvent = WithoutSubject<ShareEvent, 'share'>
export type NewReceiverEvent = WithoutSubject<ReceiverEvent, 'share' | 'peer'>
export type NewReceiveEvent = WithoutSubject<ReceiveEvent, 'receive'>

/** The dependencies that the client passes to each session. */
export type SessionContext = {
  /** True to report each file of a transfer. */
  readonly watchFiles: boolean
  /** Settings that apply before a receive has a plan. */
  readonly receiving: Pick<Settings['receiving'], 'prefetch' | 'keepAttributes'>
  readonly words: Pick<EngineModule, 'newWords' | 'isJoinCode'>
  readonly engine: EngineLink
  readonly server: ServerLocator
  /** The fallback servers of the server's profile, in order. */
  readonly fallbacks: readonly ServerLocator[]
  /** The public meeting points, if shares without a server may be found there now; `undecided`: a person may agree. */
  readonly meeting: () => ServerLocator | 'undecided' | null
  readonly localNetwork: NearNetwork
  /** Preparation for a join whose code is being typed. */
  readonly preparation: () => Pick<JoinPreparation, 'iceServers' | 'take'>
  /** The configured server's address; `null` for the embedded server. */
  readonly serverUrl: string | null
  readonly clock: Clock
  readonly random: () => number
  /** This computer's name as the other side sees it. */
  readonly name: string
  /** The time in which a share tries to get its first place at a server. */
  readonly patienceMs: number
  /** Makes the notifier for a share at `server`. */
  readonly notifier: (
    server: string,
    send: (message: ClientMessage) => void,
    report: (invited: readonly Invited[]) => void,
  ) => ContactNotifier
  /**
   * A secret; a value derived from it lets receivers recognize this sender. The engine has it after
   * this call, and recognizes files that a sender has sent before.
   */
  readonly installationSecret: () => Promise<string>
  /** Checks the paths of shares. */
  readonly sources: PathChecks
  readonly watchPaths: WatchPaths
  readonly iceServers: (at: ServerLocator) => Promise<Result<IceServers, AppError>>
  /** Relays that the server names, if they may be used. */
  readonly offeredRelays: (message: TurnMessage | ServerRelayMessage) => Promise<IceServers['turn']>
  /** Proxies and passwords for configured servers. */
  readonly access: ServerAccess
  readonly record: (event: NewEvent) => void
  /** Stores an accepted receive across restarts, or removes it when it is complete. */
  readonly recordResumable: (entry: ResumableReceiveRecord) => Promise<unknown>
  readonly completeResumable: (transfer: TransferId) => void
  /** The sender, or the server on its behalf, claims not to know the resume key. */
  readonly suspectResumeKey: (transfer: TransferId) => void
  /** The command line's rules for the shares of this program. */
  readonly shareRules: ShareRules
  readonly callNearby: Nearby['call']
  /** Stores shares across restarts. */
  readonly shareFile: Pick<ShareFile, 'note' | 'release' | 'remove'>
  readonly serverChanged: (server: ServerStatus) => void
  /** The session is over; `farewell` resolves when its socket is closed. */
  readonly ended: (farewell: Promise<void>) => void
}

const serverErrors: ReadonlySet<ErrorCode> = new Set([
  'E_SERVER_UNREACHABLE',
  'E_SERVER_IDENTITY',
  'E_SERVER_BUSY',
  'E_SERVER_PROTOCOL',
  'E_SERVER_PASSWORD',
  'E_PROXY_UNREACHABLE',
  'E_PROXY_AUTH',
  'E_PROXY_REFUSED',
  'E_RATE_LIMITED',
])

/** True if the error concerns the server or the connection to it, false if it concerns one session. */
export const isServerError = (error: AppError): boolean => serverErrors.has(error.code)

const noRoute = appError('E_NO_ROUTE', 'no relay: meeting points carry nothing')

/** The error between two sides that met at public meeting points and have no relay, which explains a missing route. */
export const withoutRelay = (error: AppError): AppError =>
  error.code === 'E_NO_ROUTE' ? noRoute : error

const hopeless: ReadonlySet<ErrorCode> = new Set([
  'E_BAD_ARGUMENT',
  'E_PEER_VERSION',
  'E_SERVER_PROTOCOL',
  'E_SERVER_PASSWORD',
  'E_PROXY_AUTH',
])

/** True if waiting does not help a share that has no place at a server yet. */
export const isHopeless = ({ code }: AppError): boolean => hopeless.has(code)
