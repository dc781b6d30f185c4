/** Types in the engine's commands and events; a part of its contract (index.d.ts). */
import type { RelayUse } from '#shared/settings/relay-use'
import type { StallReason } from '#shared/state/app-state'

export type { FlowState, Item, LeftOut, MappedName, Route } from '#shared/state/app-state'
export type { ConnectionStatistics } from '#shared/state/connection-statistics'
export type { Counters, Outcome } from '#shared/state/counters'
export type { FileChanges, FilePage, FileQuery } from '#shared/files'
export type { Listing, OfferQuery, Preflight } from '#shared/offer'
export type { ReceiveOptions, Selection, Unasked } from '#shared/settings/receive-options'
export type { SourceItem } from '#shared/settings/share-options'

/** Why there was no progress for 3 s although there should be; `none` when there is again. */
export type EngineStallReason = Exclude<StallReason, 'peer' | 'no-route'>

/** A stable error name of `native/src/base/error_codes.def`, for example `E_DISK_FULL`. */
export type EngineErrorCode = string

/** An error as the engine reports it. */
export type EngineError = {
  readonly code: EngineErrorCode
  /** The system's message, for logs and a Details panel; never the only explanation for people. */
  readonly detail: string
}

/** Chosen by JavaScript, unique per engine, 1 .. 2^31-1. One session is one share or one receive. */
export type SessionNumber = number

/** A port of UDP at a literal address of IPv4. */
export type UdpPort = { readonly address: string; readonly port: number }

/** One candidate that has a name in place of an address: a whole number from 1 on, which the engine counts. */
export type NameQuestion = number

/** STUN and TURN servers as literal addresses; names are resolved before. */
export type IceServers = {
  /** The first one is asked by connections. */
  readonly stun: readonly { readonly host: string; readonly port: number }[]
  readonly turn: readonly {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly password: string
    /**
     * `tls` goes over TCP to a server whose certificate is checked. `ws` and `wss` are a detour: a WebSocket to the
     * signaling server itself, at `path`, with the ticket in `password`; one by itself in `add-relays`.
     */
    readonly transport: 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'
    /** Of a detour, as a request has it. */
    readonly path?: string
    /** What it was called before its name was resolved; its certificate is of this. */
    readonly name?: string
    /** What it is reached through; not over UDP. One that can't be used is never gone around. */
    readonly proxy?: RelayProxy
  }[]
  /** Holds for relays that follow with `add-relays`, too, and for those of the other side. */
  readonly relayUse: RelayUse
}

/** A proxy at a literal address; with an empty user it is told neither. */
export type RelayProxy = {
  readonly kind: 'http' | 'socks5'
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

/** What a share remembers of those whom it admitted. Secret. */
export type AdmissionRecord = {
  /** The share's id, 32 hexadecimal digits. */
  readonly share: string
  /** Wrong guesses at the present code, and at all codes of the share. */
  readonly wrong: number
  readonly wrongOfShare: number
  /** Oldest first, at most 2,000. */
  readonly receivers: readonly {
    /** 43 characters of base64url. */
    readonly key: string
    /** The key of its latest connection, until it has shown that it knows it. */
    readonly next: string | null
    /** It has not got everything: its place is reserved. */
    readonly hasPlace: boolean
  }[]
}

/** A long-term key of this installation, base64url. `secret` never leaves this account's files. */
export type ContactKey = { readonly secret: string; readonly publicKey: string }

/** A contact. */
export type EngineContact = {
  /** Chosen by JavaScript, at most 64 bytes. */
  readonly id: string
  /** The other side's long-term key (Ed25519), 43 characters of base64url. */
  readonly publicKey: string
  /** Known to these two only, 43 characters of base64url. Secret. */
  readonly key: string
}

/** What a receiver is admitted by. */
export type ReceiveSecret =
  /** `apple-river-stone`. */
  | { readonly kind: 'words'; readonly words: string }
  /** The key of an earlier `resume-key` event. */
  | { readonly kind: 'resume'; readonly key: string }
  /** The id of one of `set-contacts`. */
  | { readonly kind: 'contact'; readonly contact: string }
