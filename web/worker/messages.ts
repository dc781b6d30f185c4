/** The messages between the page and its worker, which transfers. */
import type { ErrorCode } from '#shared/errors'
import type { WebLimits } from '#shared/signaling/messages'
import type { End } from '../attempt'
import type { ChosenEntry } from '../chosen'
import type { OfferedEntry, Totals } from '../engine/module'
import type { Arrived, Choice, LeftOut } from '../receive'
import type { KeptIn } from '../storage/kept-files'
import type { KeptSendIds } from '../storage/send-ids'

/** A receive that was interrupted, as the page lists it. */
export type Unfinished = {
  readonly id: string
  readonly code: string
  readonly sender: string
  readonly bytes: number
  readonly totalBytes: number
  readonly folder: FileSystemDirectoryHandle | null
}

/** Messages to the worker. */
export type ToWorker =
  /** Asks for `unfinished`. */
  | { readonly t: 'list' }
  | { readonly t: 'delete'; readonly id: string }
  /** Opens a socket to the signaling server, which `start` uses. */
  | { readonly t: 'prepare'; readonly server: string }
  /** Receives by a code; `resume` repeats the choice of an unfinished receive. */
  | {
      readonly t: 'start'
      readonly code: string
      readonly server: string
      readonly password: string
      readonly resume?: string
    }
  | { readonly t: 'accept'; readonly choice: Choice }
  /** Connects to the computer that requests files by a code. */
  | {
      readonly t: 'start-send'
      readonly code: string
      /** The same whenever this sending is continued. */
      readonly ids: KeptSendIds
      readonly server: string
      readonly password: string
    }
  | { readonly t: 'offer'; readonly entries: readonly ChosenEntry[] }
  | { readonly t: 'pause'; readonly isPaused: boolean }
  | { readonly t: 'cancel' }
  /** Asks for `content`. */
  | { readonly t: 'open'; readonly entry: OfferedEntry }
  /** Asks for `zip`. */
  | { readonly t: 'zip' }

/** Messages from the worker. */
export type FromWorker =
  | { readonly t: 'unfinished'; readonly receives: readonly Unfinished[] }
  /** Another tab uses the code. */
  | { readonly t: 'second' }
  | { readonly t: 'welcomed'; readonly limits: WebLimits | null }
  /** Data goes directly to the other side; no limits apply. */
  | { readonly t: 'moved' }
  | { readonly t: 'paired'; readonly safety: string }
  | { readonly t: 'greeted'; readonly sender: string }
  | { readonly t: 'approval-awaited' }
  | {
      readonly t: 'offered'
      readonly entries: readonly OfferedEntry[]
      readonly heldBytes: number
      readonly keptIn: KeptIn
      /** Bytes that the browser can still keep; `null` if it doesn't say. */
      readonly room: number | null
    }
  | { readonly t: 'resumed' }
  | { readonly t: 'left-out'; readonly reasons: readonly LeftOut[] }
  /** The path is that of a file that this page sends. */
  | { readonly t: 'entry-failed'; readonly code: ErrorCode; readonly path?: string }
  | { readonly t: 'accepted' }
  | { readonly t: 'sent'; readonly end: End | null }
  | { readonly t: 'peer-paused'; readonly isPaused: boolean }
  | { readonly t: 'reconnecting'; readonly isLost: boolean }
  | { readonly t: 'totals'; readonly totals: Totals }
  | { readonly t: 'saving' }
  /** `id` is that of the receive's files; `null` without any. */
  | {
      readonly t: 'over'
      readonly end: End | null
      readonly arrived: Arrived
      readonly id: string | null
    }
  /** `null` if the file can't be read. */
  | { readonly t: 'content'; readonly entry: OfferedEntry; readonly content: Blob | null }
  /** Bytes that were read for `zip`. */
  | { readonly t: 'packing'; readonly bytes: number }
  /** `null` if a file can't be read. */
  | { readonly t: 'zip'; readonly content: Blob | null }
  /** The browser can't run the module. */
  | { readonly t: 'too-old' }
