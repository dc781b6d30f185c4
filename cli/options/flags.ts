/** Interprets the options of the commands. Every error is `E_BAD_ARGUMENT` with the option. */
import type { Client } from '#client/client'
import type { NewPlan, NewRequest, NewShare } from '#client/session/requests'
import { readWords } from '#shared/code/chosen-words'
import { type AppError, appError } from '#shared/errors'
import { formatList } from '#shared/format/format'
import { parseDuration } from '#shared/format/parse-duration'
import { isBareRate, parseRate } from '#shared/format/parse-rate'
import { parseSize } from '#shared/format/parse-size'
import { visibleText } from '#shared/format/visible-text'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import {
  conflictPolicies,
  type ConflictPolicy,
  isPattern,
  patternsSchema,
} from '#shared/settings/receive-options'
import { defaultSettings } from '#shared/settings/settings'
import {
  receiveOptionsOf,
  requestOptionsOf,
  shareOptionsOf,
} from '#shared/settings/settings-defaults'
import type { SourceItem } from '#shared/settings/share-options'
import type { SpeedLimits } from '#shared/state/app-state'
import { text as words } from '../text'
import { checkRenames } from './renames'

/** Speed limits of `host`, `join`, `resume` and `listen`. */
export type LimitFlags = { readonly limitUp?: string; readonly limitDown?: string }

/** Verbosity and colors of a command. */
export type OutputFlags = {
  readonly verbose?: boolean
  readonly quiet?: boolean
  readonly color?: string
}

/** The servers in the value of `--server-url`, in order. */
export const serversIn = (serverUrl: string | undefined): readonly string[] =>
  serverUrl?.trim().split(/\s+/) ?? []

/** Options of `host`, `join` and `resume` about pairing. */
export type PairingFlags = { readonly safetyNumber?: boolean }

/** The argument for standard output in place of a folder. */
export const outputName = '-'

/** Options that reporters need. */
export type ReportFlags = PairingFlags &
  OutputFlags & {
    readonly toOutput?: boolean
    readonly dryRun?: boolean
    /** Answers contact requests without asking. */
    readonly keep?: boolean
  }

/** Options of `host` about the offer and its receivers. */
export type ShareFlags = {
  /** One entry per text; `-` reads standard input. */
  readonly text?: readonly string[]
  readonly exclude?: readonly string[]
  readonly gitignore?: boolean
  readonly followLinks?: boolean
  /** Offer extended attributes. */
  readonly attributes?: boolean
  readonly dryRun?: boolean
  /** Report changes of the items. */
  readonly watch?: boolean
  readonly once?: boolean
  readonly approve?: boolean
  /** False for `--no-browsers`. */
  readonly browsers?: boolean
  readonly expires?: string
  /** The three words of the code. */
  readonly words?: string
  readonly as?: string
  readonly receivers?: string
  /** A shell command whose output is the stream. */
  readonly run?: string
  readonly size?: string
}

/** The people that `host` sends to. */
export type ToOptions = {
  readonly to?: readonly string[]
  /** The code or link of a request. */
  readonly for?: string
  /** Also shows a code, and goes on after the contacts have everything. */
  readonly keepOpen?: boolean
  readonly qr?: boolean
  readonly copy?: boolean
}

/** True if no code is shown, because only contacts receive. */
const isForContacts = ({ to = [], keepOpen }: ToOptions): boolean =>
  to.length > 0 && keepOpen !== true

/** Options of `join` about the selection and how files are written. */
export type ReceiveFlags = {
  readonly out?: string
  readonly conflict?: string
  /** The same as the conflict policy `update`. */
  readonly update?: boolean
  /** Receive again whenever the sender reports changes. */
  readonly follow?: boolean
  /** Move what the sender deleted to a folder of removed files. */
  readonly delete?: boolean
  /** Keep extended attributes. */
  readonly attributes?: boolean
  readonly only?: readonly string[]
  readonly exclude?: readonly string[]
  readonly first?: readonly string[]
  /** `OLD=NEW` or `NEW`. */
  readonly rename?: readonly string[]
  readonly wait?: string
  readonly dryRun?: boolean
}

