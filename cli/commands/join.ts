import { tmpdir } from 'node:os'
import { isatty } from 'node:tty'
import type { Client } from '#client/client'
import { ResumableReceiveFile } from '#client/state/resumable-receive-file'
import { stateDirectory } from '#client/state/state-directory'
import { type JoinLink, makeJoinLink } from '#shared/code/join-link'
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import { defaultSettings, type Settings } from '#shared/settings/settings'
import type { Receive, ReceiveId, TransferId } from '#shared/state/app-state'
import { type NetworkOptions, withClient } from '../compose-client'
import {
  type ExitCode,
  exitCodeOf,
  exitCodeOfSignal,
  exitCodeOfStopped,
  exitCodes,
} from '../exit-codes'
import {
  applyLimits,
  type LimitFlags,
  outputName,
  type PairingFlags,
  readLimits,
  type ReadPlan,
  readPlan,
  readWait,
  type ReceiveFlags,
} from '../options/flags'
import { ConnectionTiming } from '../report/connection-timing'
import { resumeHintLines } from '../report/resume-hint'
import type { StopSignal } from '../terminal/stop-signal'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import type { CommandContext } from './command-context'
import { type ContactOptions, contactRequestAnswered, requestContacts } from './contact-requests'
import { obeyKeys } from './pause-keys'
import { receive } from './receive'
import { type TakeCode, tryCodes } from './take-code'
import { checkTarget } from './target-check'

/** Options of both `join` and `resume`. */
export type AcceptOptions = NetworkOptions &
  PairingFlags &
  LimitFlags &
  ContactOptions & {
    readonly yes?: boolean
  }

/** The options of `thru join`. */
export type JoinOptions = AcceptOptions & ReceiveFlags

/** The plan of one receive, and its code or unfinished transfer. */
export type JoinRequest = ReadPlan & {
  /** `null` to reconnect without a code. */
  readonly code: JoinLink | null
  /** The unfinished receive to resume. */
  readonly resumes?: TransferId
  readonly dryRun?: boolean
  /** See `JoinTarget`. */
  readonly waitMs?: number
}

/** Runs `thru join`: receives into `folder` or `--out`, after asking unless `--yes` was given. */
export async function join(
  takeCode: TakeCode,
  folder: string | undefined,
  options: JoinOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { reporter, terminal } = context
  const plan = planIn(folder, options)
  const wait = readWait(options)
  const refusal = plan.ok
    ? checkOptions({ ...plan.value, dryRun: options.dryRun === true }, options, terminal)
    : plan.error
  if (!plan.ok || !wait.ok || refusal !== null) {
    const error = refusal ?? (wait.ok ? appError('E_INTERNAL') : wait.error)
    reporter.fail(error)
    return exitCodeOf(error)
  }
  const request = { ...plan.value, waitMs: wait.value, dryRun: options.dryRun === true }
  return tryCodes(takeCode, context, (code) => run({ code, ...request }, options, context))
}

/** True if data goes to standard output, where nothing else may be written. */
export const writesToOutput = (folder: string | undefined, { out }: JoinOptions): boolean =>
  folder === outputName || (folder === undefined && out === outputName)

function planIn(folder: string | undefined, options: JoinOptions): Result<ReadPlan, AppError> {
  if (writesToOutput(folder, options)) {
    // The sender chooses the bytes, and a terminal obeys control sequences.
    if (isatty(1)) return err(appError('E_BAD_ARGUMENT', text.argument.terminalOutput, outputName))
    if (options.rename !== undefined) {
      return err(appError('E_BAD_ARGUMENT', text.argument.rename.toOutput, '--rename'))
    }
    const read = readPlan({ ...options, out: tmpdir() }, options.settings?.receiving)
    return read.ok ? ok({ ...read.value, plan: { ...read.value.plan, toOutput: true } }) : read
  }
  if (folder === undefined) return readPlan(options, options.settings?.receiving)
  return options.out === undefined
    ? readPlan({ ...options, out: folder }, options.settings?.receiving)
    : err(appError('E_BAD_ARGUMENT', text.argument.twoFolders, '--out'))
}

