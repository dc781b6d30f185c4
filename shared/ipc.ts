/**
 * The only table of requests from the window to the main process. The receiving side decodes arguments at run time;
 * types are inferred from the decoders.
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
import type { DeletedPartial, Listing, Preflight } from '#shared/offer'
import { err, ok, type Result } from '#shared/result'
import {
  patternsSchema,
  receiveOptionsSchema,
  renamesSchema,
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
import { contactIdSchema, contactNameSchema, groupsSchema } from '#shared/state/contacts'
import { historyIdSchema, type HistoryPage, historyQuerySchema } from '#shared/state/history'
import {
  nearbyIdSchema,
  nearbyQuestionIdSchema,
  recipientSchema as recipient,
} from '#shared/state/nearby'
import { checkParts, type Finding } from '#shared/state/network-check'
import { transferIdSchema } from '#shared/state/resumable-receive-record'
import type { News } from '#shared/update/news'
import { type WindowDraft, windowDraftSchema } from '#shared/window-draft'

export type Command<A, R> = {
  readonly decode: (raw: unknown) => Result<A, AppError>
  /** Carries only the reply's type. */
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
  /** The preload takes the paths of a real drop from the dropped files. With `to` they are sent without a code. */
  share: command(
    z.strictObject({ paths, options: shareOptionsSchema.optional(), to: recipient.optional() }),
  ).returns<ShareId>(),
  /** Opens the system's picker; `null` when nothing was chosen. */
  pickAndShare: command(
    z.strictObject({ kind, options: shareOptionsSchema.optional(), to: recipient.optional() }),
  ).returns<ShareId | null>(),
  shareText: command(
    z.strictObject({ text, options: shareOptionsSchema.optional() }),
  ).returns<ShareId>(),
  /** Shares an image without a file, such as a pasted one; it is stored as a file while it is shared. */
  shareImage: command(
    z.strictObject({ png, options: shareOptionsSchema.optional() }),
  ).returns<ShareId>(),
  /** The same as `share`, for a running share. */
  add: command(z.strictObject({ share: shareId, paths })).returns<null>(),
  pickAndAdd: command(z.strictObject({ share: shareId, kind })).returns<null>(),
  addText: command(z.strictObject({ share: shareId, text })).returns<null>(),
  /** Removes an item from a share; receivers keep its complete files. */
  removeItem: command(z.strictObject({ share: shareId, item: z.int().positive() })).returns<null>(),
  setMaxReceivers: command(
    z.strictObject({ share: shareId, count: maxReceiversSchema }),
  ).returns<null>(),
  /** Reports changes of a share's items to receivers that follow, or no longer. */
  watchShare: command(z.strictObject({ share: shareId, watch: z.boolean() })).returns<null>(),
  changeCode: command(z.strictObject({ share: shareId, change: codeChangeSchema })).returns<null>(),
  /** Replaces the code by one with these words or random ones; receivers stay connected. */
  renewCode: command(
    z.strictObject({ share: shareId, words: chosenWordsSchema.optional() }),
  ).returns<null>(),
  /** Asks for files: makes a code under which people send. */
  request: command(nothing).returns<ShareId>(),
  /** Opens the system's picker, and sends the choice to a request; `null` when nothing was chosen. `code`: as in `join`. */
  pickAndAnswer: command(
    z.strictObject({ kind, code: z.string().min(1).max(maxCodeTextLength) }),
  ).returns<ShareId | null>(),
  /** True when an item that a stopped share offered still exists. */
  canShareAgain: command(z.strictObject({ share: shareId })).returns<boolean>(),
  /** Shares the items of a stopped share again, with the same options. */
  shareAgain: command(z.strictObject({ share: shareId })).returns<ShareId>(),
  /**
   * Ends or removes something after `undoMs`, or immediately if another such request follows or the app quits. Replies
   * at that time: true when done, false after `undo`. A transfer is paused meanwhile. `removeHistory`: `null` for all
   * entries; files stay.
   */
  defer: command(
    z.union([
      z.strictObject({ stopShare: shareId }),
      z.strictObject({ cancelReceive: receiveId }),
      z.strictObject({ removeHistory: historyIdSchema.nullable() }),
      z.strictObject({ dismiss: z.array(z.string().max(32)).max(2 * limits.transfersShown) }),
    ]),
  ).returns<boolean>(),
  undo: command(nothing).returns<null>(),
  disconnectReceiver: command(z.strictObject({ share: shareId, peer: peerId })).returns<null>(),
  /** Lets in a receiver that asks to receive, or refuses it. */
  approveReceiver: command(
    z.strictObject({ share: shareId, peer: peerId, approved: z.boolean() }),
  ).returns<null>(),
  /** Pauses or resumes one receiver of a share, or all of them. */
  pauseShare: command(
    z.strictObject({ share: shareId, peer: peerId.nullable(), paused: z.boolean() }),
  ).returns<null>(),
  pauseReceive: command(
    z.strictObject({ receive: receiveId, paused: z.boolean() }),
  ).returns<null>(),
  /** Sets permanent limits for all transfers together, in bytes a second; 0: no limit. */
  setLimits: command(
    z.strictObject({ upload: bytesPerSecond, download: bytesPerSecond }),
  ).returns<null>(),
  /** Changes settings permanently; paths can only be reset. `E_BAD_ARGUMENT` names the invalid value and the reason. */
  changeSettings: { decode: decodeSettingsPatch } as Command<SettingsPatch, null>,
  /** Tries a server, saved or not; one at a time. */
  checkServer: command(serverProfileSchema).returns<ServerCheck>(),
  /** Runs one part of the network check. Further requests during the run get the same findings. */
  checkNetwork: command(z.strictObject({ part: z.enum(checkParts) })).returns<readonly Finding[]>(),
  /** Opens the system's folder picker for `receiving.folder`; `null` when canceled. */
  pickReceivingFolder: command(nothing).returns<string | null>(),
  /**
   * Opens the system's save dialog for a copy of the settings without passwords. Replies with the file's name and the
   * number of TURN servers left out. Never replaces settings of a newer version.
   */
  exportSettings: command(nothing).returns<{
    readonly name: string
    readonly withheld: number
  } | null>(),
  /** Opens the system's picker for such a copy; replies with the changes that importing it would make. */
  pickSettings: command(nothing).returns<SettingsPreview | null>(),
  /** Makes the changes that the last `pickSettings` replied with. */
  importSettings: command(nothing).returns<null>(),
  /** Prepares for a code that a person is typing, by its nameplate. Joins nothing, and may be repeated. */
  prepareJoin: command(
    z.strictObject({ nameplate: z.string().regex(/^[1-9][0-9]{3,5}$/) }),
  ).returns<null>(),
  /**
   * `code`: a code or a link. `resumes`: the unfinished receive to resume. `agreed`: the person agreed to the link's
   * server, after `E_SERVER_UNCONFIRMED`.
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
  /** Takes the join link that was opened, once; `null` without one. `E_BAD_CODE`: it wasn't a link of ours. */
  takeLink: command(nothing).returns<JoinLink | null>(),
  /** Lists a folder of the offer, or searches it; `''` is the top. */
  listOffer: command(
    z.strictObject({
      receive: receiveId,
      path: z.string().max(limits.pathBytes),
      query: z.string().max(limits.searchCharacters),
      renames: renamesSchema.exactOptional(),
      offset: z.int().min(0),
      limit: z.int().min(1).max(limits.entriesShown),
    }),
  ).returns<Listing>(),
  /** Previews the result of accepting into the folder of `accept`. */
  preflight: command(
    z.strictObject({
      receive: receiveId,
      options: receiveOptionsSchema,
      selection: selectionSchema,
    }),
  ).returns<Preflight>(),
  /**
   * Accepts into the folder that `pickDirectory` chose for this receive, else into the one of the unfinished receive
   * that it resumes, else into Downloads.
   */
  accept: command(
    z.strictObject({
      receive: receiveId,
      options: receiveOptionsSchema.optional(),
      selection: selectionSchema.optional(),
    }),
  ).returns<null>(),
  /** Adds these to the selection during the transfer, or removes them. */
  select: command(
    z.strictObject({ receive: receiveId, patterns: patternsSchema, wanted: z.boolean() }),
  ).returns<null>(),
  /** Moves missing files to the front during the transfer. */
  prioritize: command(
    z.strictObject({ receive: receiveId, patterns: patternsSchema }),
  ).returns<null>(),
  listFiles: command(z.strictObject({ side, query: fileQuerySchema })).returns<FilePage>(),
  /** Declines an offer; `defer` cancels a running receive. */
  cancel: command(z.strictObject({ receive: receiveId })).returns<null>(),
  /** Opens the system's folder picker; replies with the folder to show, `null` when canceled. */
  pickDirectory: command(z.strictObject({ receive: receiveId })).returns<string | null>(),
  /** Shows the result of a finished receive in the file manager: the single item selected, or its folder. */
  showFolder: command(z.strictObject({ receive: receiveId })).returns<null>(),
  /** Opens the single file of a finished receive, if programs only display files of its kind. */
  viewReceived: command(z.strictObject({ receive: receiveId })).returns<null>(),
  /** Drags the single received item out of the window. */
  dragReceived: command(z.strictObject({ receive: receiveId })).returns<null>(),
  /** Forgets an unfinished receive and deletes its partial files. */
  deletePartial: command(z.strictObject({ transfer: transferIdSchema })).returns<DeletedPartial>(),
  /** Past transfers, newest first. */
  listHistory: command(historyQuerySchema).returns<HistoryPage>(),
  /** Returns the entries that no longer are where they were saved. */
  missingHistory: command(z.strictObject({ ids: historyIds })).returns<readonly number[]>(),
  /** Shares again what an entry shared. */
  sendAgain: command(z.strictObject({ id: historyIdSchema })).returns<ShareId>(),
  /** Shows the received files of an entry in the file manager. They are never opened: one may be a program. */
  showHistory: command(z.strictObject({ id: historyIdSchema })).returns<null>(),
  /** Also sends a running share to contacts. */
  invite: command(
    z.strictObject({
      share: shareId,
      contacts: z.array(contact).min(1).max(limits.contactsPerShare).readonly(),
    }),
  ).returns<null>(),
  /** A person has compared the number of a call to a nearby computer: it is right, or the call ends. */
  compareNumber: command(
    z.strictObject({ share: shareId, computer: nearbyIdSchema, isRight: z.boolean() }),
  ).returns<null>(),
  /** Answers the question of a nearby computer that wants to send. */
  answerNearby: command(
    z.strictObject({ question: nearbyQuestionIdSchema, isAccepted: z.boolean() }),
  ).returns<null>(),
  /** Asks the other side of a transfer to become a contact, or accepts its request. */
  requestContact: command(z.strictObject({ side })).returns<null>(),
  renameContact: command(z.strictObject({ contact, name: contactNameSchema })).returns<null>(),
  /** Puts a contact into these groups alone. */
  setContactGroups: command(z.strictObject({ contact, groups: groupsSchema })).returns<null>(),
  removeContact: command(z.strictObject({ contact })).returns<null>(),
  /** Opens the system's folder picker; offers of this contact are then received into that folder without asking. */
  pickAutoAccept: command(z.strictObject({ contact })).returns<string | null>(),
  stopAutoAccept: command(z.strictObject({ contact })).returns<null>(),
  /** Opens a contact's offer. */
  acceptInvitation: command(z.strictObject({ contact, nameplate })).returns<ReceiveId>(),
  declineInvitation: command(z.strictObject({ contact, nameplate })).returns<null>(),
  /** Removes a share or receive that has ended from the list. */
  dismiss: command(z.strictObject({ id: z.string().max(32) })).returns<null>(),
  /** Copies the log of a share or receive to the clipboard. */
  copyLog: command(z.strictObject({ id: z.string().max(32) })).returns<null>(),
  /** Keeps unfinished input of the window across reloads of the page. */
  keepDraft: command(windowDraftSchema).returns<null>(),
  /** The latest draft from `keepDraft`. */
  draft: command(nothing).returns<WindowDraft | null>(),
  /** Takes the requests from outside the window, once. */
  takeRequests: command(nothing).returns<readonly PageRequest[]>(),
  /** Shows one of the app's own files that can't be used in the file manager; the state must name it. */
  showStorage: command(z.strictObject({ file: path })).returns<null>(),
  /** Restarts the app, without the files and links of this start. */
  restart: command(nothing).returns<null>(),
  /** Checks for an update now; the state shows the result. */
  checkForUpdate: command(nothing).returns<null>(),
  /** Quits the app, installs the update that is ready, and starts the app again. */
  installUpdate: command(nothing).returns<null>(),
  /** The release notes of the running version. */
  news: command(nothing).returns<News>(),
  /** Copies a report about this run's errors to the clipboard. */
  copyReport: command(nothing).returns<null>(),
  /** The authors of the product's components, with the texts of their licenses. */
  readNotices: command(nothing).returns<string>(),
  copyText: command(z.strictObject({ text: z.string().max(limits.textBytes) })).returns<null>(),
  /** Opens a link of a received text, as `partsOf` finds it, in the browser. */
  openLink: command(
    z.strictObject({ receive: receiveId, link: z.string().max(maxLinkLength).refine(isSafeLink) }),
  ).returns<null>(),
  /** Opens the system's save dialog for a received text; replies with its path, `null` when canceled. */
  saveText: command(z.strictObject({ receive: receiveId, text, name: textName })).returns<
    string | null
  >(),
} as const