/** A plan, and whether a person still has to decide about existing files. */
export type ReadPlan = {
  readonly plan: NewPlan
  readonly asksConflict: boolean
  /** Values of `--rename`, for `readRenames`. */
  readonly renames?: readonly string[]
}

const bad = (flag: string, detail: string) => err(appError('E_BAD_ARGUMENT', detail, flag))

const badPatterns = (flag: string) => bad(flag, words.argument.patterns(flag, limits.patterns))

/** The argument for standard input. */
export const standardInput = '-'

function openSet(flag: string, patterns: readonly string[] = []): ReturnType<typeof bad> | null {
  const open = patterns.find((pattern) => !isPattern(pattern))
  return open === undefined
    ? null
    : bad(flag, words.argument.openSet(flag, visibleText(open.slice(0, 100))))
}

/** Options of `host` that have no meaning without a code of its own. */
const withoutCode = [
  ...(['to', 'once', 'expires', 'words', 'receivers', 'approve', 'keepOpen'] as const),
  ...(['qr', 'copy'] as const),
]

/** Bounds of a code's lifetime, in seconds. */
const expiry = { least: 60, most: 24 * 3600 } as const

/**
 * Reads the offer. For the text `-`, `readInput` supplies the text, or `null` if it isn't text. `sharing`
 * applies unless an option overrides it; its patterns always apply.
 */
export async function readShare(
  paths: readonly string[],
  flags: ShareFlags & ToOptions,
  readInput: () => Promise<string | null>,
  sharing = defaultSettings.sharing,
): Promise<Result<NewShare, AppError>> {
  const set = shareOptionsOf(sharing)
  const exclude = patternsSchema.safeParse([...set.exclude, ...(flags.exclude ?? [])])
  if (!exclude.success) return badPatterns('--exclude')
  const open = openSet('--exclude', flags.exclude)
  if (open !== null) return open
  const count = Number(flags.receivers ?? set.maxReceivers)
  if (flags.receivers === '' || !Number.isInteger(count) || !isReceiverCount(count)) {
    return bad('--receivers', words.argument.receiverCount(limits.maxReceiversPerShare))
  }
  if (paths.includes('')) return bad('thru host', words.argument.emptyPath)
  const other =
    flags.for === undefined ? undefined : withoutCode.find((flag) => flags[flag] !== undefined)
  if (other !== undefined) return bad('--for', words.argument.notWithFor(`--${other}`))
  const stream = readStream(paths, flags)
  if (!stream.ok) return stream
  const texts = await readTexts(flags.text ?? [], readInput)
  if (!texts.ok) return texts
  if (texts.value.length === 0 && paths.length === 0 && stream.value === null) {
    return bad('thru host', words.argument.nothingToShare)
  }
  const offered: readonly SourceItem[] = [
    ...texts.value.map((text) => ({ kind: 'text', text, name: words.share.title }) as const),
    ...paths.map((path) => ({ kind: 'path', path }) as const),
  ]
  const items = stream.value === null ? offered : [stream.value]
  const chosen = readCodeWords(flags)
  if (!chosen.ok) return chosen
  const invitedOnly = isForContacts(flags)
  const code = invitedOnly ? (['qr', 'copy'] as const).find((flag) => flags[flag]) : undefined
  if (code !== undefined) return bad(`--${code}`, words.argument.needsCode(`--${code}`))
  const people = invitedOnly ? (flags.to?.length ?? 0) : 0
  const lifeMs = readLife(flags, set.codeLifeMs)
  if (!lifeMs.ok) return lifeMs
  return ok({
    items,
    exclude: exclude.data,
    gitignore: flags.gitignore === true || set.gitignore,
    links: set.links,
    followLinks: flags.followLinks === true || set.followLinks,
    attributes: flags.attributes === true || set.attributes,
    maxReceivers: Math.max(
      stream.value === null ? count : Math.max(count, set.maxReceivers),
      people,
    ),
    oneReceiver:
      flags.once === true || (set.oneReceiver && flags.receivers === undefined && !invitedOnly),
    // Contacts that were invited are admitted without a question.
    approve: (flags.approve ?? set.approve) && !invitedOnly && flags.for === undefined,
    browsers: flags.browsers !== false && set.browsers,
    codeLifeMs: lifeMs.value,
    ...(flags.watch === true && { watch: true }),
    invitedOnly,
    ...chosen.value,
  })
}

