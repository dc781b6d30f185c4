/** The application's complete state, as plain readonly data. Main owns it, others mirror it. */
import type { AppError, ErrorCode } from '#shared/errors'
import type { FollowedLinks } from '#shared/followed-links'
import type { ReceivePlan } from '#shared/settings/receive-options'
import type { FixedServers } from '#shared/settings/server-choice'
import { defaultSettings, type Settings } from '#shared/settings/settings'
import { withoutPasswords } from '#shared/settings/settings-secrets'
import type { ConnectionStatistics } from '#shared/state/connection-statistics'
import type {
  Contact,
  ContactId,
  ContactRequest,
  Invitation,
  Invited,
  Reachability,
} from '#shared/state/contacts'
import type { ConnectionBytes, Outcome } from '#shared/state/counters'
import type { Deletions } from '#shared/state/deletions'
import type { LocalNetworkStatus } from '#shared/state/local-network-status'
import type { NearbyCall, NearbyComputer, NearbyQuestion } from '#shared/state/nearby'
import type { StorageError } from '#shared/state/storage-error'
import { noUpdates, type UpdateStatus } from '#shared/update/update-status'

/** Ids of a share and a receive, unique while the app runs. */
export type ShareId = string & { readonly brand: 'ShareId' }
export type ReceiveId = string & { readonly brand: 'ReceiveId' }
/** The signaling server's id for the other side. */
export type PeerId = string & { readonly brand: 'PeerId' }
/** A receive across lost connections and restarts of either side: 32 hexadecimal digits, known to both sides. */
export type TransferId = string & { readonly brand: 'TransferId' }

/**
 * Reason for having no direct route. `own-choice`, `their-choice`: that side allows only relays. `own-udp`: this
 * network lets out only TCP. `own-address`, `their-address`: that side had no internet address to offer. `routers`:
 * both had, but nothing got through.
 */
export type RelayReason =
  'own-choice' | 'their-choice' | 'own-udp' | 'own-address' | 'their-address' | 'routers'

/** The route between two computers. */
export type Route = {
  readonly kind: 'local' | 'direct' | 'relay'
  readonly family: 4 | 6
  /** Transport to the other computer, or to this one's relay. */
  readonly transport: 'udp' | 'tcp'
  /** Literal address and port of the other end as this end sees it. */
  readonly remote: string
  /** The relay's address when `kind` is `relay`, else empty. */
  readonly relay: string
  /** The relay is the signaling server itself, because nothing else got through. */
  readonly serverRelay?: true
  /** The reason for the relay; absent on other routes. */
  readonly why?: RelayReason
  /** Sizes of this end's socket buffers in bytes; 0 if the system doesn't report them. */
  readonly buffers?: { readonly receive: number; readonly send: number }
}

/** Counted work; a `complete` total grows only when something is added to the share. */
export type Totals = {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  readonly complete: boolean
  /** Entries that the sender excludes, not counting their contents; known to the sender only. */
  readonly excluded?: number
  /** Entries that can't be offered or exceed the limit of a share; known to the sender only. */
  readonly leftOut?: number
}

/** The size of a `stream` is known only at its end. */
export type ItemKind = 'file' | 'folder' | 'text' | 'link' | 'stream'

/** A top-level entry of a share: a dropped file or folder with its contents, or a text. */
export type Item = {
  /** Number in the sender's share, for removing the item; 0 at the receiver. */
  readonly id: number
  readonly name: string
  readonly kind: ItemKind
  readonly files: number
  readonly bytes: number
}

/** The number of texts among the items. */
export const textsIn = (items: readonly Pick<Item, 'kind'>[]): number =>
  items.filter(({ kind }) => kind === 'text').length

/** True for texts alone: they are shown, and nothing is written for them. */
export const hasOnlyTexts = (items: readonly Pick<Item, 'kind'>[]): boolean =>
  items.length > 0 && textsIn(items) === items.length

