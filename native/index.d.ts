/**
 * The contract of the native engine: the only typed view that JavaScript has of it.
 *
 * Threads: every function is called on the JavaScript thread that loaded the addon and returns at
 * once; work happens on the engine's network thread and disk pool. Bulk bytes never cross here.
 */

/** A stable error name of `native/src/base/error_codes.def`, for example `E_DISK_FULL`. */
export type EngineErrorCode = string

/** An error as the engine reports it. */
export type EngineError = {
  readonly code: EngineErrorCode
  /** What the system said, for logs and a Details panel; never the only explanation for people. */
  readonly detail: string
}

/** Chosen by JavaScript, unique per engine, 1 .. 2^31-1. One session is one share or one receive. */
export type SessionNumber = number

/** STUN and TURN servers as literal addresses; names are resolved before they come here. */
export type IceServers = {
  /** At most one is used by the ICE library; the first wins. */
  readonly stun: readonly { readonly host: string; readonly port: number }[]
  readonly turn: readonly {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly password: string
    readonly transport: 'udp' | 'tcp'
  }[]
  /** Use relayed candidates only. */
  readonly relayOnly: boolean
}

/** How two computers are connected. */
export type Route = {
  readonly kind: 'local' | 'direct' | 'relay'
  readonly family: 4 | 6
  /** `tcp` only between this computer and its relay. */
  readonly transport: 'udp' | 'tcp'
  /** Literal address and port of the other end as this end sees it. */
  readonly remote: string
  /** The relay's address when `kind` is `relay`, else empty. */
  readonly relay: string
}

/** One thing at the top of a share: a dropped file or folder with all that is in it. */
export type OfferItem = {
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly files: number
  readonly bytes: number
}

/** What JavaScript asks of the engine. */
export type EngineCommand =
  /** Starts scanning `paths` (absolute) and holds the share open. `code` follows when known. */
  | {
      readonly type: 'open-share'
      readonly session: SessionNumber
      readonly paths: readonly string[]
      /** Name shown to receivers, at most 64 bytes of UTF-8. */
      readonly name: string
      readonly ice: IceServers
    }
  /** The whole join code of a share; receivers can be added from now on. */
  | { readonly type: 'set-code'; readonly session: SessionNumber; readonly code: string }
  /** A receiver knocked; `peer` is the signaling server's id for it, at most 64 bytes. */
  | { readonly type: 'add-peer'; readonly session: SessionNumber; readonly peer: string }
  /** Ends one receiver of a share. */
  | { readonly type: 'drop-peer'; readonly session: SessionNumber; readonly peer: string }
  /** Starts a receive: the engine makes the first sealed message for `peer`. */
  | {
      readonly type: 'open-receive'
      readonly session: SessionNumber
      readonly code: string
      readonly peer: string
      readonly name: string
      readonly ice: IceServers
    }
  /** An opaque sealed message that came through the signaling server. */
  | {
      readonly type: 'signal'
      readonly session: SessionNumber
      readonly peer: string
      readonly payload: string
    }
  /** Accepts the offer: everything is written below `directory` (absolute, created if missing). */
  | { readonly type: 'accept'; readonly session: SessionNumber; readonly directory: string }
  /** Ends a session and forgets it: a share stops, a receive is declined or cancelled. */
  | { readonly type: 'end-session'; readonly session: SessionNumber }

/** What the engine tells. Lifecycle events keep their order; counters are latest-wins. */
export type EngineEvent =
  /** Counter: what the scan has found so far. `complete` is true once, at its end. */
  | {
      readonly type: 'scan'
      readonly session: SessionNumber
      readonly files: number
      readonly folders: number
      readonly bytes: number
      readonly complete: boolean
    }
  /** The scan's result by dropped item, at most 1,000 of them; sent once, when complete. */
  | {
      readonly type: 'scan-items'
      readonly session: SessionNumber
      readonly items: readonly OfferItem[]
    }
  /** One file or folder can't be sent or written; the rest goes on. At most 1,000 for each peer. */
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
  /** The other side proved that it knows the code; a path is being looked for. */
  | { readonly type: 'pairing-done'; readonly session: SessionNumber; readonly peer: string }
  /** QUIC is up and both certificates are the expected ones. `name` is the other side's. */
  | {
      readonly type: 'connected'
      readonly session: SessionNumber
      readonly peer: string
      readonly name: string
      readonly route: Route
    }
  /** Receiver only: the whole manifest is here. Data starts after `accept`. */
  | {
      readonly type: 'offer'
      readonly session: SessionNumber
      readonly peer: string
      readonly items: readonly OfferItem[]
      readonly files: number
      readonly folders: number
      readonly bytes: number
    }
  /** Sender only: the receiver accepted and data flows. */
  | { readonly type: 'accepted'; readonly session: SessionNumber; readonly peer: string }
  /**
   * Counter, at most 10 a second for each peer: written at the receiver. Bytes of a segment under
   * way count before its hash is known; `finished` comes only when every hash was right.
   */
  | {
      readonly type: 'progress'
      readonly session: SessionNumber
      readonly peer: string
      readonly files: number
      readonly bytes: number
      readonly totalFiles: number
      readonly totalBytes: number
    }
  /** Everything that could be transferred is complete at the receiver. */
  | {
      readonly type: 'finished'
      readonly session: SessionNumber
      readonly peer: string
      readonly files: number
      readonly bytes: number
      /** Files that are not there, each told before by `item-problem`. */
      readonly problems: number
      /** Files that got another name because theirs was taken. */
      readonly renamed: number
    }
  /** The transfer with this peer ended before it was complete. `peer` empty: the whole session. */
  | {
      readonly type: 'failed'
      readonly session: SessionNumber
      readonly peer: string
      readonly error: EngineError
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

/** Versions of what is linked in: engine, ngtcp2, openssl, nice, sodium, blake3. */
export function versions(): Readonly<Record<string, string>>

/** Makes a TLS 1.3 handshake in memory with the engine's own OpenSSL; returns the protocol name. */
export function tlsSelfTest(): string

/** Starts an engine. `onEvents` is called on this thread with batches, in order. */
export function createEngine(onEvents: (events: readonly EngineEvent[]) => void): Engine
