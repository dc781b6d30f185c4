/** The whole truth about the application, as plain readonly data. Main owns it, others mirror it. */
import type { AppError } from '#shared/errors'

/** A transfer at one of its ends: a share's receiver or a receive. Unique while the app runs. */
export type ShareId = string & { readonly brand: 'ShareId' }
export type ReceiveId = string & { readonly brand: 'ReceiveId' }
/** The signaling server's id for the other side. */
export type PeerId = string & { readonly brand: 'PeerId' }

export type Route = {
  readonly kind: 'local' | 'direct' | 'relay'
  readonly family: 4 | 6
  readonly transport: 'udp' | 'tcp'
  readonly remote: string
  readonly relay: string
}

/** Counted work; a `complete` total does not grow any more. */
export type Totals = {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  readonly complete: boolean
}

/** Something at the top of a share. */
export type Item = {
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly files: number
  readonly bytes: number
}

/** One file or folder that could not be sent or written. */
export type ItemProblem = { readonly path: string; readonly error: AppError }

/** Written at the receiver; bytes of a segment under way count before its hash is known. */
export type Progress = {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
  /** Samples for speed and time left, oldest first, at most `limits.rateSamples`. */
  readonly samples: readonly RateSample[]
}

export type RateSample = { readonly atMs: number; readonly bytes: number }

export type TransferOutcome = {
  readonly files: number
  readonly bytes: number
  readonly problems: number
  readonly renamed: number
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** How far one receiver of a share is. */
export type Receiver = {
  readonly peer: PeerId
  /** Empty until connected. */
  readonly name: string
  readonly phase: 'connecting' | 'deciding' | 'receiving' | 'done' | 'failed'
  readonly route: Route | null
  readonly progress: Progress | null
  readonly outcome: TransferOutcome | null
  readonly error: AppError | null
  readonly joinedAtMs: number
  /** When data began to flow; absent until the receiver accepted. */
  readonly acceptedAtMs?: number
}

export type Share = {
  readonly id: ShareId
  /** What people call it: the item's name, or "3 items". */
  readonly title: string
  readonly phase: 'opening' | 'open' | 'reconnecting' | 'stopped' | 'failed'
  readonly code: string | null
  readonly totals: Totals
  readonly items: readonly Item[]
  readonly problems: readonly ItemProblem[]
  readonly receivers: readonly Receiver[]
  readonly error: AppError | null
  readonly startedAtMs: number
}

export type Receive = {
  readonly id: ReceiveId
  readonly code: string
  readonly phase:
    'looking-up' | 'connecting' | 'listing' | 'offered' | 'receiving' | 'done' | 'failed'
  /** The sender's name, empty until connected. */
  readonly from: string
  readonly title: string
  readonly totals: Totals | null
  readonly items: readonly Item[]
  readonly problems: readonly ItemProblem[]
  readonly route: Route | null
  /** Where it is written, once accepted. */
  readonly directory: string | null
  readonly progress: Progress | null
  readonly outcome: TransferOutcome | null
  readonly error: AppError | null
  readonly startedAtMs: number
  /** When data began to flow; absent until accepted. */
  readonly acceptedAtMs?: number
}

export type ServerStatus =
  | { readonly phase: 'idle' }
  | { readonly phase: 'connected'; readonly url: string; readonly embedded: boolean }
  | { readonly phase: 'unreachable'; readonly url: string; readonly error: AppError }

export type AppState = {
  /** Newest first. */
  readonly shares: readonly Share[]
  readonly receives: readonly Receive[]
  readonly server: ServerStatus
  /** Where receives are written unless another folder is chosen. */
  readonly downloads: string
}

export const emptyState = (downloads: string): AppState => ({
  shares: [],
  receives: [],
  server: { phase: 'idle' },
  downloads,
})
