/** What happened, in the past tense. `reduce` is the only one who turns events into state. */
import type { AppError } from '#shared/errors'
import type { FileChanges } from '#shared/files'
import type { Settings } from '#shared/settings/settings'
import type {
  CodeEnd,
  ConflictSummary,
  FlowState,
  Guesses,
  Item,
  LeftOut,
  LocalNetworkStatus,
  MappedName,
  PeerId,
  ReceiveId,
  Route,
  ServerStatus,
  ShareId,
  SpeedLimits,
  StallReason,
  StorageTrouble,
  Totals,
  TransferId,
  Unfinished,
} from '#shared/state/app-state'
import type { ConnectionStatistics } from '#shared/state/connection-statistics'
import type {
  Contact,
  ContactId,
  ContactRequest,
  Invitation,
  Invited,
  Reachability,
} from '#shared/state/contacts'
import type { Counters, Outcome } from '#shared/state/counters'
import type { UpdateStatus } from '#shared/update/update-status'

type AboutShare = { readonly share: ShareId }
type AboutReceiver = AboutShare & { readonly peer: PeerId }
type AboutReceive = { readonly receive: ReceiveId }

type ShareDetails =
  /** `resumed`: an earlier program had it, under this code. */
  | {
      readonly type: 'share-opened'
      readonly title: string
      readonly maxReceivers: number
      readonly oneReceiver?: true
      readonly approve?: true
      readonly resumed?: { readonly code: string; readonly endsAtMs: number }
    }
  | { readonly type: 'share-counted'; readonly totals: Totals }
  /** `title` changes when items are added or taken out. */
  | { readonly type: 'share-listed'; readonly title: string; readonly items: readonly Item[] }
  /** `endsAtMs`: when the code's life is over, if it ever is. */
  | {
      readonly type: 'share-coded'
      readonly code: string
      readonly endsAtMs?: number | undefined
      /** The configured server that gave it; absent for the one on this computer. */
      readonly server?: string | undefined
      /** No configured server has the share at present: only this network leads to it. */
      readonly serverAway?: true | undefined
    }
  /** Other rules for the code than before, from now on. */
  | {
      readonly type: 'share-code-changed'
      readonly oneReceiver: boolean
      readonly approve: boolean
      readonly endsAtMs: number | null
    }
  /** The code is given up, and another one follows; present receivers continue. */
  | { readonly type: 'share-recoding' }
  /** The code admits nobody new; present receivers continue. */
  | { readonly type: 'share-code-ended'; readonly why: CodeEnd }
  | { readonly type: 'share-guessed'; readonly guesses: Guesses }
  /** So many strangers try to join that receivers may have to wait, or no longer. */
  | { readonly type: 'share-crowded'; readonly crowded: boolean }
  /** The way to the signaling server was lost; present receivers continue. */
  | { readonly type: 'share-unreachable' }
  | { readonly type: 'share-problem'; readonly path: string; readonly error: AppError }
  /** All receivers were paused by this side, or resumed. */
  | { readonly type: 'share-paused'; readonly paused: boolean }
  | { readonly type: 'share-resized'; readonly maxReceivers: number }
  /** All contacts that it is sent to, and how far that is. */
  | { readonly type: 'share-invited'; readonly invited: readonly Invited[] }
  | { readonly type: 'share-stopped' }
  | { readonly type: 'share-failed'; readonly error: AppError }
  | { readonly type: 'share-removed' }

type ReceiverDetails =
  /** It proved to know the code, or that it is `contact`. */
  | {
      readonly type: 'receiver-joined'
      readonly safety: string
      readonly contact?: ContactId | undefined
    }
  /** `null`: it has left, so it can't become a contact. Also after its transfer has ended. */
  | {
      readonly type: 'receiver-contact-request-changed'
      readonly contactRequest: ContactRequest | null
    }
  /** Takes the place of the receiver with the same `transfer` whose connection was lost. */
  | {
      readonly type: 'receiver-connected'
      readonly name: string
      readonly transfer: TransferId
      readonly route: Route
    }
  /** The connection goes on by another path. */
  | { readonly type: 'receiver-route-changed'; readonly route: Route }
  /** It waits for a person here to let it in. */
  | { readonly type: 'receiver-asked' }
  | { readonly type: 'receiver-approved' }
  | { readonly type: 'receiver-accepted' }
  | { readonly type: 'receiver-progressed'; readonly counters: Counters }
  | { readonly type: 'receiver-flow-changed'; readonly flow: FlowState }
  | { readonly type: 'receiver-stalled'; readonly reason: StallReason }
  | { readonly type: 'receiver-measured'; readonly statistics: ConnectionStatistics }
  /** Only where files are watched. */
  | ({ readonly type: 'receiver-files-changed' } & FileChanges)
  | { readonly type: 'receiver-finished'; readonly outcome: Outcome }
  | { readonly type: 'receiver-failed'; readonly error: AppError }

