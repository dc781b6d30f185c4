/** `thru history`: past transfers of the app and of this command, which share one file. */
import { HistoryStore } from '#client/history/history-store'
import { stateDirectory } from '#client/state/state-directory'
import { type AppError, appError } from '#shared/errors'
import { formatBytes, formatDuration, formatRate } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { contentLabel, endNotes, hasNoFiles, isNothingNew, receivedOf } from '#shared/labels'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import { type HistoryEntry, historyIdSchema, historyQuerySchema } from '#shared/state/history'
import type { StorageError } from '#shared/state/storage-error'
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes'
import { reportTo } from '../options/storage-error'
import { readOrWarn, settingsFile } from '../options/stored-settings'
import { jsonText } from '../report/json-reporter'
import type { Reporter } from '../report/reporter'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

export type HistoryCall =
  | { readonly kind: 'list' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'remove'; readonly id: string }

/** Options of `history` and its subcommands. */
export type HistoryOptions = {
  readonly json?: boolean
  readonly search?: string
  readonly limit?: string
  readonly yes?: boolean
}

/** Entries that a list shows without `--limit`. */
const usualEntries = 20

/** Runs `thru history`: entries go to standard output, newest first, and a change prints nothing. */
export async function history(
  call: HistoryCall,
  options: HistoryOptions,
  reporter: Reporter,
  terminal: Terminal,
  directory: string = stateDirectory(),
): Promise<ExitCode> {
  const errors = new Set<StorageError['kind']>()
  const onError = (error: StorageError): void => {
    errors.add(error.kind)
    reportTo(reporter)(error)
  }
  const store = new HistoryStore({ directory, onError })
  const answered = await answer(call, options, store, terminal)
  // A damaged file has been set aside and replaced by an empty one.
  errors.delete('damaged')
  const isUsable = errors.size === 0
  if (!answered.ok && isUsable) reporter.fail(answered.error)
  reporter.end()
  if (!isUsable) return exitCodes.disk
  return answered.ok ? answered.value : exitCodeOf(answered.error)
}

function answer(
  call: HistoryCall,
  options: HistoryOptions,
  store: HistoryStore,
  terminal: Terminal,
): Promise<Result<ExitCode, AppError>> {
  switch (call.kind) {
    case 'list':
      return list(options, store, terminal)
    case 'clear':
      return clear(options, store, terminal)
    default:
      return remove(call.id, store)
  }
}

async function list(
  { json, search = '', limit }: HistoryOptions,
  store: HistoryStore,
  terminal: Terminal,
): Promise<Result<ExitCode, AppError>> {
  const most = Number(limit ?? usualEntries)
  if (!Number.isInteger(most) || most < 1 || most > limits.historyKept) {
    return err(
      appError('E_BAD_ARGUMENT', text.argument.historyLimit(limits.historyKept), '--limit'),
    )
  }
  const asked = { text: search, filter: 'all', offset: 0, limit: 1 } as const
  if (!historyQuerySchema.safeParse(asked).success) {
    return err(appError('E_BAD_ARGUMENT', text.argument.historySearch, '--search'))
  }
  const line = json === true ? jsonOf : entryText
  for (let shown = 0, total = 1; shown < Math.min(total, most);) {
    const page = Math.min(limits.historyPage, most - shown)
    const found = await store.list({ ...asked, offset: shown, limit: page })
    for (const entry of found.entries) terminal.out(line(entry))
    total = found.total
    shown += page
    if (json !== true && shown >= Math.min(total, most)) noteRest(total, most, search, terminal)
  }
  return ok(exitCodes.complete)
}

/** Notes why there are no entries, or how to see the rest. */
function noteRest(total: number, most: number, search: string, terminal: Terminal): void {
  if (total > most) terminal.note(text.history.more(total - most))
  if (total > 0) return
  const { settings } = readOrWarn(settingsFile(), terminal)
  if (search !== '') terminal.note(text.history.nothingFound)
  else terminal.note(settings.general.keepHistory ? text.history.none : text.history.off)
}

async function clear(
  { json, yes }: HistoryOptions,
  store: HistoryStore,
  terminal: Terminal,
): Promise<Result<ExitCode, AppError>> {
  if (yes !== true) {
    if (json === true || !terminal.canAsk) {
      return err(appError('E_BAD_ARGUMENT', text.argument.cannotAskClear, '--yes'))
    }
    const { total } = await store.list({ text: '', filter: 'all', offset: 0, limit: 1 })
    const never = new AbortController().signal
    if (!(await terminal.ask(text.prompt.clearHistory(total), never))) {
      return ok(exitCodes.declined)
    }
  }
  await store.remove(null)
  return ok(exitCodes.complete)
}

async function remove(id: string, store: HistoryStore): Promise<Result<ExitCode, AppError>> {
  const number = historyIdSchema.safeParse(Number(/^\d{1,15}$/.test(id) ? id : NaN))
  const entry = number.success ? await store.find(number.data) : null
  if (entry === null) {
    return err(appError('E_BAD_ARGUMENT', text.argument.notInHistory(visibleText(id)), id))
  }
  await store.remove(entry.id)
  return ok(exitCodes.complete)
}

const jsonOf = (entry: HistoryEntry): string => jsonText({ type: 'history', ...entry })

/** `12  Received photos from Mina · 38 files · 61.9 GB · verified · 9 min · /home/sora/in · 2026-03-01 14:05 UTC`. */
function entryText(entry: HistoryEntry): string {
  const { id, direction, title, outcome, durationMs, rate } = entry
  const words = text.history
  const person = entry.person === '' ? words.nobody : entry.person
  const when = new Date(entry.endedAtMs).toISOString().slice(0, 16).replace('T', ' ')
  const { files, bytes } = receivedOf(entry)
  // Texts, and streams from standard input, have no path.
  const hasFiles = files > 0 && (entry.folder !== null || entry.paths.length > 0)
  const isNew = outcome !== 'done' || entry.problemCount > 0 || !isNothingNew(entry)
  return [
    `${id}  ${words[direction](title, person)}`,
    ...(isNew && hasFiles ? [contentLabel(files, entry.texts)] : []),
    ...(isNew ? [formatBytes(bytes)] : []),
    ...endWords(entry),
    ...endNotes(entry, direction === 'sent' ? 'sender' : 'receiver'),
    ...(isNew ? [formatDuration(Math.max(1000, durationMs))] : []),
    ...(rate === 0 ? [] : [formatRate(rate)]),
    ...(entry.folder === null ? [] : [entry.folder]),
    `${when} UTC`,
  ].join(text.separator)
}

/** Received files are verified; each of the others is a problem. */
function endWords(entry: HistoryEntry): readonly string[] {
  const { outcome, problemCount } = entry
  const words = text.history
  if (outcome !== 'done') {
    return [words.outcome[outcome], ...(problemCount === 0 ? [] : [words.problems(problemCount)])]
  }
  if (problemCount > 0) return [words.withProblems(problemCount)]
  if (hasNoFiles(entry)) return [words.withoutFiles]
  return [isNothingNew(entry) ? words.nothingNew : words.verified]
}
