/** What happened, in the past tense. `reduce` is the only one who turns events into state. */
import type {
  Item,
  PeerId,
  ReceiveId,
  Route,
  ServerStatus,
  ShareId,
  Totals,
} from '#shared/app-state'
import type { AppError } from '#shared/errors'

export type Counters = {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
}

export type Outcome = {
  readonly files: number
  readonly bytes: number
  readonly problems: number
  readonly renamed: number
}

/** Every event carries when it happened (`atMs`, Unix milliseconds), so `reduce` reads no clock. */
export type AppEvent = { readonly atMs: number } & (
  | { readonly type: 'server-changed'; readonly server: ServerStatus }
  | { readonly type: 'share-opened'; readonly share: ShareId; readonly title: string }
  | { readonly type: 'share-counted'; readonly share: ShareId; readonly totals: Totals }
  | { readonly type: 'share-listed'; readonly share: ShareId; readonly items: readonly Item[] }
  | { readonly type: 'share-coded'; readonly share: ShareId; readonly code: string }
  /** The way to the signaling server was lost; present receivers go on. */
  | { readonly type: 'share-unreachable'; readonly share: ShareId }
  | {
      readonly type: 'share-problem'
      readonly share: ShareId
      readonly path: string
      readonly error: AppError
    }
  | { readonly type: 'share-stopped'; readonly share: ShareId }
  | { readonly type: 'share-failed'; readonly share: ShareId; readonly error: AppError }
  | { readonly type: 'share-removed'; readonly share: ShareId }
  | { readonly type: 'receiver-joined'; readonly share: ShareId; readonly peer: PeerId }
  | {
      readonly type: 'receiver-connected'
      readonly share: ShareId
      readonly peer: PeerId
      readonly name: string
      readonly route: Route
    }
  | { readonly type: 'receiver-accepted'; readonly share: ShareId; readonly peer: PeerId }
  | {
      readonly type: 'receiver-progressed'
      readonly share: ShareId
      readonly peer: PeerId
      readonly counters: Counters
    }
  | {
      readonly type: 'receiver-finished'
      readonly share: ShareId
      readonly peer: PeerId
      readonly outcome: Outcome
    }
  | {
      readonly type: 'receiver-failed'
      readonly share: ShareId
      readonly peer: PeerId
      readonly error: AppError
    }
  | { readonly type: 'receive-opened'; readonly receive: ReceiveId; readonly code: string }
  | { readonly type: 'receive-found'; readonly receive: ReceiveId }
  | {
      readonly type: 'receive-connected'
      readonly receive: ReceiveId
      readonly from: string
      readonly route: Route
    }
  | { readonly type: 'receive-counted'; readonly receive: ReceiveId; readonly totals: Totals }
  | {
      readonly type: 'receive-offered'
      readonly receive: ReceiveId
      readonly title: string
      readonly items: readonly Item[]
      readonly totals: Totals
    }
  | { readonly type: 'receive-accepted'; readonly receive: ReceiveId; readonly directory: string }
  | {
      readonly type: 'receive-progressed'
      readonly receive: ReceiveId
      readonly counters: Counters
    }
  | {
      readonly type: 'receive-problem'
      readonly receive: ReceiveId
      readonly path: string
      readonly error: AppError
    }
  | { readonly type: 'receive-finished'; readonly receive: ReceiveId; readonly outcome: Outcome }
  | { readonly type: 'receive-failed'; readonly receive: ReceiveId; readonly error: AppError }
  | { readonly type: 'receive-removed'; readonly receive: ReceiveId }
)