/** Options of `request`. */
export type RequestFlags = Pick<ShareFlags, 'expires' | 'words'> &
  Pick<ToOptions, 'keepOpen' | 'qr' | 'copy'> &
  Pick<ReceiveFlags, 'conflict' | 'update' | 'only' | 'exclude'> & { readonly keep?: boolean }

/** Reads the rules of a request's code. */
export function readRequest(
  { keepOpen, ...flags }: RequestFlags,
  sharing = defaultSettings.sharing,
): Result<NewRequest, AppError> {
  const { browsers, codeLifeMs } = requestOptionsOf(sharing)
  const lifeMs = readLife(flags, codeLifeMs)
  if (!lifeMs.ok) return lifeMs
  const chosen = readCodeWords(flags)
  if (!chosen.ok) return chosen
  const rules = { oneReceiver: keepOpen !== true, browsers }
  return ok({ ...chosen.value, ...rules, codeLifeMs: lifeMs.value })
}

/** The lifetime of a code, in ms. */
function readLife(
  { expires }: Pick<ShareFlags, 'expires'>,
  usualMs: number,
): Result<number, AppError> {
  const seconds = expires === undefined ? usualMs / 1000 : parseDuration(expires)
  return seconds === null || seconds < expiry.least || seconds > expiry.most
    ? bad('--expires', words.argument.expires)
    : ok(seconds * 1000)
}

async function readTexts(
  given: readonly string[],
  readInput: () => Promise<string | null>,
): Promise<Result<readonly string[], AppError>> {
  const typed = given.filter((text) => text !== standardInput)
  if (given.length - typed.length > 1) return bad('--text', words.argument.oneInput)
  const input = typed.length === given.length ? '' : await readInput()
  if (input === null) return bad('--text', words.argument.inputNotText)
  const texts = given.map((text) => (text === standardInput ? input : text))
  if (texts.includes('')) return bad('--text', words.argument.emptyText)
  if (texts.some((text) => Buffer.byteLength(text) > limits.textBytes)) {
    return bad('--text', words.argument.longText(limits.textBytes))
  }
  return typed.some(isDamaged) ? bad('--text', words.argument.textNotUtf8) : ok(texts)
}

/** Node replaces bytes of an argument that aren't UTF-8 with this character. */
const replacement = '\ufffd'

/** True if the argument wasn't UTF-8; standard input is checked while it is read. */
const isDamaged = (argument: string): boolean =>
  Buffer.from(argument).toString().includes(replacement)

/** The words that the person chose for the code, if any. */
function readCodeWords(
  flags: Pick<ShareFlags, 'words'> & ToOptions,
): Result<Pick<NewShare, 'words'>, AppError> {
  const { words: given } = flags
  if (given === undefined) return ok({})
  if (isForContacts(flags)) return bad('--words', words.argument.needsCode('--words'))
  const read = readWords(given)
  return read.ok
    ? ok({ words: read.value })
    : bad('--words', `${read.error.what} ${read.error.remedy}`)
}

/** The stream to offer, which must be the only item; `null` without one. */
function readStream(
  paths: readonly string[],
  { run, text, as, receivers, size, to }: ShareFlags & ToOptions,
): Result<Extract<SourceItem, { readonly kind: 'stream' }> | null, AppError> {
  const isInput = paths.includes(standardInput)
  if (isInput && (paths.length > 1 || text !== undefined)) {
    return bad('-', words.argument.streamAlone)
  }
  if (run !== undefined && (paths.length > 0 || text !== undefined)) {
    return bad('--run', words.argument.runAlone)
  }
  if (run?.trim() === '') return bad('--run', words.argument.emptyRun)
  if (!isInput && run === undefined) {
    const isMeant = as !== undefined || size !== undefined
    return isMeant ? bad('--as', words.argument.onlyStreams) : ok(null)
  }
  const count = Number(receivers ?? to?.length ?? 1)
  if (count < 1) return bad('--receivers', words.argument.streamReceivers)
  const bytes = size === undefined ? null : parseSize(size)
  if (bytes !== null && !bytes.ok) {
    return bad('--size', words.argument.size('--size', visibleText((size ?? '').slice(0, 100))))
  }
  return ok({
    kind: 'stream',
    name: as ?? words.share.streamName,
    receivers: count,
    ...(bytes === null ? {} : { size: bytes.value }),
    ...(run === undefined ? {} : { awaitsProducer: true }),
  })
}

