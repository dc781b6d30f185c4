/** The commands of `native/index.d.ts`. */

import type { ErrorCode } from '#shared/errors'
import type {
  AdmissionRecord,
  AutoAcceptLimit,
  ContactKey,
  EngineContact,
  FileQuery,
  IceServers,
  NameQuestion,
  OfferQuery,
  ReceiveOptions,
  ReceiveSecret,
  SavedPath,
  Selection,
  SessionNumber,
  SourceItem,
  UdpPort,
} from './data'

/** Commands from JavaScript to the engine. */
export type EngineCommand =
  /** Starts scanning `items` (absolute paths) and opens the share; `set-code` follows once the code is known. */
  | {
      readonly type: 'open-share'
      readonly session: SessionNumber
      readonly items: readonly SourceItem[]
      /** Excluded entries, including their contents: patterns as in `Selection`. */
      readonly exclude: readonly string[]
      /** Offer symbolic links that stay in their item as links. */
      readonly links: boolean
      /** Offer what symbolic links lead to, not the links. */
      readonly followLinks: boolean
      /** Apply .gitignore files in the shared items. */
      readonly ignoreFiles: boolean
      /** Read extended attributes and creation times of files, and send them to receivers that ask for them; off by default. */
      readonly attributes?: boolean
      /** Simultaneous receivers, 1 .. 1000; 0: none for now. */
      readonly maxReceivers: number
      /** Admits no one after the first receiver, until `set-max-receivers`. */
      readonly oneReceiver: boolean
      /** The user approves each receiver: new ones get no offer before `approve-peer`. */
      readonly approval: boolean
      /** Web pages may receive; otherwise one that says so ends with `E_NO_BROWSERS`, without an offer. */
      readonly browsers: boolean
      /** Name shown to receivers, at most 64 bytes of UTF-8. */
      readonly name: string
      /** This installation's secret, 43 characters of base64url. Receivers recognize the sender by a key derived from it. */
      readonly installation: string
      readonly ice: IceServers
      /** The latest `admission` of an earlier program with this share; `null` for a new one. */
      readonly restored: AdmissionRecord | null
      /**
       * `confirm-admission` answers each `admission`. A receiver's connection, or its offer after an approval, waits until
       * its key is stored.
       */
      readonly storesAdmission: boolean
      /** Sends `files-changed` for each receiver; off by default. */
      readonly watchFiles?: boolean
    }
  /** Adds items to a running share, for present and later receivers. */
  | {
      readonly type: 'add-items'
      readonly session: SessionNumber
      readonly items: readonly SourceItem[]
    }
  /** Allows receivers to stay connected until there are changes; off by default. */
  | {
      readonly type: 'set-followable'
      readonly session: SessionNumber
      readonly followable: boolean
    }
  /** The record of an `admission` is stored, or can't be. */
  | {
      readonly type: 'confirm-admission'
      readonly session: SessionNumber
      readonly revision: number
    }
  /** Scans a share's items again. If entries have changed, receivers that follow end with `E_SHARE_CHANGED`, and return. */
  | { readonly type: 'rescan'; readonly session: SessionNumber }
  /** The result of a stream's producer, which the stream awaits because of `awaitsProducer`. */
  | { readonly type: 'end-stream'; readonly session: SessionNumber; readonly complete: boolean }
  /** Removes an item from a share; receivers keep its complete files. */
  | { readonly type: 'remove-item'; readonly session: SessionNumber; readonly item: number }
  /** Present receivers stay, whatever the number. 0: no new ones. */
  | {
      readonly type: 'set-max-receivers'
      readonly session: SessionNumber
      readonly count: number
    }
  /**
   * The complete join code of a share; receivers can be added once it is set. Pairing with another code ends; wrong guesses stay
   * counted.
   */
  | { readonly type: 'set-code'; readonly session: SessionNumber; readonly code: string }
  /**
   * The user wants another code, which `set-code` provides. The current one admits no one, and wrong guesses start from zero,
   * within the share's total.
   */
  | { readonly type: 'revoke-code'; readonly session: SessionNumber }
  /** The server introduced a receiver; `peer` is its id there, at most 64 bytes. Ignored if that id is in use. */
  | { readonly type: 'add-peer'; readonly session: SessionNumber; readonly peer: string }
  /** Ends one receiver of a share and forgets its resume keys, unless `mayResume`. */
  | {
      readonly type: 'disconnect-peer'
      readonly session: SessionNumber
      readonly peer: string
      /** The user did not disconnect it: it keeps its resume key. */
      readonly mayResume: boolean
    }
  /** The answer to a share's `approval-requested`. A refused receiver ends with `E_REFUSED`. */
  | {
      readonly type: 'approve-peer'
      readonly session: SessionNumber
      readonly peer: string
      readonly approved: boolean
    }
  /** Sets whether the user must approve each new receiver; `false` admits the waiting ones. */
  | { readonly type: 'set-approval'; readonly session: SessionNumber; readonly wanted: boolean }
  /** TURN servers for one peer, provided by the signaling server after its admission. */
  | {
      readonly type: 'add-relays'
      readonly session: SessionNumber
      readonly peer: string
      readonly turn: IceServers['turn']
    }
  /** Replaces a share's STUN servers, for later receivers. */
  | {
      readonly type: 'set-stun'
      readonly session: SessionNumber
      readonly stun: IceServers['stun']
    }
  /** The answer to `port-opened`: the port that a router mapped, for the other side; `null`: none. */
  | {
      readonly type: 'add-mapping'
      readonly port: UdpPort
      readonly mapped: UdpPort | null
    }
  /** The answer to `name-asked`: the literal address of that name; `null`: unknown. */
  | {
      readonly type: 'answer-name'
      readonly question: NameQuestion
      readonly address: string | null
    }
  /** Sets this installation's key and its contacts, at most 1,000; replaces earlier ones. */
  | {
      readonly type: 'set-contacts'
      readonly own: ContactKey | null
      readonly contacts: readonly EngineContact[]
    }
  /** Asks the other side to become a contact; `contact-added` follows once both sides have asked. */
  | { readonly type: 'request-contact'; readonly session: SessionNumber; readonly peer: string }
  /** Starts a receive: the engine immediately creates the first message for `peer`. */
  | {
      readonly type: 'open-receive'
      readonly session: SessionNumber
      /** 32 random hexadecimal digits, unchanged when a receive resumes after a lost connection. */
      readonly receiveId: string
      /** Four to six digits, public. */
      readonly nameplate: string
      readonly secret: ReceiveSecret
      /** Any name for the sender, used in its events and commands. */
      readonly peer: string
      readonly name: string
      readonly ice: IceServers
      /** Sends `files-changed`; off by default. */
      readonly watchFiles?: boolean
      /**
       * The first files are sent with the offer, and stay in memory until `accept`: at most 8 MiB, and nothing in the background or
       * with a download limit. `accept` with `toOutput` can't follow. Off by default.
       */
      readonly prefetch?: boolean
      /** Asks for extended attributes and creation times, which `keepAttributes` of `accept` then writes; off by default. */
      readonly attributes?: boolean
      /** The session that tried the same words elsewhere: a sender that counted them does not count them again. */
      readonly after?: SessionNumber
    }
  /** An opaque sealed message that arrived through the signaling server. */
  | {
      readonly type: 'signal'
      readonly session: SessionNumber
      readonly peer: string
      readonly payload: string
    }
  /**
   * Receiver: lists a folder of the offer, folders first, in natural order. With a `query`: all files and links below it whose path
   * contains that, with offered or chosen names. Answered by `listing`.
   */
  | ({ readonly type: 'list-offer'; readonly session: SessionNumber } & OfferQuery)
  /** Receiver: checks a folder before accepting. Answered by `preflight`. */
  | {
      readonly type: 'preflight'
      readonly session: SessionNumber
      readonly directory: string
      readonly options: ReceiveOptions
      readonly selection: Selection
    }
  /** Accepts the offer: everything is written below `directory` (absolute, created if missing). */
  | {
      readonly type: 'accept'
      readonly session: SessionNumber
      readonly directory: string
      readonly options: ReceiveOptions
      readonly selection: Selection
      /** `null` if the user reviewed the offer, which may then grow. */
      readonly autoAccept: AutoAcceptLimit | null
      /**
       * Writes the only wanted file to standard output, in order, and nothing to `directory`. `E_BAD_ARGUMENT` unless exactly one
       * is wanted.
       */
      readonly toOutput: boolean
      /** If the disk is full, waits for room from the beginning. Otherwise it then fails with `E_DISK_FULL`. */
      readonly waitForRoom?: boolean
    }
  /**
   * Receiver: declines an offer that was not accepted and sends the sender `why`. `E_UNDECIDED` leaves the offer for the user to
   * accept later.
   */
  | { readonly type: 'refuse'; readonly session: SessionNumber; readonly why: ErrorCode }
  /** Receiver, during the transfer: changes the wanted files. */
  | {
      readonly type: 'change-selection'
      readonly session: SessionNumber
      readonly patterns: readonly string[]
      readonly wanted: boolean
    }
  /** Lists a page of a running transfer's files, in natural order of their paths. Answered by `files`. */
  | ({
      readonly type: 'list-files'
      readonly session: SessionNumber
      /** A share's receiver; empty for a receive. */
      readonly peer: string
      /** 0 .. 2^31-1; repeated in the answer. */
      readonly request: number
    } & Readonly<FileQuery>)
  /** Receiver, during the transfer: gives the missing bytes of these files priority. */
  | {
      readonly type: 'prioritize'
      readonly session: SessionNumber
      readonly patterns: readonly string[]
    }
  /** Pauses or resumes. Empty `peer`: all receivers of a share. */
  | {
      readonly type: 'set-paused'
      readonly session: SessionNumber
      readonly peer: string
      readonly paused: boolean
    }
  /** Limits for all sessions together, in bytes of files a second; 0 for no limit. */
  | { readonly type: 'set-limits'; readonly upload: number; readonly download: number }
  /** Makes all transfers, including running ones, use only capacity that other traffic leaves. */
  | { readonly type: 'set-background'; readonly enabled: boolean }
  /** Sizes in bytes for later connections; 0 for the engine's default. */
  | {
      readonly type: 'set-transport'
      /** Data that a receiver accepts before it is on the disk, 16 MiB to 1 GiB. */
      readonly connectionWindow: number
      /** Buffers of each socket in each direction, 256 KiB to 256 MiB. */
      readonly socketBuffers: number
    }
  /** Replaces the paths of earlier `path-saved` events, at most 64, newest first. */
  | { readonly type: 'set-saved-paths'; readonly paths: readonly SavedPath[] }
  /** This installation's secret, 43 characters of base64url; keys of records about received files derive from it. */
  | { readonly type: 'set-installation'; readonly secret: string }
  /** Directory for the qlogs of later connections, an absolute path; empty: no qlogs. */
  | { readonly type: 'set-qlog'; readonly directory: string }
  /** Ends a session: a share stops, a receive is declined or canceled. */
  | { readonly type: 'end-session'; readonly session: SessionNumber }
  /** Ends one session of a receive that continues in another one: the sender keeps its place (`E_PEER_GONE`). */
  | { readonly type: 'detach-session'; readonly session: SessionNumber }
  /** Receiver: an outside source reports that the connected sender is gone. `silence` follows soon unless the sender answers. */
  | { readonly type: 'probe-peer'; readonly session: SessionNumber }
  /** Ends a share that is reopened from its `admission`: its receivers reconnect (`E_PEER_GONE`). */
  | { readonly type: 'suspend-share'; readonly session: SessionNumber }
  /** Deletes the partial files of interrupted receives below `directory`, except `kept` ones. Answered by `partial-deleted`. */
  | {
      readonly type: 'delete-partial'
      readonly session: SessionNumber
      readonly directory: string
      readonly kept: readonly { readonly receiveId: string }[]
    }
