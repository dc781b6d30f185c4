/** Types in the engine's commands and events; a part of its contract (index.d.ts). */

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

/** STUN and TURN servers as literal addresses; names are resolved before. */
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

/** One thing to offer: a file or folder of this machine, or a text. */
export type SourceItem =
  | { readonly kind: 'path'; readonly path: string }
  /** At most 1 MiB of UTF-8. Shown at the receiver, and not written unless saved. */
  | { readonly kind: 'text'; readonly text: string; readonly name: string }

/** One thing at the top of a share: a dropped file or folder with all that is in it, or a text. */
export type OfferItem = {
  /** Number of the item in the sender's share, for `remove-item`. 0 at the receiver. */
  readonly id: number
  readonly name: string
  readonly kind: 'file' | 'folder' | 'text' | 'link'
  readonly files: number
  readonly bytes: number
}

/** What happens to a file whose name is taken by one that is not identical; folders are merged. */
export type ConflictPolicy = 'keep-both' | 'replace' | 'replace-older' | 'skip'

/** The receiver's choices for one transfer. */
export type ReceiveOptions = {
  readonly conflict: ConflictPolicy
  /** Same size and content is identical (reads both files), else same size and time. */
  readonly compareContent: boolean
  /** Resume an earlier attempt, and leave what a later one can resume. */
  readonly resume: boolean
  /** Read everything back from the disk before it gets its name. */
  readonly verify: boolean
  readonly keepTimes: boolean
  readonly keepExecutable: boolean
  readonly makeLinks: boolean
  readonly makeEmptyFolders: boolean
  /** Only names that every system can hold. */
  readonly portableNames: boolean
}

/** Which files are received: patterns such as `photos/**` or `*.jpg`; a folder stands for all that is in it. */
export type Selection = {
  /** Only these; all when empty. */
  readonly only: readonly string[]
  /** Except these. */
  readonly except: readonly string[]
  /** These before all others, in this order. */
  readonly first: readonly string[]
}

/**
 * What may be received without review: so many bytes, and no name at the top that begins with a dot.
 * An offer that exceeds it, at once or by growing, ends with `E_UNDECIDED` before anything of the
 * excess is written.
 */
export type Unasked = { readonly mostBytes: number }

/** How many files met existing ones at the target, and what was done. */
export type ConflictSummary = {
  readonly identical: number
  readonly identicalBytes: number
  readonly different: number
  /** How many of `different` are replaced, kept beside, or left out: */
  readonly replaced: number
  readonly keptBoth: number
  readonly leftOut: number
}

/** A name that this system can't hold, and what it is written as. */
export type MappedName = { readonly path: string; readonly writtenAs: string }

/** Why data does or doesn't flow between two connected computers. */
export type FlowState =
  | { readonly kind: 'flowing' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'paused-by-peer' }
  /** No room: `need` bytes have to become free; the transfer resumes automatically then. */
  | { readonly kind: 'disk-full'; readonly need: number }
  | { readonly kind: 'peer-disk-full'; readonly need: number }
  /** All bytes are received; they are made durable, read back if asked, and published. */
  | { readonly kind: 'finishing' }

/** Why there was no progress for 3 s although there should be; `none` when there is again. */
export type StallReason = 'none' | 'network' | 'peer-disk' | 'own-disk' | 'source' | 'limit'

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