const isReceiverCount = (count: number): boolean =>
  count >= 0 && count <= limits.maxReceiversPerShare

/** Reads the folder and options of a receive. `receiving` applies unless an option overrides it, except its folder. */
export function readPlan(
  flags: ReceiveFlags,
  receiving = defaultSettings.receiving,
): Result<ReadPlan, AppError> {
  const set = receiveOptionsOf(receiving)
  if (flags.out === '') return bad('--out', words.argument.emptyPath)
  const updates = flags.update === true || flags.follow === true
  const said = flags.conflict ?? (updates ? 'update' : undefined)
  if (updates && said !== 'update' && !(flags.follow === true && said === 'replace')) {
    return bad(
      '--conflict',
      words.argument.updates(flags.follow === true ? '--follow' : '--update'),
    )
  }
  if (flags.delete === true && flags.follow !== true) {
    return bad('--delete', words.argument.deletes)
  }
  const conflict = said === undefined || said === 'ask' ? set.conflict : said
  if (!isConflictPolicy(conflict)) {
    return bad(
      '--conflict',
      words.argument.conflict(formatList(['ask', ...conflictPolicies], 'or')),
    )
  }
  const { only = [], exclude: except = [], first = [], rename } = flags
  const badRename = checkRenames(rename ?? [])
  if (badRename !== null) return err(badRename)
  for (const [flag, patterns] of Object.entries({ only, exclude: except, first })) {
    if (!patternsSchema.safeParse(patterns).success) return badPatterns(`--${flag}`)
    const open = openSet(`--${flag}`, patterns)
    if (open !== null) return open
  }
  return ok({
    plan: {
      directory: flags.out ?? '.',
      options: {
        ...set,
        conflict,
        ...(flags.follow === true && { follow: true }),
        ...(flags.delete === true && { deletions: true }),
        ...(flags.attributes === true && { keepAttributes: true }),
      },
      selection: { only, except, first },
    },
    asksConflict: said === 'ask',
    ...(rename !== undefined && { renames: rename }),
  })
}

/** The time for which a sender may still start, in ms. */
export function readWait({ wait }: ReceiveFlags): Result<number, AppError> {
  const seconds = wait === undefined ? 0 : parseDuration(wait)
  return seconds === null || seconds > expiry.most
    ? bad('--wait', words.argument.wait)
    : ok(seconds * 1000)
}

const isConflictPolicy = (text: string): text is ConflictPolicy =>
  (conflictPolicies as readonly string[]).includes(text)

/** The limits that were given, if any. */
export function readLimits(flags: LimitFlags): Result<SpeedLimits, AppError> {
  const upload = readLimit('--limit-up', flags.limitUp)
  const download = readLimit('--limit-down', flags.limitDown)
  if (!upload.ok) return upload
  if (!download.ok) return download
  return ok({ upload: upload.value, download: download.value })
}

/** Applies the limits that were given; the others keep their settings. */
export function applyLimits(client: Client, flags: LimitFlags): AppError | null {
  const read = readLimits(flags)
  if (!read.ok) return read.error
  if (flags.limitUp === undefined && flags.limitDown === undefined) return null
  const { uploadLimit, downloadLimit } = client.snapshot().state.settings.network
  const done = client.setLimits({
    upload: flags.limitUp === undefined ? uploadLimit : read.value.upload,
    download: flags.limitDown === undefined ? downloadLimit : read.value.download,
  })
  return done.ok ? null : done.error
}

/** A limit in bytes per second; 0 for none. */
function readLimit(flag: string, given: string | undefined): Result<number, AppError> {
  if (given === undefined) return ok(0)
  const rate = parseRate(given)
  if (!rate.ok) return bad(flag, words.argument.rate(flag, visibleText(given.slice(0, 100))))
  return isBareRate(given) ? bad(flag, words.argument.tinyRate(flag, String(rate.value))) : rate
}
