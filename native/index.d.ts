/**
 * The contract of the native engine: JavaScript's only typed view of it.
 *
 * Threads: every function is called on the JavaScript thread that loaded the addon and returns immediately; work happens on the
 * engine's network thread and disk pool. Bulk bytes never cross this interface. The only exception is texts of at most 1 MiB,
 * which are displayed.
 *
 * The engine treats names and paths of files as arbitrary bytes. Here they are text, in both directions; each byte that is not
 * valid UTF-8 becomes the lone surrogate U+DC00 + byte. `visibleText` converts them for display.
 */

import type { EngineCommand } from './commands'
import type {
  AdmissionRecord,
  ConnectionStatistics,
  ContactKey,
  Counters,
  EngineError,
  EngineErrorCode,
  EngineStallReason,
  FileChanges,
  FilePage,
  FlowState,
  FollowedLink,
  Item,
  KeptEntry,
  LeftOut,
  Listing,
  MappedName,
  NameQuestion,
  OfferQuery,
  Outcome,
  Preflight,
  Route,
  SavedPath,
  SessionNumber,
  UdpPort,
} from './data'

export type * from './commands'
export type * from './data'

/** Events of the engine. Lifecycle events keep their order; of counters only the latest is kept. */
export type EngineEvent =
  /**
   * Counter: the scan's results so far; `complete` is true each time it ends. Receiver: the part of the sender's list that has
   * arrived before there is an offer; never complete.
   */
  | {
      readonly type: 'scan'
      readonly session: SessionNumber
      readonly files: number
      readonly folders: number
      readonly bytes: number
      readonly complete: boolean
      /** Entries excluded at the sender's request, not counting their contents; 0 at the receiver. */
      readonly excluded: number
      /** Entries that can't be offered, including those beyond a share's limit; 0 at the receiver. */
      readonly leftOut: number
    }
  /** The share by item, at most 1,000 of them; sent whenever a scan completes or an item is removed. */
  | {
      readonly type: 'scan-items'
      readonly session: SessionNumber
      readonly items: readonly Item[]
      /** The path that each item's path led to when it was first scanned; empty for texts and streams. */
      readonly resolved: readonly string[]
      /** The number of followed links that lead out of their items, and the first 1,000 of them. */
      readonly followed: number
      readonly followedLinks: readonly FollowedLink[]
    }
  /** One file or folder can't be sent or written; the rest continues. At most 1,000 per peer. */
  | {
      readonly type: 'item-problem'
      readonly session: SessionNumber
      /** Empty if it concerns the whole share. */
      readonly peer: string
      readonly path: string
      readonly error: EngineError
    }
  /** Pass `payload` to the signaling server for `peer`. */
  | {
      readonly type: 'signal'
      readonly session: SessionNumber
      readonly peer: string
      readonly payload: string
    }
  /** The other side proved its secret; a route is being searched. */
  | {
      readonly type: 'pairing-done'
      readonly session: SessionNumber
      readonly peer: string
      /** Six digits, the same on both sides unless someone is intercepting. */
      readonly safety: string
      /** The contact's id, or empty. */
      readonly contact: string
      /** Share: the receiver has a place. `false`: it gets one once `approved`. */
      readonly approved: boolean
    }
  /**
   * Share: this receiver has greeted and waits for `approve-peer`, at most ten minutes (`E_UNANSWERED`). Receive: the sender's
   * user must approve it; the offer follows.
   */
  | { readonly type: 'approval-requested'; readonly session: SessionNumber; readonly peer: string }
  /** Share: a waiting receiver was approved and has a place. */
  | { readonly type: 'approved'; readonly session: SessionNumber; readonly peer: string }
  /**
   * Share: wrong words tried at the current code; sent whenever that changes. After 50 the code is locked and admits no one.
   * After 200 at all codes the share is `spent`: another code is locked, too.
   */
  | {
      readonly type: 'guesses'
      readonly session: SessionNumber
      readonly wrong: number
      readonly locked: boolean
      readonly spent: boolean
    }
  /** Share: many strangers request admission and may delay receivers; sent whenever that changes. */
  | {
      readonly type: 'unauthenticated-load'
      readonly session: SessionNumber
      readonly high: boolean
    }
  /**
   * Share: state needed to survive a restart. Secret; sent whenever it changes, latest wins. With `storesAdmission`,
   * `confirm-admission` answers it; `revision` rises.
   */
  | {
      readonly type: 'admission'
      readonly session: SessionNumber
      readonly record: AdmissionRecord
      readonly revision: number
    }
  /** Receiver: the key that resumes at the same share without the words. Secret; latest wins. */
  | {
      readonly type: 'resume-key'
      readonly session: SessionNumber
      readonly peer: string
      readonly key: string
    }
  /** The other side asks to become a contact. */
  | { readonly type: 'contact-requested'; readonly session: SessionNumber; readonly peer: string }
  /** Both sides asked: the new contact's keys. */
  | {
      readonly type: 'contact-added'
      readonly session: SessionNumber
      readonly peer: string
      readonly publicKey: string
      /** Secret. */
      readonly key: string
    }
  /** The QUIC connection is established and both certificates are the expected ones. */
  | {
      readonly type: 'connected'
      readonly session: SessionNumber
      readonly peer: string
      readonly route: Route
    }
  /** The connection continues over another path, for example a direct one instead of a relay. */
  | {
      readonly type: 'route-changed'
      readonly session: SessionNumber
      readonly peer: string
      readonly route: Route
    }
  /** The other side's name; `id` is its share's or receive's (32 hexadecimal digits); `browser`: it is a web page. */
  | {
      readonly type: 'greeted'
      readonly session: SessionNumber
      readonly peer: string
      readonly name: string
      readonly id: string
      readonly browser: boolean
    }
  /** Receiver: the manifest is complete, or has grown or shrunk since. */
  | {
      readonly type: 'offer'
      readonly session: SessionNumber
      readonly peer: string
      readonly items: readonly Item[]
      readonly files: number
      readonly folders: number
      readonly bytes: number
      /** A name at any depth begins with a dot (`.DS_Store` does not count). */
      readonly dotNames: boolean
      /** The sender reports changes of its share. */
      readonly followable?: boolean
      /** Entries that the sender leaves out: for each reason their number, and the paths of the first 5. */
      readonly leftOut: readonly (Omit<LeftOut, 'code'> & { readonly code: EngineErrorCode })[]
    }
  /** The answered query, with every entry of the page. */
  | ({ readonly type: 'listing'; readonly session: SessionNumber } & Listing &
      Pick<OfferQuery, 'query'>)
  /** `E_ENGINE_BUSY` while the previous page is still being made: one at a time per transfer. */
  | ({
      readonly type: 'files'
      readonly session: SessionNumber
      readonly peer: string
      readonly request: number
      /** `null` unless listing failed. */
      readonly error: EngineError | null
    } & Omit<FilePage, 'offset'>)
  /** At most four a second per watched transfer, and one before it ends. */
  | ({
      readonly type: 'files-changed'
      readonly session: SessionNumber
      readonly peer: string
    } & FileChanges)
  /** Each list contains its first 1,000 elements. */
  | ({
      readonly type: 'preflight'
      readonly session: SessionNumber
      /** `null` unless the folder is unusable. */
      readonly error: EngineError | null
    } & Omit<Preflight, 'error' | 'cautions'>)
  /**
   * Sender: the receiver accepted and data flows. Receiver: the folder is ready and data flows. `resumedBytes` is 0 at the
   * sender.
   */
  | ({
      readonly type: 'accepted'
      readonly session: SessionNumber
      readonly peer: string
    } & Pick<Preflight, 'resumedBytes' | 'conflicts' | 'mappedCount' | 'mappedNames'>)
  /** Receiver: entries added after `accepted` were renamed for this system. */
  | {
      readonly type: 'names-mapped'
      readonly session: SessionNumber
      readonly peer: string
      /** Count in this transfer so far. */
      readonly mappedCount: number
      /** The new ones; at most 1,000 are reported per transfer. Of events without any, only the latest is kept. */
      readonly mappedNames: readonly MappedName[]
    }
  /** Receiver: the outcome for entries that the sender no longer has; before `finished`, if there were any. */
  | {
      readonly type: 'deletions'
      readonly session: SessionNumber
      readonly peer: string
      /** Files and links moved to `folder` below the target. */
      readonly moved: number
      readonly folder: string
      readonly keptCount: number
      /** The first 1,000. */
      readonly kept: readonly KeptEntry[]
    }
  /**
   * Counter, at most 10 a second per peer: data written at the receiver, including data present before. Bytes of a segment count
   * before its hash is known and before they are synced. `finished` follows only once every hash is verified and everything is
   * durable.
   */
  | ({
      readonly type: 'progress'
      readonly session: SessionNumber
      readonly peer: string
    } & Counters)
  | {
      readonly type: 'flow'
      readonly session: SessionNumber
      readonly peer: string
      readonly state: FlowState
    }
  | {
      readonly type: 'stalled'
      readonly session: SessionNumber
      readonly peer: string
      readonly reason: EngineStallReason
    }
  /** This computer's addresses changed. Belongs to no session: its number is 0. */
  | { readonly type: 'network-changed'; readonly session: SessionNumber }
  /**
   * A connection uses this port, which others can reach only if a router maps it. Always answer with `add-mapping`, even if no
   * router is asked.
   */
  | ({ readonly type: 'port-opened'; readonly session: SessionNumber } & UdpPort)
  /** No connection uses the port anymore. Belongs to no session: its number is 0. */
  | ({ readonly type: 'port-closed'; readonly session: SessionNumber } & UdpPort)
  /** The other computer sent an mDNS name instead of an address. Answer with `answer-name`. */
  | {
      readonly type: 'name-asked'
      readonly session: SessionNumber
      readonly question: NameQuestion
      /** A version 4 UUID before `.local`. */
      readonly name: string
    }
  /** No connection needs the answer anymore. Belongs to no session: its number is 0. */
  | {
      readonly type: 'name-dropped'
      readonly session: SessionNumber
      readonly question: NameQuestion
    }
  /**
   * A sender's connection has measured its path; `window` is 0 if the saved values are wrong. Belongs to no session: its
   * number is 0.
   */
  | ({ readonly type: 'path-saved'; readonly session: SessionNumber } & SavedPath)
  /** Receiver: the sender stopped answering, or answers again. The connection stays open meanwhile. */
  | {
      readonly type: 'silence'
      readonly session: SessionNumber
      readonly peer: string
      readonly silent: boolean
    }
  /** Counter: figures of the connection. Sent with progress at most once a second, with `stalled`, and before the end. */
  | {
      readonly type: 'statistics'
      readonly session: SessionNumber
      readonly peer: string
      readonly statistics: ConnectionStatistics
    }
  /** Receiver: a complete text of the offer. */
  | {
      readonly type: 'text'
      readonly session: SessionNumber
      readonly peer: string
      readonly name: string
      readonly text: string
    }
  /**
   * Everything that could be transferred is complete and durable at the receiver. Failed entries were reported before by
   * `item-problem`.
   */
  | ({
      readonly type: 'finished'
      readonly session: SessionNumber
      readonly peer: string
      /** The receiver follows the share, and waits for changes. */
      readonly inStep?: boolean
    } & Outcome)
  /** The transfer with this peer ended before it was complete. Empty `peer`: the whole session. */
  | {
      readonly type: 'failed'
      readonly session: SessionNumber
      readonly peer: string
      readonly error: EngineError
    }
  | {
      readonly type: 'partial-deleted'
      readonly session: SessionNumber
      readonly error: EngineError | null
      readonly files: number
      readonly bytes: number
    }

