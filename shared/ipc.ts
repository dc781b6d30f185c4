/**
 * The only table of what the window may ask of the main process. Arguments are decoded at run time
 * on the receiving side; types are inferred from the decoders.
 */
import { z } from 'zod'
import type { AppState, ReceiveId, ShareId } from '#shared/app-state'
import { type AppError, appError } from '#shared/errors'
import type { AppEvent } from '#shared/events'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'

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
const shareId = z
  .string()
  .max(32)
  .transform((id) => id as ShareId)
const receiveId = z
  .string()
  .max(32)
  .transform((id) => id as ReceiveId)

/** The state and the number of the last event that it contains. */
export type Snapshot = { readonly seq: number; readonly state: AppState }

export const commands = {
  snapshot: command(nothing).returns<Snapshot>(),
  /** Paths of a real drop, taken from the dropped files by the preload. */
  share: command(
    z.object({ paths: z.array(path).min(1).max(limits.pathsPerShare) }),
  ).returns<ShareId>(),
  /** Opens the system's picker; `null` when nothing was chosen. */
  pickAndShare: command(z.object({ kind: z.enum(['files', 'folder']) })).returns<ShareId | null>(),
  stopShare: command(z.object({ share: shareId })).returns<null>(),
  dropReceiver: command(
    z.object({ share: shareId, peer: z.string().min(1).max(64) }),
  ).returns<null>(),
  join: command(z.object({ code: z.string().min(1).max(200) })).returns<ReceiveId>(),
  /** Accepts into the folder that `pickDirectory` chose for this receive, else into Downloads. */
  accept: command(z.object({ receive: receiveId })).returns<null>(),
  /** Declines an offer or cancels a running receive. */
  cancel: command(z.object({ receive: receiveId })).returns<null>(),
  /** Opens the system's folder picker; replies with the folder to show, `null` when cancelled. */
  pickDirectory: command(z.object({ receive: receiveId })).returns<string | null>(),
  /** Shows a finished receive's folder in the file manager. */
  showFolder: command(z.object({ receive: receiveId })).returns<null>(),
  /** Forgets a share or receive that has ended. */
  dismiss: command(z.object({ id: z.string().max(32) })).returns<null>(),
  copyText: command(z.object({ text: z.string().max(4096) })).returns<null>(),
} as const

type Commands = typeof commands
export type CommandName = keyof Commands
export type Args<K extends CommandName> = Commands[K] extends Command<infer A, infer _R> ? A : never
export type Reply<K extends CommandName> =
  Commands[K] extends Command<infer _A, infer R> ? Result<R, AppError> : never
export type Handlers = { readonly [K in CommandName]: (arg: Args<K>) => Promise<Reply<K>> }

/**
 * What the preload puts on `window.thru`. `F` is the browser's `File`, unknown to this folder.
 * Paths never come from the page: the preload takes them from files that were really dropped.
 */
export type Api<F> = Omit<Handlers, 'share'> & {
  readonly shareFiles: (files: readonly F[]) => Promise<Reply<'share'>>
  readonly onEvents: (listener: (batch: readonly NumberedEvent[]) => void) => () => void
  readonly platform: string
}

/** Events rise by one; a listener drops those that its snapshot already contains. */
export type NumberedEvent = { readonly seq: number; readonly event: AppEvent }