/** One file or folder that could not be sent or written. */
export type ItemProblem = { readonly path: string; readonly error: AppError }

/** Progress at the receiver. Bytes of an incoming segment count before its hash is known. */
export type Progress = {
  readonly files: number
  readonly bytes: number
  /** Totals of the wanted files; they change with the selection and the share. */
  readonly totalFiles: number
  readonly totalBytes: number
  /** Bytes of files sent over all connections of this transfer together. */
  readonly transferred: number
  readonly offeredFiles: number
  readonly unwantedFiles: number
  /** Bytes taken from older versions of the files, over all connections; 0 at the sender. */
  readonly reusedBytes: number
  /** Samples for speed and time left, oldest first, at most `limits.rateSamples`. */
  readonly samples: readonly RateSample[]
  /** Samples of the whole transfer, oldest first, at most `limits.historySamples`; absent before the first. */
  readonly history?: readonly RateSample[]
}

export type RateSample = { readonly atMs: number; readonly bytes: number }

/** `transferred` counts all connections. */
export type TransferOutcome = Outcome & {
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** Files whose names already existed in the target, and how they were handled. */
export type ConflictSummary = {
  readonly identical: number
  readonly identicalBytes: number
  readonly different: number
  /** Numbers of `different` files that are replaced, kept under both names, or left out: */
  readonly replaced: number
  readonly keptBoth: number
  readonly leftOut: number
}

/** A reason why a sender leaves entries out, their number, and the paths of the first. */
export type LeftOut = {
  readonly code: ErrorCode
  readonly entries: number
  readonly paths: readonly string[]
}

/** A name that can't be written unchanged, and the one that is written. */
export type MappedName = { readonly path: string; readonly writtenAs: string }

/** The reason why data does or doesn't flow between two connected computers. */
export type FlowState =
  | { readonly kind: 'flowing' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'paused-by-peer' }
  /**
   * `need` bytes must become free at the receiver; the transfer then resumes automatically. `full`: bytes don't matter,
   * because this account's quota is used up or the disk can't hold more files.
   */
  | { readonly kind: 'disk-full'; readonly need: number; readonly full?: 'quota' | 'files' }
  | { readonly kind: 'peer-disk-full'; readonly need: number }
  /** All bytes are received; they are made durable, read back if requested, and published. */
  | { readonly kind: 'finishing' }

/**
 * The reason why no data has moved for 3 s although it should, or why none arrived in 10 s without an offer. `peer`
 * then also means that the sender is silent. `relay`: the other side no longer answers through the relay, and the
 * receiver tries every other route. `no-route`: no route was found, and another attempt follows.
 */
export type StallReason =
  'none' | 'network' | 'relay' | 'peer' | 'no-route' | 'peer-disk' | 'own-disk' | 'source' | 'limit'

/** An accepted transfer over a connection. */
export type RunningPhase =
  'receiving' | 'finishing' | 'paused' | 'paused-by-peer' | 'disk-full' | 'peer-disk-full'

/**
 * `approving`: it waits for this side's user to admit it. `interrupted`: the connection was lost and has not been restored;
 * complete files stay. `in-step`: it has everything, and waits for changes.
 */
export type ReceiverPhase =
  | 'connecting'
  | 'approving'
  | 'deciding'
  | RunningPhase
  | 'in-step'
  | 'interrupted'
  | 'done'
  | 'failed'

/** The progress of one receiver of a share. `labels.ts` has the text of each state. */
export type Receiver = {
  readonly peer: PeerId
  /** `null` until connected. */
  readonly transfer: TransferId | null
  /** Distinct among the receivers: `vm (2)`. Empty until connected. */
  readonly name: string
  /** The name that the receiver reported. Empty until connected. */
  readonly ownName: string
  /** It says that it is a web page. */
  readonly browser?: true
  readonly phase: ReceiverPhase
  readonly flow: FlowState
  readonly stall: StallReason
  /** Number of reconnections after a lost connection. */
  readonly reconnections: number
  /** Figures of its earlier connections. */
  readonly before: ConnectionBytes
  readonly route: Route | null
  /** Its latest connection's; absent before data moved. */
  readonly statistics?: ConnectionStatistics
  readonly progress: Progress | null
  readonly outcome: TransferOutcome | null
  readonly error: AppError | null
  /** Six digits, the same on both sides unless someone intercepts the connection. */
  readonly safety: string
  readonly joinedAtMs: number
  /** The time when data began to flow; absent until the receiver accepted. */
  readonly acceptedAtMs?: number | undefined
  /** Absent when it joined with the code. */
  readonly contact?: ContactId | undefined
  /** Absent while the two are not connected, and for contacts. */
  readonly contactRequest?: ContactRequest
}

/** Wrong words that were tried on one code. */
export type Guesses = {
  readonly wrong: number
  /** The code admits no new receivers. */
  readonly locked: boolean
  /** Nor does any other code of the share. */
  readonly spent: boolean
}

/** The reason why a share admits no new receivers; `everyone` who was invited to one without a code has answered. */
export type CodeEnd = 'one-receiver' | 'expired' | 'everyone'

/**
 * The state of a share at public meeting points. `there`: it can be found. `away`: none answers. `left`: it has left them
 * because someone is guessing its code.
 */
export type MeetingState = 'there' | 'away' | 'left'

export type Share = {
  readonly id: ShareId
  /** Display name: the item's name, or "3 items". */
  readonly title: string
  readonly phase: 'opening' | 'open' | 'reconnecting' | 'stopped' | 'failed'
  readonly code: string | null
  /** The server that gave the code, as links name it; `null` for none, and for the embedded one. */
  readonly server: string | null
  /** The server doesn't have the share at present: it can only be reached from this network. */
  readonly serverAway?: true
  /** The server has a page at which browsers receive. */
  readonly web?: true
  /** The share at public meeting points; absent if it doesn't depend on them. */
  readonly meeting?: MeetingState
  /** Expiry of the code, Unix milliseconds; `null` for never. */
  readonly codeEndsAtMs: number | null
  /** Set once the code has ended; connected receivers continue, and may reconnect. */
  readonly codeEnd: CodeEnd | null
  /** Wrong guesses at the current code. */
  readonly guesses: Guesses
  /** Many strangers try to join, so receivers may have to wait. */
  readonly highLoad: boolean
  /** The code changed because the server assigned the share another number. */
  readonly moved: boolean
  /** Paused for all receivers together. */
  readonly paused: boolean
  /** The code admits no new receivers after the first. */
  readonly oneReceiver: boolean
  /** Changes of the items are reported to receivers that follow. */
  readonly watch?: true
  /** True if this side's user must admit each receiver. */
  readonly approve: boolean
  /** Browsers may not receive. */
  readonly noBrowsers?: true
  /** It has no code: only invited people are admitted. */
  readonly invitedOnly?: true
  /** It requests files: people with its code send, and each of them is a receive. It has no items and no receivers. */
  readonly requests?: true
  /** The code of the request that it answers; it has none of its own, and one receiver. */
  readonly answers?: string
  /** Simultaneous receivers; 0 admits no new ones. */
  readonly maxReceivers: number
  readonly totals: Totals
  /** The first `limits.entriesShown`. */
  readonly items: readonly Item[]
  /** Absent if there are none. */
  readonly followed?: FollowedLinks
  readonly problems: readonly ItemProblem[]
  readonly receivers: readonly Receiver[]
  /** Contacts that it was sent to; absent if the share is open to anyone with the code. */
  readonly invited?: readonly Invited[]
  /** Nearby computers that it was sent to; absent without any. */
  readonly calls?: readonly NearbyCall[]
  readonly error: AppError | null
  readonly startedAtMs: number
  /** Opened again after a restart, with its previous code; absent for a share that a person made. */
  readonly resumed?: true
  /** Number of texts that the share had before the restart, which are never stored; absent if 0. */
  readonly textsGone?: number
}

/**
 * `approving`: the sender's user is asked whether to admit this side. `preparing`: accepted, and the folder is being
 * scanned. `reconnecting`: the connection was lost, and the search for the sender is automatic. `interrupted`: the
 * sender was not found again in time. `in-step`: everything is complete, and the sender will report changes.
 */
export type ReceivePhase =
  | 'looking-up'
  | 'connecting'
  | 'approving'
  | 'listing'
  | 'offered'
  | 'preparing'
  | RunningPhase
  | 'reconnecting'
  | 'interrupted'
  | 'in-step'
  | 'done'
  | 'failed'

/** A complete text that was offered. */
export type ReceivedText = { readonly name: string; readonly text: string }

export type Receive = {
  readonly id: ReceiveId
  /** If an entry of `AppState.unfinished` has the same `transfer`, the receive resumes it. */
  readonly transfer: TransferId
  /** The nameplate alone when it resumed without the words. */
  readonly code: string
  /** The server in use; absent for the embedded one. */
  readonly server?: string | undefined
  readonly phase: ReceivePhase
  readonly flow: FlowState
  readonly stall: StallReason
  /** While `reconnecting`, counted from 1; else 0. */
  readonly attempt: number
  /** The sender's name, empty until connected. */
  readonly from: string
  readonly title: string
  readonly totals: Totals | null
  /** The first `limits.entriesShown`. */
  readonly items: readonly Item[]
  readonly problems: readonly ItemProblem[]
  readonly leftOut: readonly LeftOut[]
  /** The sender reports changes of its share. */
  readonly followable?: true | undefined
  /** At most `limits.textsKept` and `limits.textCharactersKept`. */
  readonly texts: readonly ReceivedText[]
  readonly route: Route | null
  /** The latest connection's; absent before data moved. */
  readonly statistics?: ConnectionStatistics
  /** The target folder, once accepted. */
  readonly directory: string | null
  /** Bytes left by an earlier attempt, which are not sent again. */
  readonly resumedBytes: number
  /** `null` until the folder was scanned. */
  readonly conflicts: ConflictSummary | null
  /** Names that are written differently: their number, and the first `limits.entriesShown`. */
  readonly mappedCount: number
  readonly mappedNames: readonly MappedName[]
  /** Absent if there were none. */
  readonly deletions?: Deletions | undefined
  /** Figures of its earlier connections. */
  readonly before: ConnectionBytes
  readonly progress: Progress | null
  readonly outcome: TransferOutcome | null
  /** The reason why it failed, was interrupted, or reconnects. */
  readonly error: AppError | null
  /** Retrying is not offered before this time, Unix milliseconds; 0: immediately. */
  readonly retryFromMs: number
  /** Six digits, the same on both sides unless someone intercepts the connection; `null` until paired. */
  readonly safety: string | null
  readonly startedAtMs: number
  /** The time when it was accepted; absent before. */
  readonly acceptedAtMs?: number | undefined
  /** The contact whose invitation it accepts; absent for a code. */
  readonly contact?: ContactId | undefined
  /** The number that people compared, if a nearby computer asked to send it; a person has not entered its code. */
  readonly nearby?: string | undefined
  /** The request that it belongs to; absent for any other receive. */
  readonly request?: ShareId | undefined
  /** Absent while the two are not connected, and for contacts. */
  readonly contactRequest?: ContactRequest
}

/** The other side of a transfer: a receiver of a share, or the sender of a receive. */
export type OtherSide =
  { readonly share: ShareId; readonly peer: PeerId } | { readonly receive: ReceiveId }

/** A receive that was accepted and is not complete, remembered across restarts. */
export type ResumableReceive = ReceivePlan & {
  readonly transfer: TransferId
  readonly title: string
  readonly from: string
  /** Bytes received, as last known. */
  readonly bytes: number
  readonly totalBytes: number
  /** Last progress, Unix milliseconds. */
  readonly lastSeenMs: number
  /** True when it can be resumed without a code, if the sender still shares. */
  readonly hasResumeKey: boolean
}

export type ServerStatus =
  | { readonly phase: 'idle' }
  | {
      readonly phase: 'connected'
      readonly url: string
      readonly embedded: boolean
      /** Without TLS over the internet. */
      readonly insecure: boolean
    }
  | { readonly phase: 'unreachable'; readonly url: string; readonly error: AppError }

/** Limits for all transfers together, in bytes of files a second; 0: no limit. */
export type SpeedLimits = { readonly upload: number; readonly download: number }

export type AppState = {
  /** Newest first. */
  readonly shares: readonly Share[]
  readonly receives: readonly Receive[]
  /** Newest first, including running ones; see `resumable`. */
  readonly resumableReceives: readonly ResumableReceive[]
  /** Sorted by name. */
  readonly contacts: readonly Contact[]
  /** Newest first. */
  readonly invitations: readonly Invitation[]
  readonly reachability: Reachability
  /** Computers on the same network that can receive: contacts first, then by name. */
  readonly nearby: readonly NearbyComputer[]
  /** Nearby computers that want to send, newest first. */
  readonly nearbyQuestions: readonly NearbyQuestion[]
  readonly speedLimits: SpeedLimits
  readonly server: ServerStatus
  readonly localNetwork: LocalNetworkStatus
  /** The latest error of each file. */
  readonly storage: readonly StorageError[]
  /** A different number after every change of the history, whose entries are fetched separately. */
  readonly historyRevision: number
  /** The default folder for receives. */
  readonly downloads: string
  /** The settings of the file of app and command, with the defaults for the rest and without passwords. */
  readonly settings: Settings
  readonly fixedServers: FixedServers
  readonly update: UpdateStatus
}

const noServers: FixedServers = { given: null, builtIn: [] }

export const emptyState = (
  downloads: string,
  settings = defaultSettings,
  fixedServers = noServers,
): AppState => ({
  shares: [],
  receives: [],
  resumableReceives: [],
  contacts: [],
  invitations: [],
  reachability: { phase: 'off' },
  nearby: [],
  nearbyQuestions: [],
  speedLimits: { upload: 0, download: 0 },
  server: { phase: 'idle' },
  localNetwork: { phase: 'idle' },
  storage: [],
  historyRevision: 0,
  downloads,
  settings: withoutPasswords(settings),
  fixedServers: withoutPasswords(fixedServers),
  update: noUpdates,
})

const runningPhases: ReadonlySet<string> = new Set<RunningPhase>([
  'receiving',
  'finishing',
  'paused',
  'paused-by-peer',
  'disk-full',
  'peer-disk-full',
])

/** True for an accepted transfer over a connection, with or without data flowing. */
export const isRunning = ({ phase }: Pick<Receiver | Receive, 'phase'>): boolean =>
  runningPhases.has(phase)

/** True while bytes are received, verified or written. */
export const isMoving = ({ phase }: Pick<Receiver | Receive, 'phase'>): boolean =>
  phase === 'receiving' || phase === 'finishing'

/** True when the transfer is over; an interrupted receiver reconnects as a new one. */
export const hasEnded = ({ phase }: Pick<Receiver | Receive, 'phase'>): boolean =>
  phase === 'done' || phase === 'failed' || phase === 'interrupted'

/** The unfinished receives that no running receive is resuming. */
export const resumable = ({ resumableReceives, receives }: AppState): readonly ResumableReceive[] =>
  resumableReceives.filter(
    ({ transfer }) => !receives.some((one) => one.transfer === transfer && !hasEnded(one)),
  )
