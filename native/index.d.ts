/**
 * The contract of the native engine: the only typed view that JavaScript has of it.
 *
 * Threads: every function is called on the JavaScript thread that loaded the addon and returns at
 * once; work happens on the engine's network thread and disk pool. Bulk bytes never cross here; the one
 * exception are texts of at most 1 MiB, which people read.
 *
 * Names and paths of files are any bytes to the engine. Here they are text in which each byte that
 * is no UTF-8 stands as the lone surrogate U+DC00 + byte, both ways; people see `visibleText` of it.
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
  Item,
  LeftOut,
  Listing,
  MappedName,
  NameQuestion,
  OfferQuery,
  Outcome,
  Preflight,
  Route,
  SessionNumber,
  UdpPort,
} from './data'

export type * from './commands'
export type * from './data'

/** Events of the engine. Lifecycle events keep their order; counters are latest-wins. */
export type EngineEvent =
  /**
   * Counter: what the scan has found so far. `complete` is true at its end, each time. Receiver: how
   * much of the sender's list arrived before there is an offer, never complete.
   */
  | {
      readonly type: 'scan'
      readonly session: SessionNumber
      readonly files: number
      readonly folders: number
      readonly bytes: number
      readonly complete: boolean
      /** Entries that the sender leaves out as wished, without what is in them; 0 at the receiver. */
      readonly excluded: number
      /** Entries that can't be offered, those included that are more than a share holds; 0 at the receiver. */
      readonly leftOut: number
    }
  /** The share by item, at most 1,000 of them; whenever a scan is complete or an item went. */
  | {
      readonly type: 'scan-items'
      readonly session: SessionNumber
      readonly items: readonly Item[]
    }
  /** One file or folder can't be sent or written; the rest continues. At most 1,000 for each peer. */
  | {
      readonly type: 'item-problem'
      readonly session: SessionNumber
      /** Empty when it concerns a share as a whole. */
      readonly peer: string
      readonly path: string
      readonly error: EngineError
    }
  /** Hand `payload` to the signaling server for `peer`. */
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
      /** Share: it has a place. `false`: not before it is `approved`. */
      readonly approved: boolean
    }
  /**
   * Share: this receiver has greeted, and waits for `approve-peer`, ten minutes at most (`E_UNANSWERED`).
   * Receive: the sender's person is asked; the offer follows.
   */
  | { readonly type: 'approval-wanted'; readonly session: SessionNumber; readonly peer: string }
  /** Share: a receiver that waited for approval was let in, and has a place. */
  | { readonly type: 'approved'; readonly session: SessionNumber; readonly peer: string }
  /**
   * Share: wrong words that were tried at the present code, whenever that changes. After 50 it is
   * locked and admits nobody. After 200 at all codes of the share it is `spent`: another code
   * is locked, too.
   */
  | {
      readonly type: 'guesses'
      readonly session: SessionNumber
      readonly wrong: number
      readonly locked: boolean
      readonly spent: boolean
    }
  /** Share: whether so many strangers ask for admission that receivers may have to wait; whenever it changes. */
  | { readonly type: 'strangers'; readonly session: SessionNumber; readonly many: boolean }
  /** Share: what it has to remember to survive a restart. Secret; whenever it changes, latest wins. */
  | {
      readonly type: 'admission'
      readonly session: SessionNumber
      readonly record: AdmissionRecord
    }
  /** Receiver: the key to resume at the same share without the words. Secret; latest wins. */
  | {
      readonly type: 'resume-key'
      readonly session: SessionNumber
      readonly peer: string
      readonly key: string
    }
  /** The other side asks to become contacts. */
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
  /** QUIC is up and both certificates are the expected ones. */
  | {
      readonly type: 'connected'
      readonly session: SessionNumber
      readonly peer: string
      readonly route: Route
    }
  /** The connection goes on by another path, as when a direct one was found beside a relay. */
  | {
      readonly type: 'route-changed'
      readonly session: SessionNumber
      readonly peer: string
      readonly route: Route
    }
  /** The other side's name; `id` is its share's or receive's (32 hexadecimal digits). */
  | {
      readonly type: 'greeted'
      readonly session: SessionNumber
      readonly peer: string
      readonly name: string
      readonly id: string
    }
  /** Receiver only: the manifest is complete, or it has grown or shrunk since. */
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
      /** What the sender leaves out: for each reason how many, and the paths of the first 5. */
      readonly leftOut: readonly (Omit<LeftOut, 'code'> & { readonly code: EngineErrorCode })[]
    }
  /** The query that it answers, with every entry of the page. */
  | ({ readonly type: 'listing'; readonly session: SessionNumber } & Listing &
      Pick<OfferQuery, 'query'>)
  /** `E_ENGINE_BUSY` while the page before is still being made: one at a time for each transfer. */
  | ({
      readonly type: 'files'
      readonly session: SessionNumber
      readonly peer: string
      readonly request: number
      /** `null` unless nothing could be listed. */
      readonly error: EngineError | null
    } & Omit<FilePage, 'offset'>)
  /** At most four a second for each transfer that is watched, and one before it ends. */
  | ({
      readonly type: 'files-changed'
      readonly session: SessionNumber
      readonly peer: string
    } & FileChanges)
  /** Each list has its first 1,000. */
  | ({
      readonly type: 'preflight'
      readonly session: SessionNumber
      /** `null` unless the folder can't be received into. */
      readonly error: EngineError | null
    } & Omit<Preflight, 'error' | 'cautions'>)
  /**
   * Sender: the receiver accepted and data flows. Receiver: the folder is ready and data flows.
   * `resumedBytes` is 0 at the sender.
   */
  | ({
      readonly type: 'accepted'
      readonly session: SessionNumber
      readonly peer: string
    } & Pick<Preflight, 'resumedBytes' | 'conflicts' | 'mappedCount' | 'mappedNames'>)
  /** Receiver: what was added after `accepted` has names that are written differently, too. */
  | {
      readonly type: 'names-mapped'
      readonly session: SessionNumber
      readonly peer: string
      /** In this transfer so far. */
      readonly mappedCount: number
      /** Those that are new; at most 1,000 are reported for a transfer. Of events without any, only the latest is kept. */
      readonly mappedNames: readonly MappedName[]
    }
  /**
   * Counter, at most 10 a second for each peer: written at the receiver, with what was present
   * before. Bytes of a segment count before its hash is known and before they are synced; `finished`
   * comes only when every hash was right and everything is durable.
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
  /** This computer has other addresses than before. Of no session: its number is 0. */
  | { readonly type: 'network-changed'; readonly session: SessionNumber }
  /** A connection has this port, which others can only reach when a router maps it. `add-mapping` answers, also where none is asked. */
  | ({ readonly type: 'port-opened'; readonly session: SessionNumber } & UdpPort)
  /** No connection has it any more. Of no session: its number is 0. */
  | ({ readonly type: 'port-closed'; readonly session: SessionNumber } & UdpPort)
  /** The other computer has given a name of mDNS in place of an address. `answer-name` answers. */
  | {
      readonly type: 'name-asked'
      readonly session: SessionNumber
      readonly question: NameQuestion
      /** A version 4 UUID before `.local`. */
      readonly name: string
    }
  /** No connection wants an answer to it any more. Of no session: its number is 0. */
  | {
      readonly type: 'name-dropped'
      readonly session: SessionNumber
      readonly question: NameQuestion
    }
  /** Receiver: the sender gives no sign of life, or gives one again. The connection lives on meanwhile. */
  | {
      readonly type: 'silence'
      readonly session: SessionNumber
      readonly peer: string
      readonly silent: boolean
    }
  /** Counter: how the connection gets on. With progress, at most once a second, with `stalled` and before the end. */
  | {
      readonly type: 'statistics'
      readonly session: SessionNumber
      readonly peer: string
      readonly statistics: ConnectionStatistics
    }
  /** Receiver: a text of the offer, complete. */
  | {
      readonly type: 'text'
      readonly session: SessionNumber
      readonly peer: string
      readonly name: string
      readonly text: string
    }
  /**
   * Everything that could be transferred is complete and durable at the receiver. Entries that failed were
   * reported before by `item-problem`.
   */
  | ({
      readonly type: 'finished'
      readonly session: SessionNumber
      readonly peer: string
    } & Outcome)
  /** The transfer with this peer ended before it was complete. `peer` empty: the whole session. */
  | {
      readonly type: 'failed'
      readonly session: SessionNumber
      readonly peer: string
      readonly error: EngineError
    }
  | {
      readonly type: 'forgotten'
      readonly session: SessionNumber
      readonly error: EngineError | null
      readonly files: number
      readonly bytes: number
    }

