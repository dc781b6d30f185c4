/** The application's complete state, as plain readonly data. Main owns it, others mirror it. */
import type { AppError, ErrorCode } from '#shared/errors'
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
import type { Outcome } from '#shared/state/counters'
import { noUpdates, type UpdateStatus } from '#shared/update/update-status'

/** A transfer at one of its ends: a share's receiver or a receive. Unique while the app runs. */
export type ShareId = string & { readonly brand: 'ShareId' }
export type ReceiveId = string & { readonly brand: 'ReceiveId' }
/** The signaling server's id for the other side. */
export type PeerId = string & { readonly brand: 'PeerId' }
/**
 * A receive from its first connection to its last, across broken lines and restarts of either side:
 * 32 hexadecimal digits, known to both sides.
 */
export type TransferId = string & { readonly brand: 'TransferId' }

/**
 * Why there is no direct way. `own-choice`, `their-choice`: that side wants only relays. `own-udp`: nothing but TCP gets out of this
 * network. `own-address`, `their-address`: that side could name no address on the internet. `routers`: both did, and nothing got through.
 */
export type RelayReason =
  'own-choice' | 'their-choice' | 'own-udp' | 'own-address' | 'their-address' | 'routers'

/** How two computers are connected. */
export type Route = {
  readonly kind: 'local' | 'direct' | 'relay'
  readonly family: 4 | 6
  /** Of the way to the other computer, or to this one's relay. */
  readonly transport: 'udp' | 'tcp'
  /** Literal address and port of the other end as this end sees it. */
  readonly remote: string
  /** The relay's address when `kind` is `relay`, else empty. */
  readonly relay: string
  /** The relay is the signaling server itself, as nothing else got through. */
  readonly detour?: true
  /** Why it is relayed; absent on other routes. */
  readonly why?: RelayReason
  /** Bytes that the system lets wait in this end's socket; 0 where it doesn't say. */
  readonly buffers?: { readonly receive: number; readonly send: number }
}

/** Counted work; a `complete` total grows only when something is added to the share. */
export type Totals = {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  readonly complete: boolean
  /** Entries that the sender leaves out as wished, without what is in them; known to the sender only. */
  readonly excluded?: number
  /** Entries that can't be offered, with those that are more than a share holds; known to the sender only. */
  readonly leftOut?: number
}

/** The size of a `stream` is known at its end only. */
export type ItemKind = 'file' | 'folder' | 'text' | 'link' | 'stream'

