/** Events of the application, in the past tense. Only `reduce` turns them into state. */
import type { AppError } from '#shared/errors'
import type { FileChanges } from '#shared/files'
import type { FollowedLinks } from '#shared/followed-links'
import type { Settings } from '#shared/settings/settings'
import type {
  CodeEnd,
  ConflictSummary,
  FlowState,
  Guesses,
  Item,
  LeftOut,
  MappedName,
  MeetingState,
  PeerId,
  ReceiveId,
  ResumableReceive,
  Route,
  ServerStatus,
  ShareId,
  SpeedLimits,
  StallReason,
  Totals,
  TransferId,
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
import type { Deletions } from '#shared/state/deletions'
import type { LocalNetworkStatus } from '#shared/state/local-network-status'
import type { NearbyCall, NearbyComputer, NearbyQuestion } from '#shared/state/nearby'
import type { StorageError } from '#shared/state/storage-error'
import type { UpdateStatus } from '#shared/update/update-status'

type AboutShare = { readonly share: ShareId }
type AboutReceiver = AboutShare & { readonly peer: PeerId }
type AboutReceive = { readonly receive: ReceiveId }

type ShareDetails =
  /** `resumed`: an earlier run of the program opened it, under this code and with `texts` that are gone. */
  | {
      readonly type: 'share-opened'
      readonly title: string
      readonly maxReceivers: number
      readonly oneReceiver?: true
      readonly approve?: true
      readonly noBrowsers?: true
      readonly invitedOnly?: true
      /** It requests files: people with its code send. */
      readonly requests?: true
      /** The code of the request that it answers. */
      readonly answers?: string
      readonly resumed?: {
        /** `null` for a share without a code. */
        readonly code: string | null
        readonly endsAtMs: number
        readonly texts: number
      }
    }
  | { readonly type: 'share-counted'; readonly totals: Totals }
  /** `title` changes when items are added or removed. */
  | {
      readonly type: 'share-listed'
      readonly title: string
      readonly items: readonly Item[]
      readonly followed?: FollowedLinks
    }
  /** `endsAtMs`: the time when the code expires, if it does. */
  | {
      readonly type: 'share-coded'
      readonly code: string
      readonly endsAtMs?: number | undefined
      /** The configured server that gave it; absent for the embedded one. */
      readonly server?: string | undefined
      /** No configured server has the share at present: it can only be reached from this network. */
      readonly serverAway?: true | undefined
      /** The server has a page at which browsers receive. */
      readonly web?: true | undefined
      /** The share at public meeting points; absent if it doesn't depend on them. */
      readonly meeting?: MeetingState | undefined
    }
  | { readonly type: 'share-called'; readonly calls: readonly NearbyCall[] }
  /** A share without a code can be reached by the people who were invited to it. */
  | { readonly type: 'share-reachable' }
  /** The code's rules have changed. */
  | {
      readonly type: 'share-code-changed'
      readonly oneReceiver: boolean
      readonly approve: boolean
      readonly endsAtMs: number | null
    }
  /** The code was given up, and another one follows; connected receivers continue. */
  | { readonly type: 'share-recoding' }
  /** The code admits no new receivers; connected ones continue. */
  | { readonly type: 'share-code-ended'; readonly why: CodeEnd }
  | { readonly type: 'share-guessed'; readonly guesses: Guesses }
  /** True while many strangers try to join, so that receivers may have to wait. */
  | { readonly type: 'share-unauthenticated-load'; readonly high: boolean }
  /** The connection to the signaling server was lost; connected receivers continue. */
  | { readonly type: 'share-unreachable' }
  | { readonly type: 'share-problem'; readonly path: string; readonly error: AppError }
  /** Changes of the items are reported to receivers that follow, or no longer. */
  | { readonly type: 'share-watched'; readonly watch: boolean }
  /** This side paused all receivers together, or resumed them. */
  | { readonly type: 'share-paused'; readonly paused: boolean }
  | { readonly type: 'share-resized'; readonly maxReceivers: number }
  /** All contacts that the share was sent to, and the state of each. */
  | { readonly type: 'share-invited'; readonly invited: readonly Invited[] }
  | { readonly type: 'share-stopped' }
  | { readonly type: 'share-failed'; readonly error: AppError }
  | { readonly type: 'share-removed' }

type ReceiverDetails =
  /** It proved to know the code, or to be `contact`. */
  | {
      readonly type: 'receiver-joined'
      readonly safety: string
      readonly contact?: ContactId | undefined
    }
  /** `null`: it has left, so it can't become a contact. Also sent after its transfer has ended. */
  | {
      readonly type: 'receiver-contact-request-changed'
      readonly contactRequest: ContactRequest | null
    }
  /** Replaces the receiver with the same `transfer` whose connection was lost. */
  | {
      readonly type: 'receiver-connected'
      readonly name: string
      readonly transfer: TransferId
      readonly route: Route
      readonly browser?: true
    }
  /** The connection continues on another path. */
  | { readonly type: 'receiver-route-changed'; readonly route: Route }
  /** It waits for this side's user to admit it. */
  | { readonly type: 'receiver-approval-requested' }
  | { readonly type: 'receiver-approved' }
  | { readonly type: 'receiver-accepted' }
  | { readonly type: 'receiver-progressed'; readonly counters: Counters }
  | { readonly type: 'receiver-flow-changed'; readonly flow: FlowState }
  | { readonly type: 'receiver-stalled'; readonly reason: StallReason }
  | { readonly type: 'receiver-measured'; readonly statistics: ConnectionStatistics }
  /** Only while files are watched. */
  | ({ readonly type: 'receiver-files-changed' } & FileChanges)
  /** It has everything, and waits for changes. */
  | { readonly type: 'receiver-in-step'; readonly outcome: Outcome }
  | { readonly type: 'receiver-finished'; readonly outcome: Outcome }
  | { readonly type: 'receiver-failed'; readonly error: AppError }

type ReceiveDetails =
  /** `contact` if it accepts an invitation; `nearby`, the number that people compared, if a nearby computer asked. `code` is then the nameplate alone. */
  | {
      readonly type: 'receive-opened'
      readonly code: string
      readonly transfer: TransferId
      readonly contact?: ContactId | undefined
      readonly nearby?: string | undefined
      /** The server in use; absent for the embedded one. */
      readonly server?: string | undefined
      /** The request that it belongs to; absent for any other receive. */
      readonly request?: ShareId | undefined
    }
  /** See `receiver-contact-request-changed`. */
  | {
      readonly type: 'receive-contact-request-changed'
      readonly contactRequest: ContactRequest | null
    }
  | { readonly type: 'receive-found' }
  /** Both sides proved to know the same words; a path is being searched for. */
  | { readonly type: 'receive-paired'; readonly safety: string }
  /** A path to the sender was found; its name follows. */
  | { readonly type: 'receive-reached' }
  | { readonly type: 'receive-connected'; readonly from: string; readonly route: Route }
  /** See `receiver-route-changed`. */
  | { readonly type: 'receive-route-changed'; readonly route: Route }
  /** The sender's user is asked whether to admit this side. */
  | { readonly type: 'receive-approval-requested' }
  | { readonly type: 'receive-counted'; readonly totals: Totals }
  /** Repeated whenever the share has grown or shrunk. */
  | {
      readonly type: 'receive-offered'
      readonly title: string
      readonly items: readonly Item[]
      readonly totals: Totals
      /** A name at any depth begins with a dot (except `.DS_Store`). */
      readonly dotNames?: true | undefined
      /** The sender reports changes of its share. */
      readonly followable?: true | undefined
      /** Absent when nothing was left out. */
      readonly leftOut?: readonly LeftOut[]
    }
  /** Accepted by the user, or automatically after a lost connection. `null`: to standard output. */
  | { readonly type: 'receive-accepted'; readonly directory: string | null }
  /** The folder is ready and data flows. */
  | {
      readonly type: 'receive-started'
      readonly resumedBytes: number
      readonly conflicts: ConflictSummary
      readonly mappedCount: number
      readonly mappedNames: readonly MappedName[]
    }
  /** Items added after the start also have names that are written differently. */
  | {
      readonly type: 'receive-names-mapped'
      /** Total number. */
      readonly mappedCount: number
      /** Only the new ones; empty once enough are listed. */
      readonly mappedNames: readonly MappedName[]
    }
  | ({ readonly type: 'receive-deletions' } & Deletions)
  | { readonly type: 'receive-progressed'; readonly counters: Counters }
  | { readonly type: 'receive-flow-changed'; readonly flow: FlowState }
  | { readonly type: 'receive-stalled'; readonly reason: StallReason }
  | { readonly type: 'receive-measured'; readonly statistics: ConnectionStatistics }
  /** Only while files are watched. */
  | ({ readonly type: 'receive-files-changed' } & FileChanges)
  | { readonly type: 'receive-text-arrived'; readonly name: string; readonly text: string }
  | { readonly type: 'receive-problem'; readonly path: string; readonly error: AppError }
  /** The connection was lost; attempt `attempt` to find the sender follows automatically. */
  | { readonly type: 'receive-lost'; readonly attempt: number; readonly error: AppError }
  /** Everything is complete, and the sender will report changes. */
  | { readonly type: 'receive-in-step'; readonly outcome: Outcome }
  | { readonly type: 'receive-finished'; readonly outcome: Outcome }
  /** The sender was not found again in time; the receive can be resumed. */
  | { readonly type: 'receive-interrupted'; readonly error: AppError }
  | { readonly type: 'receive-failed'; readonly error: AppError }
  | { readonly type: 'receive-removed' }

type OtherDetails =
  | { readonly type: 'server-changed'; readonly server: ServerStatus }
  | { readonly type: 'local-network-changed'; readonly localNetwork: LocalNetworkStatus }
  | { readonly type: 'storage-failed'; readonly storageError: StorageError }
  /** The file can be used again. */
  | { readonly type: 'storage-mended'; readonly file: string }
  | { readonly type: 'limits-changed'; readonly speedLimits: SpeedLimits }
  /** All settings without passwords, after a change in this program or in the file. */
  | { readonly type: 'settings-changed'; readonly settings: Settings }
  | { readonly type: 'history-changed'; readonly revision: number }
  | { readonly type: 'update-changed'; readonly update: UpdateStatus }
  /** The whole list found at startup, newest first. */
  | { readonly type: 'resumable-listed'; readonly resumableReceives: readonly ResumableReceive[] }
  /** An entry that is new or has progressed. */
  | { readonly type: 'resumable-recorded'; readonly entry: ResumableReceive }
  | { readonly type: 'resumable-removed'; readonly transfer: TransferId }
  /** The whole list. */
  | { readonly type: 'contacts-changed'; readonly contacts: readonly Contact[] }
  | { readonly type: 'reachability-changed'; readonly reachability: Reachability }
  | { readonly type: 'nearby-changed'; readonly computers: readonly NearbyComputer[] }
  /** A nearby computer asks to send, or its question has changed. */
  | { readonly type: 'nearby-asked'; readonly question: NearbyQuestion }
  /** It was answered, or its computer has left. `begun`: the receive that both people agreed to. */
  | {
      readonly type: 'nearby-question-removed'
      readonly id: string
      readonly begun?: ReceiveId | undefined
    }
  /** A new invitation, or a repeated one. */
  | { readonly type: 'invitation-arrived'; readonly invitation: Invitation }
  /** It was answered, withdrawn by its sender, or expired. */
  | {
      readonly type: 'invitation-removed'
      readonly contact: ContactId
      readonly nameplate: string
    }

/** Every event carries its time (`atMs`, Unix milliseconds), so `reduce` reads no clock. */
type Timed<E> = E extends unknown ? { readonly atMs: number } & E : never

export type ShareEvent = Timed<AboutShare & ShareDetails>
export type ReceiverEvent = Timed<AboutReceiver & ReceiverDetails>
export type ReceiveEvent = Timed<AboutReceive & ReceiveDetails>
export type AppEvent = ShareEvent | ReceiverEvent | ReceiveEvent | Timed<OtherDetails>