type ReceiveDetails =
  /** `contact` when it follows an invitation; `code` is the nameplate alone then. */
  | {
      readonly type: 'receive-opened'
      readonly code: string
      readonly transfer: TransferId
      readonly contact?: ContactId | undefined
      /** The server that it goes through, if that is not the one on this computer. */
      readonly server?: string | undefined
    }
  /** As `receiver-contact-request-changed`. */
  | {
      readonly type: 'receive-contact-request-changed'
      readonly contactRequest: ContactRequest | null
    }
  | { readonly type: 'receive-found' }
  /** Both sides proved to know the same; a path is being looked for. */
  | { readonly type: 'receive-paired'; readonly safety: string }
  /** There is a path, and the sender at its end; its name follows. */
  | { readonly type: 'receive-reached' }
  | { readonly type: 'receive-connected'; readonly from: string; readonly route: Route }
  /** As `receiver-route-changed`. */
  | { readonly type: 'receive-route-changed'; readonly route: Route }
  /** The sender's person is asked whether to let this side in. */
  | { readonly type: 'receive-asked' }
  | { readonly type: 'receive-counted'; readonly totals: Totals }
  /** Again whenever the share has grown or shrunk. */
  | {
      readonly type: 'receive-offered'
      readonly title: string
      readonly items: readonly Item[]
      readonly totals: Totals
      /** A name at any depth begins with a dot (`.DS_Store` does not count). */
      readonly dotNames?: true | undefined
      /** Absent when nothing is. */
      readonly leftOut?: readonly LeftOut[]
    }
  /** By a person here, or automatically after a lost connection. */
  /** `null`: it goes to standard output. */
  | { readonly type: 'receive-accepted'; readonly directory: string | null }
  /** The folder is ready and data flows. */
  | {
      readonly type: 'receive-started'
      readonly resumedBytes: number
      readonly conflicts: ConflictSummary
      readonly mappedCount: number
      readonly mappedNames: readonly MappedName[]
    }
  /** What was added since it started has names that are written differently, too. */
  | {
      readonly type: 'receive-names-mapped'
      /** In all. */
      readonly mappedCount: number
      /** Those that are new; none once enough are listed. */
      readonly mappedNames: readonly MappedName[]
    }
  | { readonly type: 'receive-progressed'; readonly counters: Counters }
  | { readonly type: 'receive-flow-changed'; readonly flow: FlowState }
  | { readonly type: 'receive-stalled'; readonly reason: StallReason }
  | { readonly type: 'receive-measured'; readonly statistics: ConnectionStatistics }
  /** Only where files are watched. */
  | ({ readonly type: 'receive-files-changed' } & FileChanges)
  | { readonly type: 'receive-text-arrived'; readonly name: string; readonly text: string }
  | { readonly type: 'receive-problem'; readonly path: string; readonly error: AppError }
  /** The connection is lost; attempt `attempt` to find the sender again follows automatically. */
  | { readonly type: 'receive-lost'; readonly attempt: number; readonly error: AppError }
  | { readonly type: 'receive-finished'; readonly outcome: Outcome }
  /** The sender was not found again in time; what is there can be continued. */
  | { readonly type: 'receive-interrupted'; readonly error: AppError }
  | { readonly type: 'receive-failed'; readonly error: AppError }
  | { readonly type: 'receive-removed' }

type OtherDetails =
  | { readonly type: 'server-changed'; readonly server: ServerStatus }
  | { readonly type: 'local-network-changed'; readonly localNetwork: LocalNetworkStatus }
  | { readonly type: 'storage-troubled'; readonly trouble: StorageTrouble }
  /** Nothing keeps this file from being used any more. */
  | { readonly type: 'storage-mended'; readonly file: string }
  | { readonly type: 'limits-changed'; readonly speedLimits: SpeedLimits }
  /** All of them without passwords, by a person here or in the file. */
  | { readonly type: 'settings-changed'; readonly settings: Settings }
  | { readonly type: 'history-changed'; readonly revision: number }
  | { readonly type: 'update-changed'; readonly update: UpdateStatus }
  /** The whole list, newest first, as it was found at the start. */
  | { readonly type: 'unfinished-listed'; readonly unfinished: readonly Unfinished[] }
  /** One that is new or has got on. */
  | { readonly type: 'unfinished-noted'; readonly entry: Unfinished }
  | { readonly type: 'unfinished-removed'; readonly transfer: TransferId }
  /** The whole list. */
  | { readonly type: 'contacts-changed'; readonly contacts: readonly Contact[] }
  | { readonly type: 'reachability-changed'; readonly reachability: Reachability }
  /** New, or the same once more. */
  | { readonly type: 'invitation-arrived'; readonly invitation: Invitation }
  /** Answered, withdrawn by its sender, or too old. */
  | {
      readonly type: 'invitation-removed'
      readonly contact: ContactId
      readonly nameplate: string
    }

/** Every event carries when it happened (`atMs`, Unix milliseconds), so `reduce` reads no clock. */
type Timed<E> = E extends unknown ? { readonly atMs: number } & E : never

export type ShareEvent = Timed<AboutShare & ShareDetails>
export type ReceiverEvent = Timed<AboutReceiver & ReceiverDetails>
export type ReceiveEvent = Timed<AboutReceive & ReceiveDetails>
export type AppEvent = ShareEvent | ReceiverEvent | ReceiveEvent | Timed<OtherDetails>