/** One engine: a network thread and a disk pool. Several can live in one process. */
export type Engine = {
  /**
   * Queues a command. Returns `null`, or `E_ENGINE_BUSY` when the bounded queue is full, or
   * `E_ENGINE_CLOSED`. A malformed command throws a TypeError: that is a bug in the caller.
   */
  post(command: EngineCommand): EngineErrorCode | null
  /** Ends every session, joins all threads. Safe at every stage and more than once. */
  close(): Promise<void>
}

/** Three words of the word list from the system's CSPRNG: `apple-river-stone`. */
export function newWords(): string

/** True when `code` has the form `4821-apple-river-stone` and each word is in the list. */
export function isJoinCode(code: string): boolean

/** A new long-term key for this installation. */
export function newContactKey(): ContactKey

/** The mailbox where the owner of `publicKey` gets invitations from the contact that shares `key`: 43 characters. */
export function contactMailbox(key: string, publicKey: string): string

/** `text` (at most 1 KiB) for the owner of the public key `recipient`, base64url. */
export function sealInvitation(key: string, recipient: string, text: string): string

/** The text of `sealInvitation`, or `null` when it was not made with `key` for `recipient`. */
export function openInvitation(key: string, recipient: string, sealed: string): string | null

/** Versions of what is linked in: engine, ngtcp2, openssl, nice, sodium, blake3. */
export function versions(): Readonly<Record<string, string>>

/** Makes a TLS 1.3 handshake in memory with the engine's own OpenSSL; returns the protocol name. */
export function tlsSelfTest(): string

/**
 * Ends the process with `exitCode` when it has not ended by itself within so many milliseconds, whatever it waits for
 * then, JavaScript included: without exit handlers, so everything has to be on the disk. A later call replaces an
 * earlier one.
 */
export function endProcessWithin(milliseconds: number, exitCode: number): void

/** Bytes in each direction that the system grants a socket that asks for `wanted`; 0: unknown. */
export function socketBuffers(wanted: number): { readonly receive: number; readonly send: number }

/**
 * The largest of `sizes` (bytes of UDP payload, multiples of four from 24 to 1,500, at most 16) at which a request gets unsplit to the
 * STUN server at a literal address; 0 when none is answered within 1.5 s.
 */
export function probePath(address: string, port: number, sizes: readonly number[]): Promise<number>

/** Starts an engine. `onEvents` is called on this thread with batches, in order. Throws when the system has no thread for it. */
export function createEngine(onEvents: (events: readonly EngineEvent[]) => void): Engine
