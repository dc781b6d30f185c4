/** The commands of `native/index.d.ts`. */

import type { ErrorCode } from '#shared/errors'
import type {
  AdmissionRecord,
  ContactKey,
  EngineContact,
  FileQuery,
  IceServers,
  NameQuestion,
  OfferQuery,
  ReceiveOptions,
  ReceiveSecret,
  Selection,
  SessionNumber,
  SourceItem,
  UdpPort,
  Unasked,
} from './data'

/** What JavaScript asks of the engine. */
export type EngineCommand =
  /** Starts scanning `items` (absolute paths) and holds the share open. `code` follows when known. */
  | {
      readonly type: 'open-share'
      readonly session: SessionNumber
      readonly items: readonly SourceItem[]
      /** Left out, with what is in them: patterns as in `Selection`. */
      readonly exclude: readonly string[]
      /** Offer symbolic links that stay in their item as links. */
      readonly links: boolean
      /** What the .gitignore files in what is shared leave out is left out. */
      readonly ignoreFiles: boolean
      /** Receivers at the same time, 1 .. 1000; 0: none for now. */
      readonly maxReceivers: number
      /** After the first who came in nobody new does, until `set-max-receivers`. */
      readonly oneReceiver: boolean
      /** A person approves each receiver: nobody new is offered anything before `approve-peer`. */
      readonly approval: boolean
      /** Name shown to receivers, at most 64 bytes of UTF-8. */
      readonly name: string
      /** This installation's secret, 43 characters of base64url: receivers recognize the sender by what is derived from it. */
      readonly installation: string
      readonly ice: IceServers
      /** What the latest `admission` of an earlier program with this share said; `null` for a new one. */
      readonly restored: AdmissionRecord | null
      /** `files-changed` follows for each receiver; not unless given. */
      readonly watchFiles?: boolean
    }
  /** More items for a running share; they reach present and later receivers. */
  | {
      readonly type: 'add-items'
      readonly session: SessionNumber
      readonly items: readonly SourceItem[]
    }
  /** What the producer of a stream came to, which the stream waits for by `awaitsProducer`. */
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
   * The whole join code of a share; receivers can be added from now on. Pairing by
   * another code ends; wrong guesses stay counted.
   */
  | { readonly type: 'set-code'; readonly session: SessionNumber; readonly code: string }
  /**
   * A person wants another code, which `set-code` brings: the present one admits nobody, and wrong
   * guesses are counted anew, as far as the share has some left.
   */
  | { readonly type: 'give-up-code'; readonly session: SessionNumber }
  /**
   * The server introduced a receiver; `peer` is its id there, at most 64 bytes. Nothing happens when
   * that id is in use.
   */
  | { readonly type: 'add-peer'; readonly session: SessionNumber; readonly peer: string }
  /** Ends one receiver of a share and forgets its resume keys, unless `mayResume`. */
  | {
      readonly type: 'drop-peer'
      readonly session: SessionNumber
      readonly peer: string
      /** Not sent away by a person: it keeps its resume key. */
      readonly mayResume: boolean
    }
  /** The answer to `approval-wanted` of a share. Who is refused ends with `E_REFUSED`. */
  | {
      readonly type: 'approve-peer'
      readonly session: SessionNumber
      readonly peer: string
      readonly approved: boolean
    }
  /** Whether a person approves each receiver from now on; `false` lets those in that wait. */
  | { readonly type: 'set-approval'; readonly session: SessionNumber; readonly wanted: boolean }
  /** TURN servers for one peer, given by the signaling server once it was admitted. */
  | {
      readonly type: 'add-relays'
      readonly session: SessionNumber
      readonly peer: string
      readonly turn: IceServers['turn']
    }
  /** STUN servers for receivers that come from now on to a share, in place of those that it was opened with. */
  | {
      readonly type: 'set-stun'
      readonly session: SessionNumber
      readonly stun: IceServers['stun']
    }
  /** The answer to `port-opened`: what a router has mapped that port to, to be told to the other side; `null`: none has. */
  | {
      readonly type: 'add-mapping'
      readonly port: UdpPort
      readonly mapped: UdpPort | null
    }
  /** The answer to `name-asked`: the literal address behind that name; `null`: nobody said one. */
  | {
      readonly type: 'answer-name'
      readonly question: NameQuestion
      readonly address: string | null
    }
  /** Sets this installation's key and its contacts, at most 1,000; replaces those before. */
  | {
      readonly type: 'set-contacts'
      readonly own: ContactKey | null
      readonly contacts: readonly EngineContact[]
    }
  /** Asks the other side to become contacts; `contact-added` follows when both sides asked. */
  | { readonly type: 'request-contact'; readonly session: SessionNumber; readonly peer: string }
  /** Starts a receive: the engine makes the first message for `peer` at once. */
  | {
      readonly type: 'open-receive'
      readonly session: SessionNumber
      /** 32 hexadecimal digits, random: the same when a receive resumes after a lost connection. */
      readonly receiveId: string
      /** Four to six digits, public. */
      readonly nameplate: string
      readonly secret: ReceiveSecret
      /** Any name for the sender, used in events from it and commands for it. */
      readonly peer: string
      readonly name: string
      readonly ice: IceServers
      /** `files-changed` follows; not unless given. */
      readonly watchFiles?: boolean
      /** The session that tried the same words elsewhere: a sender that counted those counts them once. */
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
   * Receiver: lists a folder of the offer, folders first and numbers by value, or with a `query` all files in it whose
   * path contains that, answered by `listing`.
   */
  | ({ readonly type: 'list-offer'; readonly session: SessionNumber } & OfferQuery)
  /** Receiver: checks a folder before anything is accepted, answered by `preflight`. */
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
      /** `null` after a person reviewed the offer, which then may grow. */
      readonly unasked: Unasked | null
      /** Writes the only wanted file to standard output, in order, and nothing to `directory`; `E_BAD_ARGUMENT` when several are wanted. */
      readonly toOutput: boolean
    }
  /** Receiver: ends it before it was accepted; the sender hears `why`. `E_UNDECIDED` leaves the offer to a person, who may accept it another time. */
  | { readonly type: 'refuse'; readonly session: SessionNumber; readonly why: ErrorCode }
  /** Receiver, during the transfer: changes which files are wanted. */
  | {
      readonly type: 'change-selection'
      readonly session: SessionNumber
      readonly patterns: readonly string[]
      readonly wanted: boolean
    }
  /** A page of the files of a transfer that runs, in the manifest's order; answered by `files`. */
  | ({
      readonly type: 'list-files'
      readonly session: SessionNumber
      /** A share's receiver; empty for a receive. */
      readonly peer: string
      /** 0 .. 2^31-1; the answer has it. */
      readonly request: number
    } & Readonly<FileQuery>)
  /** Receiver, during the transfer: of what is missing these files come first. */
  | {
      readonly type: 'prioritize'
      readonly session: SessionNumber
      readonly patterns: readonly string[]
    }
  /** Pauses or resumes; `peer` empty: all receivers of a share. */
  | {
      readonly type: 'set-paused'
      readonly session: SessionNumber
      readonly peer: string
      readonly paused: boolean
    }
  /** Limits for all sessions together, in bytes of files a second; 0 for no limit. */
  | { readonly type: 'set-limits'; readonly upload: number; readonly download: number }
  /** Whether transfers take only what others leave of the network, also those that run. */
  | { readonly type: 'set-leave-room'; readonly leaves: boolean }
  /** Sizes in bytes for connections that begin from now on; 0 for what the engine chooses. */
  | {
      readonly type: 'set-transport'
      /** What a receiver takes on before the disk has it, 16 MiB to 1 GiB. */
      readonly connectionWindow: number
      /** Of each socket in each direction, 256 KiB to 256 MiB. */
      readonly socketBuffers: number
    }
  /** Where connections that begin from now on leave their qlogs, an absolute path; empty: nowhere. */
  | { readonly type: 'set-qlog'; readonly directory: string }
  /** Ends a session and forgets it: a share stops, a receive is declined or canceled. */
  | { readonly type: 'end-session'; readonly session: SessionNumber }
  /** Ends one session of a receive that goes on in another one: the sender keeps its place (`E_PEER_GONE`). */
  | { readonly type: 'leave-receive'; readonly session: SessionNumber }
  /** Receiver: somebody says that the connected sender is gone: `silence` follows soon unless it answers. */
  | { readonly type: 'suspect-sender'; readonly session: SessionNumber }
  /** Ends a share that is opened again as `admission` said: its receivers look for it (`E_PEER_GONE`). */
  | { readonly type: 'suspend-share'; readonly session: SessionNumber }
  /** Deletes what interrupted receives left below `directory`, answered by `forgotten`. */
  | { readonly type: 'forget-partial'; readonly session: SessionNumber; readonly directory: string }
