/**
 * The only table of what the window may ask of the main process. Arguments are decoded at run time
 * on the receiving side; types are inferred from the decoders.
 */
import * as z from 'zod'
import { chosenWordsSchema } from '#shared/code/chosen-words'
import { maxCodeTextLength } from '#shared/code/code-entry'
import type { JoinLink } from '#shared/code/join-link'
import { type AppError, appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { type FilePage, fileQuerySchema } from '#shared/files'
import { isSafeLink, maxLinkLength } from '#shared/format/text-links'
import { limits } from '#shared/limits'
import type { Forgotten, Listing, Preflight } from '#shared/offer'
import { err, ok, type Result } from '#shared/result'
import {
  patternsSchema,
  receiveOptionsSchema,
  selectionSchema,
} from '#shared/settings/receive-options'
import type { ServerCheck } from '#shared/settings/server-check'
import {
  decodeSettingsPatch,
  serverProfileSchema,
  type SettingsPatch,
} from '#shared/settings/settings'
import type { SettingsImport } from '#shared/settings/settings-copy'
import {
  codeChangeSchema,
  maxReceiversSchema,
  shareOptionsSchema,
} from '#shared/settings/share-options'
import type { PageShortcut } from '#shared/shortcuts'
import type { AppState, PeerId, ReceiveId, ShareId } from '#shared/state/app-state'
import { contactIdSchema, contactNameSchema } from '#shared/state/contacts'
import { historyIdSchema, type HistoryPage, historyQuerySchema } from '#shared/state/history'
import { checkParts, type Finding } from '#shared/state/network-check'
import { transferIdSchema } from '#shared/state/unfinished'
import type { News } from '#shared/update/news'
import { type WindowDraft, windowDraftSchema } from '#shared/window-draft'

export type Command<A, R> = {
  readonly decode: (raw: unknown) => Result<A, AppError>
  /** Carries the reply's type only. */
  readonly reply?: R
}

const command = <S extends z.ZodType>(schema: S) => ({
  returns: <R>(): Command<z.infer<S>, R> => ({
    decode: (raw) => {
      const parsed = schema.safeParse(raw)
      return parsed.success
        ? ok(parsed.data)
        : err(appError('E_BAD_ARGUMENT', z.prettifyError(parsed.error).slice(0, 500)))
    },
  }),
})

const nothing = z.undefined()
const path = z
  .string()
  .min(1)
  .max(limits.pathBytes)
  .refine((text) => !text.includes('\0'))
const paths = z.array(path).min(1).max(limits.pathsPerShare)
const shareId = z
  .string()
  .max(32)
  .transform((id) => id as ShareId)
const receiveId = z
  .string()
  .max(32)
  .transform((id) => id as ReceiveId)
const peerId = z
  .string()
  .min(1)
  .max(64)
  .transform((id) => id as PeerId)
const contact = contactIdSchema
const nameplate = z.string().max(8)
/** Decodes an `OtherSide`. */
const side = z.union([
  z.strictObject({ share: shareId, peer: peerId }),
  z.strictObject({ receive: receiveId }),
])
const kind = z.enum(['files', 'folder'])
const text = z.string().min(1).max(limits.textBytes)
const textName = z.string().max(limits.textNameBytes)
/** The first bytes of every PNG file. */
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const png = z
  .instanceof(Uint8Array)
  .refine(({ length }) => length <= limits.imageBytes, 'too large')
  .refine((bytes) => pngSignature.every((byte, index) => bytes[index] === byte), 'not a PNG')
const historyIds = z.array(historyIdSchema).max(limits.historyPage).readonly()
const bytesPerSecond = z.int().min(0)

/** The state and the number of the last event that it contains. */
export type Snapshot = { readonly seq: number; readonly state: AppState }

export const commands = {
  snapshot: command(nothing).returns<Snapshot>(),
  /** Paths of a real drop, taken from the dropped files by the preload. */
  share: command(
    z.strictObject({ paths, options: shareOptionsSchema.optional() }),
  ).returns<ShareId>(),
  /** Opens the system's picker; `null` when nothing was chosen. */
  pickAndShare: command(
    z.strictObject({ kind, options: shareOptionsSchema.optional() }),
  ).returns<ShareId | null>(),
  shareText: command(
    z.strictObject({ text, options: shareOptionsSchema.optional() }),
  ).returns<ShareId>(),
  /** An image that is no file, such as a pasted one; it becomes a file for as long as it is shared. */
  shareImage: command(
    z.strictObject({ png, options: shareOptionsSchema.optional() }),
  ).returns<ShareId>(),
  /** As `share`, into one that runs. */
  add: command(z.strictObject({ share: shareId, paths })).returns<null>(),
  pickAndAdd: command(z.strictObject({ share: shareId, kind })).returns<null>(),
  addText: command(z.strictObject({ share: shareId, text })).returns<null>(),
  /** Takes an item out of a share; what receivers have of it complete they keep. */
  removeItem: command(z.strictObject({ share: shareId, item: z.int().positive() })).returns<null>(),
  setMaxReceivers: command(
    z.strictObject({ share: shareId, count: maxReceiversSchema }),
  ).returns<null>(),
  /** Other rules for the code of a share, from now on. */
  changeCode: command(z.strictObject({ share: shareId, change: codeChangeSchema })).returns<null>(),
  /** Another code in place of the present one, with these words or drawn ones; who is connected stays. */
  renewCode: command(
    z.strictObject({ share: shareId, words: chosenWordsSchema.optional() }),
  ).returns<null>(),
  /** True when an item that a stopped share offered still exists. */
  canShareAgain: command(z.strictObject({ share: shareId })).returns<boolean>(),
  /** Shares again what a stopped share offered, as it did. */
  shareAgain: command(z.strictObject({ share: shareId })).returns<ShareId>(),
  /**
   * Ends or removes something in `undoMs`, or at once when another such request follows or the app ends. Replies then: true when it was
   * done, false after `undo`. Until then a transfer is paused. `removeHistory`: `null` for all; the files stay.
   */
  defer: command(
    z.union([
      z.strictObject({ stopShare: shareId }),
      z.strictObject({ cancelReceive: receiveId }),
      z.strictObject({ removeHistory: historyIdSchema.nullable() }),
    ]),
  ).returns<boolean>(),
  undo: command(nothing).returns<null>(),
  dropReceiver: command(z.strictObject({ share: shareId, peer: peerId })).returns<null>(),
  /** Lets in a receiver that asks to receive, or refuses it. */
  answerReceiver: command(
    z.strictObject({ share: shareId, peer: peerId, approved: z.boolean() }),
  ).returns<null>(),
  /** All receivers of a share, or one; pauses or resumes. */
  pauseShare: command(
    z.strictObject({ share: shareId, peer: peerId.nullable(), paused: z.boolean() }),
  ).returns<null>(),
  pauseReceive: command(
    z.strictObject({ receive: receiveId, paused: z.boolean() }),
  ).returns<null>(),
  /** Limits all transfers together for good, in bytes a second; 0: no limit. */
  setLimits: command(
    z.strictObject({ upload: bytesPerSecond, download: bytesPerSecond }),
  ).returns<null>(),
  /** Changes settings for good, but only resets those that are paths; `E_BAD_ARGUMENT` says which value is wrong, and why. */
  changeSettings: { decode: decodeSettingsPatch } as Command<SettingsPatch, null>,
  /** Tries a server that need not be saved; one at a time. */
  checkServer: command(serverProfileSchema).returns<ServerCheck>(),
  /** One part of a check of what this computer can reach; asked again while it runs, both get its findings. */
  checkNetwork: command(z.strictObject({ part: z.enum(checkParts) })).returns<readonly Finding[]>(),
  /** Opens the system's folder picker for `receiving.folder`; `null` when canceled. */
  pickReceivingFolder: command(nothing).returns<string | null>(),
  /**
   * Opens the system's save dialog for a copy of the settings without passwords; replies with the
   * file's name and the TURN servers that are not in it. Never replaces settings of a newer version.
   */
  exportSettings: command(nothing).returns<{
    readonly name: string
    readonly withheld: number
  } | null>(),
  /** Opens the system's picker for such a copy; replies with what importing it would change. */
  pickSettings: command(nothing).returns<SettingsPreview | null>(),
  /** Changes what the last `pickSettings` replied. */
  importSettings: command(nothing).returns<null>(),
  /** A person types a code that begins so: what can be done for it begins. Joins nothing, and may be repeated. */
  prepareJoin: command(
    z.strictObject({ nameplate: z.string().regex(/^[1-9][0-9]{3,5}$/) }),
  ).returns<null>(),
  /**
   * `code`: a code or a link. `resumes`: the unfinished receive to resume. `agreed`: the person was
   * asked about the link's server, after `E_SERVER_UNCONFIRMED`.
   */
  join: command(
    z.strictObject({
      code: z.string().min(1).max(maxCodeTextLength),
      resumes: transferIdSchema.optional(),
      agreed: z.literal(true).optional(),
    }),
  ).returns<ReceiveId>(),
  /** Resumes an unfinished receive without a code. */
  resume: command(z.strictObject({ transfer: transferIdSchema })).returns<ReceiveId>(),
  /**
   * What a join link that was opened says, once; `null` when there is none. `E_BAD_CODE`: it was
   * none of our links.
   */
  takeLink: command(nothing).returns<JoinLink | null>(),
  /** Lists a folder of the offer, or searches it; `''` is the top. */
  listOffer: command(
    z.strictObject({
      receive: receiveId,
      path: z.string().max(limits.pathBytes),
      query: z.string().max(limits.searchCharacters),
      offset: z.int().min(0),
      limit: z.int().min(1).max(limits.entriesShown),
    }),
  ).returns<Listing>(),
  /** What accepting into the folder of `accept` would mean. */
  preflight: command(
    z.strictObject({
      receive: receiveId,
      options: receiveOptionsSchema,
      selection: selectionSchema,
    }),
  ).returns<Preflight>(),
  /**
   * Accepts into the folder that `pickDirectory` chose for this receive, else into that of the
   * unfinished one that it resumes, else into Downloads.
   */
  accept: command(
    z.strictObject({
      receive: receiveId,
      options: receiveOptionsSchema.optional(),
      selection: selectionSchema.optional(),
    }),
  ).returns<null>(),
  /** During the transfer: these are (not) wanted after all. */
  select: command(
    z.strictObject({ receive: receiveId, patterns: patternsSchema, wanted: z.boolean() }),
  ).returns<null>(),
  /** During the transfer: of what is missing these come first. */
  prioritize: command(
    z.strictObject({ receive: receiveId, patterns: patternsSchema }),
  ).returns<null>(),
  /** A page of the files of a transfer that runs. */
  listFiles: command(z.strictObject({ side, query: fileQuerySchema })).returns<FilePage>(),
  /** Declines an offer; `defer` cancels a running receive. */
  cancel: command(z.strictObject({ receive: receiveId })).returns<null>(),
  /** Opens the system's folder picker; replies with the folder to show, `null` when canceled. */
  pickDirectory: command(z.strictObject({ receive: receiveId })).returns<string | null>(),
  /** Shows what a finished receive brought in the file manager: the one thing selected, or its folder. */
  showFolder: command(z.strictObject({ receive: receiveId })).returns<null>(),
  /** Opens the one file that a finished receive brought, if programs only show files of its kind. */
  viewReceived: command(z.strictObject({ receive: receiveId })).returns<null>(),
  /** While a person drags the result: takes the one thing that was received out of the window. */
  dragReceived: command(z.strictObject({ receive: receiveId })).returns<null>(),
  /** Forgets an unfinished receive and deletes what it left. */
  forget: command(z.strictObject({ transfer: transferIdSchema })).returns<Forgotten>(),
  /** What was transferred, the newest first. */
  listHistory: command(historyQuerySchema).returns<HistoryPage>(),
  /** Which of these entries are no longer where they were received to. */
  missingHistory: command(z.strictObject({ ids: historyIds })).returns<readonly number[]>(),
  /** Shares again what an entry shared. */
  sendAgain: command(z.strictObject({ id: historyIdSchema })).returns<ShareId>(),
  /** Shows what an entry received in the file manager. It is never opened: it may be a program. */
  showHistory: command(z.strictObject({ id: historyIdSchema })).returns<null>(),
  /** Sends a share that runs to contacts, too. */
  invite: command(
    z.strictObject({
      share: shareId,
      contacts: z.array(contact).min(1).max(limits.contactsPerShare).readonly(),
    }),
  ).returns<null>(),
  /** Asks the other side of a transfer to become a contact, or accepts its request. */
  requestContact: command(z.strictObject({ side })).returns<null>(),
  renameContact: command(z.strictObject({ contact, name: contactNameSchema })).returns<null>(),
  removeContact: command(z.strictObject({ contact })).returns<null>(),
  /** Opens the system's folder picker; what comes from this contact goes there without asking. */
  pickAutoAccept: command(z.strictObject({ contact })).returns<string | null>(),
  stopAutoAccept: command(z.strictObject({ contact })).returns<null>(),
  /** Looks at what a contact offers. */
  acceptInvitation: command(z.strictObject({ contact, nameplate })).returns<ReceiveId>(),
  declineInvitation: command(z.strictObject({ contact, nameplate })).returns<null>(),
  /** Forgets a share or receive that has ended. */
  dismiss: command(z.strictObject({ id: z.string().max(32) })).returns<null>(),
  /** Puts the log of a share or receive into the clipboard. */
  copyLog: command(z.strictObject({ id: z.string().max(32) })).returns<null>(),
  /** Keeps what a person has begun in the window, for a page that is loaded again. */
  keepDraft: command(windowDraftSchema).returns<null>(),
  /** What `keepDraft` kept last. */
  draft: command(nothing).returns<WindowDraft | null>(),
  /** What happened outside the window that it shall show, once. */
  takeRequests: command(nothing).returns<readonly PageRequest[]>(),
  /** Shows a file of the app's own that can't be used in the file manager; one that the state names. */
  showStorage: command(z.strictObject({ file: path })).returns<null>(),
  /** Ends the app and starts it again, without the files and links of this start. */
  restart: command(nothing).returns<null>(),
  /** Looks for an update now; what follows is in the state. */
  checkForUpdate: command(nothing).returns<null>(),
  /** Ends the app, installs the update that is ready, and starts it again. */
  installUpdate: command(nothing).returns<null>(),
  /** What is new in the version that runs. */
  news: command(nothing).returns<News>(),
  /** Puts a report about this start's errors into the clipboard. */
  copyReport: command(nothing).returns<null>(),
  /** Whose work the product contains, with the texts of their licenses. */
  readNotices: command(nothing).returns<string>(),
  copyText: command(z.strictObject({ text: z.string().max(limits.textBytes) })).returns<null>(),
  /** Opens a link of a received text, as `partsOf` finds it, in the browser. */
  openLink: command(
    z.strictObject({ receive: receiveId, link: z.string().max(maxLinkLength).refine(isSafeLink) }),
  ).returns<null>(),
  /** Opens the system's save dialog for a received text; replies with where it is now, if anywhere. */
  saveText: command(z.strictObject({ receive: receiveId, text, name: textName })).returns<
    string | null
  >(),
} as const

type Commands = typeof commands
export type CommandName = keyof Commands
export type Args<K extends CommandName> = Commands[K] extends Command<infer A, infer _R> ? A : never
export type Reply<K extends CommandName> =
  Commands[K] extends Command<infer _A, infer R> ? Result<R, AppError> : never
/** A file of settings, and what importing it would do. */
export type SettingsPreview = Omit<SettingsImport, 'patch'> & { readonly name: string }

/**
 * What the main process asks of the page: to do what a key does, or to show a sheet, because it was chosen in a menu;
 * to open a card; or to say why something that was asked for outside the window did not happen.
 */
export type PageRequest =
  | { readonly act: PageShortcut }
  | { readonly open: ShareId | ReceiveId }
  | { readonly show: 'licenses' }
  | { readonly notice: AppError }
  /** The last run did not end by itself. */
  | { readonly crashed: true }
  /** It is the first start of this version after another one. */
  | { readonly updated: string }
/** The handler of each command, which answers at once or later. */
export type Handlers = {
  readonly [K in CommandName]: (arg: Args<K>) => Reply<K> | Promise<Reply<K>>
}

/**
 * What the preload puts on `window.thru`. `F` is the browser's `File`, unknown to this folder.
 * Paths never come from the page: the preload takes them from files that were really dropped.
 */
export type Api<F> = {
  readonly [K in Exclude<CommandName, 'share' | 'add'>]: (arg: Args<K>) => Promise<Reply<K>>
} & {
  readonly shareFiles: (
    files: readonly F[],
    options?: Args<'share'>['options'],
  ) => Promise<Reply<'share'>>
  /** False for what is no file of this computer, such as a pasted image: it can't be in `shareFiles`. */
  readonly hasPath: (file: F) => boolean
  readonly addFiles: (share: ShareId, files: readonly F[]) => Promise<Reply<'add'>>
  readonly onEvents: (listener: (batch: readonly NumberedEvent[]) => void) => () => void
  /** A join link was opened: `takeLink` has it. */
  readonly onLink: (listener: () => void) => () => void
  /** `takeRequests` has something. */
  readonly onRequest: (listener: () => void) => () => void
  readonly platform: string
  /** True when Chromium's sandbox holds this page. */
  readonly isSandboxed: boolean
}

/** Events rise by one; a listener drops those that its snapshot already contains. */
export type NumberedEvent = { readonly seq: number; readonly event: AppEvent }