/** Receives one offer from beginning to end. */
export async function run(
  request: JoinRequest,
  options: AcceptOptions,
  { reporter, terminal, stopped }: CommandContext,
): Promise<ExitCode> {
  const early =
    checkOptions(request, options, terminal) ??
    (request.plan.toOutput === true
      ? null
      : await Promise.race([stopped, checkTarget(request.plan.directory)]))
  if (typeof early === 'string') return exitCodeOfSignal(early)
  if (early !== null) {
    reporter.fail(early)
    return exitCodeOf(early)
  }
  let last: Receive | undefined
  const { toOutput, options: chosen } = request.plan
  const isKept = toOutput !== true && request.dryRun !== true && chosen?.conflict !== 'update'
  const used = withReceiving(options, {
    // Others may have the data already.
    ...(!isKept && { prefetch: false }),
    ...(chosen?.keepAttributes === true && { keepAttributes: true }),
  })
  const exitCode = await withClient(used, reporter, async (client) => {
    const error = applyLimits(client, options)
    if (error !== null) return err(error)
    const answered = await requestContacts(client, options, terminal)
    const timing = new ConnectionTiming()
    client.subscribe((batch) => {
      for (const { event } of batch) timing.record(event)
    })
    const joined = await begin(client, request, options, terminal, stopped)
    if (!joined.ok) return joined
    if (typeof joined.value !== 'string') return ok(joined.value.exitCode)
    const id = joined.value
    const yes = options.yes === true
    const confirmed = {
      ...request,
      yes,
      quiet: yes && (options.json === true || options.quiet === true),
    }
    const work = receive(client, id, confirmed, reporter, terminal).then(async (result) => {
      await contactRequestAnswered(client, id)
      await answered()
      return result
    })
    const stopKeys = joinKeys(client, id, options, terminal)
    const result = await Promise.race([stopped, work])
    stopKeys()
    if (options.verbose === true) reporter.timing(timing.steps())
    last = client.snapshot().state.receives.find((one) => one.id === id)
    const isUnwatched = last?.phase === 'done' && last.followable !== true
    if (chosen?.follow === true && isUnwatched) terminal.note(text.receive.notWatched)
    if (typeof result !== 'string') return result
    client.receives.get(id)?.cancel()
    return ok(last === undefined ? exitCodeOfSignal(result) : exitCodeOfStopped(last, result))
  })
  if (options.json !== true && last !== undefined) printResumeHint(last, terminal)
  return exitCode
}

/** The client has no plan yet when it asks for an offer. */
function withReceiving(
  options: AcceptOptions,
  changes: Partial<Settings['receiving']>,
): AcceptOptions {
  const { settings = defaultSettings } = options
  return { ...options, settings: { ...settings, receiving: { ...settings.receiving, ...changes } } }
}

/** Keys that pause and resume `receive` once it is accepted. */
function joinKeys(
  client: Client,
  receive: ReceiveId,
  { json, quiet }: AcceptOptions,
  terminal: Terminal,
): () => void {
  if (json === true) return () => undefined
  const find = () => client.snapshot().state.receives.find(({ id }) => id === receive)
  let end = (): void => undefined
  const unsubscribe = client.subscribe((batch) => {
    if (!batch.some(({ event }) => event.type === 'receive-accepted')) return
    unsubscribe()
    end = obeyKeys(terminal, quiet === true, {
      isPaused: () => find()?.flow.kind === 'paused',
      pause: (paused) => void client.receives.get(receive)?.pause(paused),
      stop: () => void process.kill(process.pid, 'SIGINT'),
    })
  })
  return () => {
    unsubscribe()
    end()
  }
}

function printResumeHint({ transfer, error }: Receive, terminal: Terminal): void {
  const remembered = new ResumableReceiveFile(stateDirectory()).read()
  for (const line of resumeHintLines(remembered, transfer, error?.code ?? null)) terminal.note(line)
}

/** Returns the receive, or the error if the person refuses the server of a link. */
async function begin(
  client: Client,
  { code, resumes, waitMs }: JoinRequest,
  options: AcceptOptions,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<Result<ReceiveId | { readonly exitCode: ExitCode }, AppError>> {
  if (code === null) {
    return resumes === undefined
      ? err(appError('E_BAD_ARGUMENT', text.argument.codeMissing))
      : client.resume(resumes)
  }
  const join = (agreed: boolean) => client.join(makeJoinLink(code), resumes, agreed, waitMs)
  const joined = join(false)
  if (joined.ok || joined.error.code !== 'E_SERVER_UNCONFIRMED') return joined
  const answer = await Promise.race([stopped, agreed(joined.error, options, terminal)])
  if (typeof answer === 'string') return ok({ exitCode: exitCodeOfSignal(answer) })
  return answer ? join(true) : ok({ exitCode: exitCodes.declined })
}

/** True if the server of a link may be used, by `--yes` or a person's answer. */
async function agreed(
  { subject = '', detail }: AppError,
  { yes }: AcceptOptions,
  terminal: Terminal,
): Promise<boolean> {
  return yes === true || mayUse({ subject, detail }, terminal)
}

/** True if a person agrees to the server of a link, which an `E_SERVER_UNCONFIRMED` names. */
export const mayUse = (
  { subject = '', detail }: Pick<AppError, 'subject' | 'detail'>,
  terminal: Terminal,
): Promise<boolean> =>
  terminal.ask(
    text.prompt.newServer(visibleText(subject), detail === 'public'),
    new AbortController().signal,
  )

/** Refuses contradictory options, and questions that can't be asked here, before anything starts. */
function checkOptions(
  { asksConflict, dryRun }: ReadPlan & Pick<JoinRequest, 'dryRun'>,
  options: AcceptOptions,
  { canAsk }: Terminal,
): AppError | null {
  const limits = readLimits(options)
  if (!limits.ok) return limits.error
  if (canAsk || dryRun === true) return null
  if (asksConflict) {
    return appError('E_BAD_ARGUMENT', text.argument.cannotAskConflict, '--conflict')
  }
  return options.yes === true ? null : appError('E_BAD_ARGUMENT', text.argument.cannotAsk, '--yes')
}
