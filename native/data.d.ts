/** Types of the engine's commands and events; part of its contract (index.d.ts). */
import type { RelayUse } from '#shared/settings/relay-use'
import type { StallReason } from '#shared/state/app-state'

export type { FlowState, Item, LeftOut, MappedName, Route } from '#shared/state/app-state'
export type { ConnectionStatistics } from '#shared/state/connection-statistics'
export type { Counters, Outcome } from '#shared/state/counters'
export type { KeptEntry } from '#shared/state/deletions'
export type { FileChanges, FilePage, FileQuery } from '#shared/files'
export type { FollowedLink } from '#shared/followed-links'
export type { Listing, OfferQuery, Preflight } from '#shared/offer'
export type { ReceiveOptions, Selection, AutoAcceptLimit } from '#shared/settings/receive-options'
export type { SourceItem } from '#shared/settings/share-options'

/** The reason why nothing progressed for 3 s although it should; `none` once it progresses again. */
export type EngineStallReason = Exclude<StallReason, 'peer' | 'no-route'>

/** A stable error name of `native/src/base/error_codes.def`, for example `E_DISK_FULL`. */
export type EngineErrorCode = string

/** An error as the engine reports it. */
export type EngineError = {
  readonly code: EngineErrorCode
  /** The system's message, for logs and a Details panel; never the only explanation for the user. */
  readonly detail: string
}

/** Chosen by JavaScript, unique per engine, 1 .. 2^31-1. One session is one share or one receive. */
export type SessionNumber = number

/** A UDP port at a literal IPv4 address. */
export type UdpPort = { readonly address: string; readonly port: number }

/** Identifies a candidate that has a name instead of an address: an integer from 1 on, counted by the engine. */
export type NameQuestion = number

/** STUN and TURN servers as literal addresses; the client resolves names beforehand. */
export type IceServers = {
  /** Connections query only the first server. */
  readonly stun: readonly { readonly host: string; readonly port: number }[]
  readonly turn: readonly {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly password: string
    /**
     * `tls`: over TCP, to a server whose certificate is checked. `ws` and `wss`: a server relay over a WebSocket to the signaling
     * server at `path`, with the ticket in `password`; a server relay must be alone in `add-relays`.
     */
    readonly transport: 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'
    /** A server relay's path, as in a request. */
    readonly path?: string
    /** The server's name before it was resolved, which its certificate must contain. */
    readonly name?: string
    /** The proxy in front of the server; not for UDP. A proxy that fails is never bypassed. */
    readonly proxy?: RelayProxy
  }[]
  /** Also applies to later relays of `add-relays` and to the other side's relays. */
  readonly relayUse: RelayUse
}

/** A proxy at a literal address; with an empty user, no credentials are sent. */
export type RelayProxy = {
  readonly kind: 'http' | 'socks5'
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

/** State that a share keeps about admitted receivers. Secret. */
export type AdmissionRecord = {
  /** The share's id, 32 hexadecimal digits. */
  readonly share: string
  /** Wrong guesses at the current code, and at all codes of the share. */
  readonly wrong: number
  readonly wrongOfShare: number
  /** Oldest first, at most 2,000. */
  readonly receivers: readonly {
    /** 43 characters of base64url. */
    readonly key: string
    /** The key of its latest connection, until the receiver proves that it has it. */
    readonly next: string | null
    /** It has not received everything: its place is reserved. */
    readonly hasPlace: boolean
  }[]
}

/** A long-term key of this installation, base64url. `secret` never leaves this account's files. */
export type ContactKey = { readonly secret: string; readonly publicKey: string }

export type EngineContact = {
  /** Chosen by JavaScript, at most 64 bytes. */
  readonly id: string
  /** The other side's long-term key (Ed25519), 43 characters of base64url. */
  readonly publicKey: string
  /** Shared only by these two contacts, 43 characters of base64url. Secret. */
  readonly key: string
}

/** A measurement of a path, so that a later connection between the same networks starts faster. */
export type SavedPath = {
  /** A name of the networks at both ends, at most 64 bytes, derived from `installation` of `open-share`. */
  readonly network: string
  /** Bytes that the path delivers in a round trip. */
  readonly window: number
  readonly roundTripNs: number
  /** The time for which it may still be used, at most an hour. */
  readonly lifetimeMs: number
}

/** The secret that admits a receiver. */
export type ReceiveSecret =
  /** `apple-river-stone`. */
  | { readonly kind: 'words'; readonly words: string }
  /** The key of an earlier `resume-key` event. */
  | { readonly kind: 'resume'; readonly key: string }
  /** The id of a contact in `set-contacts`. */
  | { readonly kind: 'contact'; readonly contact: string }