/** Something at the top of a share: a dropped file or folder with all that is in it, or a text. */
export type Item = {
  /** Number in the sender's share, by which the item can be removed; 0 at the receiver. */
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

/** Written at the receiver; bytes of a segment under way count before its hash is known. */
export type Progress = {
  readonly files: number
  readonly bytes: number
  /** Totals of what is wanted: they change with the selection and the share. */
  readonly totalFiles: number
  readonly totalBytes: number
  /** Bytes of files that travelled, in all connections of this transfer together. */
  readonly transferred: number
  readonly offeredFiles: number
  readonly unwantedFiles: number
  /** Samples for speed and time left, oldest first, at most `limits.rateSamples`. */
  readonly samples: readonly RateSample[]
  /** Of the whole transfer, oldest first, at most `limits.historySamples`; absent before the first. */
  readonly history?: readonly RateSample[]
}

export type RateSample = { readonly atMs: number; readonly bytes: number }

/** `transferred` counts all connections. */
export type TransferOutcome = Outcome & {
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** Files whose name the target had already, and what became of them. */
export type ConflictSummary = {
  readonly identical: number
  readonly identicalBytes: number
  readonly different: number
  /** How many of `different` are replaced, kept beside, or left out: */
  readonly replaced: number
  readonly keptBoth: number
  readonly leftOut: number
}

/** Why a sender leaves things out of what it shares, how many, and the paths of the first. */
export type LeftOut = {
  readonly code: ErrorCode
  readonly entries: number
  readonly paths: readonly string[]
}

/** A name that can't be written as it is, and what it is written as. */
export type MappedName = { readonly path: string; readonly writtenAs: string }

/** Why data does or doesn't flow between two connected computers. */
export type FlowState =
  | { readonly kind: 'flowing' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'paused-by-peer' }
  /**
   * `need` bytes have to become free at the receiver; the transfer resumes automatically then. `full`: bytes are
   * not the problem, but this account's quota is used up, or the disk can't hold more files.
   */
  | { readonly kind: 'disk-full'; readonly need: number; readonly full?: 'quota' | 'files' }
  | { readonly kind: 'peer-disk-full'; readonly need: number }
  /** All bytes are received; they are made durable, read back if asked, and published. */
  | { readonly kind: 'finishing' }

/**
 * Why nothing has moved for 3 s although it should, or why nothing came for 10 s before there was an
 * offer: then also `peer`, which says nothing. `relay`: the other side no longer answers through the
 * relay, and the receiver looks for it by every other way. `no-route`: no way through was found, and it
 * is tried once more.
 */
export type StallReason =
  'none' | 'network' | 'relay' | 'peer' | 'no-route' | 'peer-disk' | 'own-disk' | 'source' | 'limit'

/** An accepted transfer over a connection. */
export type RunningPhase =
  'receiving' | 'finishing' | 'paused' | 'paused-by-peer' | 'disk-full' | 'peer-disk-full'

/**
 * `asking`: it waits until a person here lets it in. `interrupted`: the connection was lost and is not
 * back; complete files stay.
 */
export type ReceiverPhase =
  'connecting' | 'asking' | 'deciding' | RunningPhase | 'interrupted' | 'done' | 'failed'

/** How far one receiver of a share is. `labels.ts` has the text of each state. */
export type Receiver = {
  readonly peer: PeerId
  /** `null` until connected. */
  readonly transfer: TransferId | null
  /** Empty until connected. */
  readonly name: string
  readonly phase: ReceiverPhase
  readonly flow: FlowState
  readonly stall: StallReason
  /** How often it reconnected after its connection was lost. */
  readonly reconnections: number
  /** Bytes of files that travelled over its earlier connections. */
  readonly travelledBefore: number
  readonly route: Route | null
  /** Of its latest connection; absent before data moved. */
  readonly statistics?: ConnectionStatistics
  readonly progress: Progress | null
  readonly outcome: TransferOutcome | null
  readonly error: AppError | null
  /** Six digits, the same on both sides unless someone intercepts the connection. */
  readonly safety: string
  readonly joinedAtMs: number
  /** When data began to flow; absent until the receiver accepted. */
  readonly acceptedAtMs?: number | undefined
  /** Absent when it joined with the code. */
  readonly contact?: ContactId | undefined
  /** Absent while the two are not connected, and for contacts. */
  readonly contactRequest?: ContactRequest
}

/** Wrong words that were tried on one code. */
export type Guesses = {
  readonly wrong: number
  /** The code takes in nobody new. */
  readonly locked: boolean
  /** Nor does any other code of the share. */
  readonly spent: boolean
}

/** Why nobody new comes in by a code: the one receiver that it was for is here, or its life is over. */
export type CodeEnd = 'one-receiver' | 'expired'

export type Share = {
  readonly id: ShareId
  /** What people call it: the item's name, or "3 items". */
  readonly title: string
  readonly phase: 'opening' | 'open' | 'reconnecting' | 'stopped' | 'failed'
  readonly code: string | null
  /** The server that gave the code, as links name it; `null` without one and for this computer's. */
  readonly server: string | null
  /** That server doesn't have the share at present: only this network leads to it. */
  readonly serverAway?: true
  /** When the code expires, Unix milliseconds; `null` for never. */
  readonly codeEndsAtMs: number | null
  /** Set when that is so; connected receivers continue, and may reconnect. */
  readonly codeEnd: CodeEnd | null
  /** Wrong guesses at the present code. */
  readonly guesses: Guesses
  /** So many strangers try to join that receivers may have to wait. */
  readonly crowded: boolean
  /** The code is another one than before because the server gave the share another number. */
  readonly moved: boolean
  /** Paused for all receivers together. */
  readonly paused: boolean
  /** The code takes nobody new in after the first receiver. */
  readonly oneReceiver: boolean
  /** A person here lets each receiver in. */
  readonly approve: boolean
  /** Receivers at the same time; 0: no new ones. */
  readonly maxReceivers: number
  readonly totals: Totals
  /** The first `limits.entriesShown`. */
  readonly items: readonly Item[]
  readonly problems: readonly ItemProblem[]
  readonly receivers: readonly Receiver[]
  /** Contacts that it is sent to; absent when it is for whoever has the code. */
  readonly invited?: readonly Invited[]
  readonly error: AppError | null
  readonly startedAtMs: number
  /** Opened again after a restart, with the code that it had; absent for one that a person made. */
  readonly resumed?: true
}

/**
 * `asking`: the sender's person is asked whether to let this side in. `preparing`: accepted, and the
 * folder is looked through. `reconnecting`: the connection was lost,
 * the sender is looked for automatically. `interrupted`: it was not found again in time.
 */
export type ReceivePhase =
  | 'looking-up'
  | 'connecting'
  | 'asking'
  | 'listing'
  | 'offered'
  | 'preparing'
  | RunningPhase
  | 'reconnecting'
  | 'interrupted'
  | 'done'
  | 'failed'

/** A text that was offered, whole. */
export type ReceivedText = { readonly name: string; readonly text: string }

export type Receive = {
  readonly id: ReceiveId
  /** With an entry of the same `transfer` in `AppState.unfinished`, the receive resumes that. */
  readonly transfer: TransferId
  /** The nameplate alone when it resumed without the words. */
  readonly code: string
  /** The server that it goes through; absent for the one on this computer. */
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
  /** What the sender leaves out of what it shares. */
  readonly leftOut: readonly LeftOut[]
  /** At most `limits.textsKept` and `limits.textCharactersKept`. */
  readonly texts: readonly ReceivedText[]
  readonly route: Route | null
  /** Of the latest connection; absent before data moved. */
  readonly statistics?: ConnectionStatistics
  /** Where it is written, once accepted. */
  readonly directory: string | null
  /** Bytes that an attempt before this receive left, and that are not sent again. */
  readonly resumedBytes: number
  /** `null` until the folder was looked through. */
  readonly conflicts: ConflictSummary | null
  /** Names that are written differently: how many, and the first `limits.entriesShown`. */
  readonly mappedCount: number
  readonly mappedNames: readonly MappedName[]
  /** Bytes of files that travelled over earlier connections. */
  readonly travelledBefore: number
  readonly progress: Progress | null
  readonly outcome: TransferOutcome | null
  /** Why it failed, was interrupted, or why it reconnects. */
  readonly error: AppError | null
  /** Trying again is not offered before this time, Unix milliseconds; 0: at once. */
  readonly retryFromMs: number
  /** Six digits, the same on both sides unless someone intercepts the connection; `null` until paired. */
  readonly safety: string | null
  readonly startedAtMs: number
  /** When it was accepted; absent before. */
  readonly acceptedAtMs?: number | undefined
  /** Whose invitation it follows; absent when it came by a code. */
  readonly contact?: ContactId | undefined
  /** Absent while the two are not connected, and for contacts. */
  readonly contactRequest?: ContactRequest
}

/** The other side of a transfer: a receiver of a share, or the sender of a receive. */
export type OtherSide =
  { readonly share: ShareId; readonly peer: PeerId } | { readonly receive: ReceiveId }

/** A receive that was accepted and is not complete, remembered across restarts. */
export type Unfinished = ReceivePlan & {
  readonly transfer: TransferId
  readonly title: string
  readonly from: string
  /** There already, as far as known. */
  readonly bytes: number
  readonly totalBytes: number
  /** When it last got on, Unix milliseconds. */
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

/**
 * Whether others on this network find the shares of this program without a server. `urls` are the
 * addresses under which they reach its signaling server there, also when it can't be found by itself.
 */
export type LocalNetworkStatus =
  /** A person turned it off. */
  | { readonly phase: 'off' }
  /** Nothing is shared, so nothing is to be found. */
  | { readonly phase: 'idle' }
  | { readonly phase: 'visible'; readonly urls: readonly string[] }
  | {
      readonly phase: 'blocked'
      /**
       * `no-network`: no address that others here could reach. `port`: nothing of ours answers at the
       * port. `multicast`: announcements don't get through, because of a firewall for example.
       */
      readonly reason: 'no-network' | 'port' | 'multicast'
      readonly urls: readonly string[]
    }

/** What keeps a file of this program from being read or written; it works without it. */
export type StorageTrouble = {
  /** Absolute path. */
  readonly file: string
  /**
   * `damaged`: it made no sense, at least in part, and is kept beside the new one of the next save. `malformed`: people edit it and it makes
   * no sense, so it stays as it is and is not used. `bad-values`: as much of it as makes sense is used.
   * `newer`: a newer version of this program wrote it, so it stays as it is. `unsafe`: other accounts
   * could read or change it. `inaccessible`: the system does not let this account read or write it, or
   * the disk is full.
   */
  readonly kind: 'damaged' | 'malformed' | 'bad-values' | 'newer' | 'unsafe' | 'inaccessible'
  /** For logs and a Details panel. */
  readonly detail: string
}

/** Limits for all transfers together, in bytes of files a second; 0: no limit. */
export type SpeedLimits = { readonly upload: number; readonly download: number }

export type AppState = {
  /** Newest first. */
  readonly shares: readonly Share[]
  readonly receives: readonly Receive[]
  /** Newest first, with those that run now; see `resumable`. */
  readonly unfinished: readonly Unfinished[]
  /** By name. */
  readonly contacts: readonly Contact[]
  /** Newest first. */
  readonly invitations: readonly Invitation[]
  readonly reachability: Reachability
  readonly speedLimits: SpeedLimits
  readonly server: ServerStatus
  readonly localNetwork: LocalNetworkStatus
  /** The latest of each file. */
  readonly storage: readonly StorageTrouble[]
  /** Another number whenever the history has changed; its entries are asked for. */
  readonly historyRevision: number
  /** Where receives are written unless another folder is chosen. */
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
  unfinished: [],
  contacts: [],
  invitations: [],
  reachability: { phase: 'off' },
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

/** True for an accepted transfer over a connection, whether data flows right now or not. */
export const isRunning = ({ phase }: Pick<Receiver | Receive, 'phase'>): boolean =>
  runningPhases.has(phase)

/** True while bytes are received, verified or written. */
export const isMoving = ({ phase }: Pick<Receiver | Receive, 'phase'>): boolean =>
  phase === 'receiving' || phase === 'finishing'

/** True while that is so anywhere. */
export const movesBytes = ({ shares, receives }: AppState): boolean =>
  receives.some(isMoving) || shares.some(({ receivers }) => receivers.some(isMoving))

/** True when nothing follows; a receiver that was interrupted reconnects as a new one. */
export const hasEnded = ({ phase }: Pick<Receiver | Receive, 'phase'>): boolean =>
  phase === 'done' || phase === 'failed' || phase === 'interrupted'

/** True for a share that has ended. */
export const hasStopped = ({ phase }: Share): boolean => phase === 'stopped' || phase === 'failed'

/** The unfinished receives that nothing works on now. */
export const resumable = ({ unfinished, receives }: AppState): readonly Unfinished[] =>
  unfinished.filter(
    ({ transfer }) => !receives.some((one) => one.transfer === transfer && !hasEnded(one)),
  )