type Commands = typeof commands
export type CommandName = keyof Commands
export type Args<K extends CommandName> = Commands[K] extends Command<infer A, infer _R> ? A : never
export type Reply<K extends CommandName> =
  Commands[K] extends Command<infer _A, infer R> ? Result<R, AppError> : never
/** A file of settings, and the effects of importing it. */
export type SettingsPreview = Omit<SettingsImport, 'patch'> & { readonly name: string }

/**
 * Requests of the main process to the page. They perform a key's action, show a sheet chosen in a menu, open a card,
 * or explain why a request from outside the window failed.
 */
export type PageRequest =
  | { readonly act: PageShortcut }
  | { readonly open: ShareId | ReceiveId }
  | { readonly show: 'licenses' }
  | { readonly notice: AppError }
  /** The last run ended unexpectedly. */
  | { readonly crashed: true }
  /** This is the first start of this version after another one. */
  | { readonly updated: string }
/** The handler of each command, which replies immediately or later. */
export type Handlers = {
  readonly [K in CommandName]: (arg: Args<K>) => Reply<K> | Promise<Reply<K>>
}

/**
 * The interface that the preload exposes as `window.thru`. `F` is the browser's `File`, unknown to this folder. Paths
 * never come from the page: the preload takes them from files that were really dropped.
 */
export type Api<F> = {
  readonly [K in Exclude<CommandName, 'share' | 'add'>]: (arg: Args<K>) => Promise<Reply<K>>
} & {
  readonly shareFiles: (
    files: readonly F[],
    options?: Args<'share'>['options'],
    to?: Args<'share'>['to'],
  ) => Promise<Reply<'share'>>
  /** False for data without a file on this computer, such as a pasted image; `shareFiles` can't take it. */
  readonly hasPath: (file: F) => boolean
  readonly addFiles: (share: ShareId, files: readonly F[]) => Promise<Reply<'add'>>
  readonly onEvents: (listener: (batch: readonly NumberedEvent[]) => void) => () => void
  /** A join link was opened; fetch it by `takeLink`. */
  readonly onLink: (listener: () => void) => () => void
  /** A request waits in `takeRequests`. */
  readonly onRequest: (listener: () => void) => () => void
  readonly platform: string
  /** True when Chromium's sandbox confines this page. */
  readonly isSandboxed: boolean
}

/** Events are numbered consecutively; a listener drops those that its snapshot already contains. */
export type NumberedEvent = { readonly seq: number; readonly event: AppEvent }