/** One engine: a network thread and a disk pool. A process may have several. */
export type Engine = {
  /**
   * Queues a command. Returns `null`, `E_ENGINE_BUSY` if the queue is full, or `E_ENGINE_CLOSED`. A malformed command throws a
   * TypeError: that is a bug in the caller.
   */
  post(command: EngineCommand): EngineErrorCode | null
  /** Ends every session and joins all threads. May be called at any time and repeatedly. */
  close(): Promise<void>
}

/** Three words of the word list, drawn with the system's CSPRNG: `apple-river-stone`. */
export function newWords(): string

/** True if `code` has the form `4821-apple-river-stone` and each word is in the list. */
export function isJoinCode(code: string): boolean

/** A new long-term key for this installation. */
export function newContactKey(): ContactKey

/** The mailbox where the owner of `publicKey` gets invitations from the contact that shares `key`: 43 characters. */
export function contactMailbox(key: string, publicKey: string): string

/** Seals `text` (at most 1 KiB) for the owner of the public key `recipient`; base64url. */
export function sealInvitation(key: string, recipient: string, text: string): string

/** Opens a text sealed by `sealInvitation`; `null` if it was not made with `key` for `recipient`. */
export function openInvitation(key: string, recipient: string, sealed: string): string | null

/** Versions of the linked libraries: engine, ngtcp2, openssl, nice, sodium, blake3, zstd. */
export function versions(): Readonly<Record<string, string>>

/**
 * Ends the process with `exitCode` if it has not ended within this time, whatever it is waiting for. Runs no exit handlers, so
 * all data must be on the disk by then. A later call replaces an earlier one.
 */
export function endProcessWithin(milliseconds: number, exitCode: number): void

/** Receive and send buffer, in bytes, that the system grants a socket for `wanted`; 0: unknown. */
export function socketBuffers(wanted: number): { readonly receive: number; readonly send: number }

/**
 * The largest of `sizes` at which a request reaches the STUN server at a literal address unfragmented; 0 if none is answered
 * within 1.5 s. Sizes are bytes of UDP payload: at most 16, multiples of four from 24 to 1,500.
 */
export function probePath(address: string, port: number, sizes: readonly number[]): Promise<number>

/** Starts an engine. Calls `onEvents` on this thread with batches in order. Throws if the system has no thread for it. */
export function createEngine(onEvents: (events: readonly EngineEvent[]) => void): Engine
