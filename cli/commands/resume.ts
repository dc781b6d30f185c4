import { ResumableReceiveFile } from '#client/state/resumable-receive-file'
import { stateDirectory } from '#client/state/state-directory'
import type { JoinLink } from '#shared/code/join-link'
import { type AppError, appError } from '#shared/errors'
import { formatBytesOf } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import type { ResumableReceive } from '#shared/state/app-state'
import { type ResumableReceiveRecord, withoutSecret } from '#shared/state/resumable-receive-record'
import { atThisComputer, type NetworkOptions, withClient } from '../compose-client'
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes'
import { reportTo } from '../options/storage-error'
import { jsonText } from '../report/json-reporter'
import type { Reporter } from '../report/reporter'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import type { CommandContext } from './command-context'
import { type AcceptOptions, run } from './join'
import { type TakeCode, tryCodes } from './take-code'

/** The options of `thru resume`. */
export type ResumeOptions = AcceptOptions & { readonly delete?: string }

/**
 * Runs `thru resume`: lists the unfinished receives, resumes one, or deletes its partial files.
 * Numbers are those of the list, newest first.
 */
export async function resume(
  number: string | undefined,
  code: { readonly isGiven: boolean; readonly take: TakeCode },
  options: ResumeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { reporter, terminal } = context
  const remembered = new ResumableReceiveFile(stateDirectory(), reportTo(reporter)).read()
  if (options.delete === undefined && number === undefined) {
    for (const line of listLines(remembered.map(withoutSecret), options)) terminal.out(line)
    const hasSome = remembered.length > 0 && options.json !== true
    if (hasSome) terminal.note(text.receive.unfinished.howTo)
    return exitCodes.complete
  }
  const entry = entryOf(remembered, options.delete ?? number ?? '')
  const refusal = entry.ok ? checkOptions(number, options) : entry.error
  if (!entry.ok || refusal !== null) {
    const error = refusal ?? appError('E_INTERNAL')
    reporter.fail(error)
    return exitCodeOf(error)
  }
  if (options.delete !== undefined) return deletePartial(entry.value, options, reporter, terminal)
  const { transfer, directory, options: chosen, selection, changes, resumeKey } = entry.value
  const plan = { directory, options: chosen, selection, changes }
  const { ownName } = entry.value
  const named = { ...(ownName === undefined ? {} : { name: ownName }), ...options }
  const begin = (code: JoinLink | null, more: Partial<ResumeOptions>): Promise<ExitCode> => {
    const request = { code, plan, asksConflict: false, resumes: transfer }
    return run(request, { ...named, ...more }, context)
  }
  // If the sender still shares, the resume key that it gave is enough.
  if (resumeKey === null || code.isGiven) {
    return tryCodes(code.take, context, (given) => begin(given, {}))
  }
  const { server } = resumeKey
  const { settings } = atThisComputer(options)
  const place = server === null ? { settings } : { serverUrl: server }
  const where = options.serverUrl === undefined ? place : {}
  const exitCode = await begin(null, where)
  if (exitCode === exitCodes.code) terminal.note(text.receive.unfinished.needsCode(number ?? ''))
  return exitCode
}

const checkOptions = (
  number: string | undefined,
  { delete: deleted }: ResumeOptions,
): AppError | null =>
  deleted === undefined || number === undefined
    ? null
    : appError('E_BAD_ARGUMENT', text.argument.deleteTakesNumber, '--delete')

function entryOf(
  unfinished: readonly ResumableReceiveRecord[],
  number: string,
): Result<ResumableReceiveRecord, AppError> {
  const entry = /^\d{1,4}$/.test(number) ? unfinished[Number(number) - 1] : undefined
  return entry === undefined
    ? err(appError('E_BAD_ARGUMENT', text.argument.notInList(visibleText(number)), number))
    : ok(entry)
}

const deletePartial = (
  { transfer }: ResumableReceiveRecord,
  options: NetworkOptions,
  reporter: Reporter,
  terminal: Terminal,
): Promise<ExitCode> =>
  withClient(options, reporter, async (client) => {
    const deleted = await client.deletePartial(transfer)
    if (!deleted.ok) return deleted
    const { files, bytes } = deleted.value
    terminal.out(
      options.json === true
        ? jsonText({ type: 'partial-deleted', files, bytes })
        : text.receive.unfinished.deleted(files, bytes),
    )
    return ok(exitCodes.complete)
  })

/** One line per receive; with `--json`, one object. */
function listLines(
  unfinished: readonly ResumableReceive[],
  { json }: NetworkOptions,
): readonly string[] {
  if (json === true) {
    return unfinished.map((entry, index) =>
      jsonText({ type: 'unfinished', number: index + 1, ...entry }),
    )
  }
  return unfinished.length === 0 ? [text.receive.unfinished.none] : unfinished.map(entryText)
}

/** `1  photos from Mina · 38.4 of 61.9 GB · /home/sora/in · 2026-03-01 14:05`. */
const entryText = (entry: ResumableReceive, index: number): string => {
  const { title, from, bytes, totalBytes, directory, lastSeenMs } = entry
  const when = new Date(lastSeenMs).toISOString().slice(0, 16).replace('T', ' ')
  const amount = formatBytesOf(bytes, totalBytes)
  const number = index + 1
  return text.receive.unfinished.entry({ number, title, from, amount, folder: directory, when })
}
