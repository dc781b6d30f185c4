/** What the options of the commands mean. Every error is `E_BAD_ARGUMENT` with the option. */
import type { Client } from '#client/client'
import type { NewPlan, NewShare } from '#client/requests'
import { type AppError, appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { parseSize } from '#shared/parse-size'
import {
  conflictPolicies,
  type ConflictPolicy,
  defaultReceiveOptions,
  patternsSchema,
} from '#shared/receive-options'
import { err, ok, type Result } from '#shared/result'
import { codeLives, defaultShareOptions, type SourceItem } from '#shared/share-options'

/** Of `host`, `join` and `resume`. */
export type LimitFlags = { readonly limitUp?: string; readonly limitDown?: string }

/** Of `host`, `join` and `resume`. */
export type PairingFlags = { readonly safetyNumber?: boolean }

/** Of `host`. */
export type ShareFlags = {
  readonly text?: string
  readonly exclude: readonly string[]
  readonly maxReceivers?: string
  readonly links: boolean
  readonly once?: boolean
  readonly codeLife: string
}

/** Of `join`. */
export type ReceiveFlags = {
  readonly out: string
  readonly conflict?: string
  readonly overwrite?: boolean
  readonly compare: string
  readonly select: readonly string[]
  readonly except: readonly string[]
  readonly first: readonly string[]
  readonly verify?: boolean
  readonly resume: boolean
  readonly times: boolean
  readonly exec: boolean
  readonly links: boolean
  readonly emptyFolders: boolean
  readonly portableNames?: boolean
}

/** A plan, and whether a person still has to say what happens to files that differ. */
export type ReadPlan = { readonly plan: NewPlan; readonly asksConflict: boolean }

const bad = (flag: string, detail: string) => err(appError('E_BAD_ARGUMENT', detail, flag))

/** What is offered; the text comes from `readInput` when it is `-`. */
export async function readShare(
  paths: readonly string[],
  flags: ShareFlags,
  readInput: () => Promise<string>,
): Promise<Result<NewShare, AppError>> {
  const exclude = patternsSchema.safeParse(flags.exclude)
  if (!exclude.success)
    return bad('--exclude', `it takes at most ${limits.patterns} patterns, none empty`)
  const count = Number(flags.maxReceivers ?? defaultShareOptions.maxReceivers)
  if (flags.maxReceivers === '' || !Number.isInteger(count) || !isReceiverCount(count)) {
    return bad('--max-receivers', `it takes a number from 0 to ${limits.mostReceiversPerShare}`)
  }
  const text = flags.text === '-' ? await readInput() : flags.text
  if (text === '') return bad('--text', 'it is empty')
  if (text === undefined && paths.length === 0)
    return bad('thru host', 'Nothing to share was named: add a file, a folder or --text.')
  const items: readonly SourceItem[] = [
    ...(text === undefined ? [] : [{ kind: 'text', text, name: 'Text' } as const]),
    ...paths.map((path) => ({ kind: 'path', path }) as const),
  ]
  const codeLifeMs = codeLifeOf(flags.codeLife)
  if (codeLifeMs === undefined) {
    return bad('--code-life', `it is one of ${Object.keys(codeLives).join(', ')}`)
  }
  return ok({
    ...{ items, exclude: exclude.data, links: flags.links, maxReceivers: count },
    ...{ oneReceiver: flags.once === true, codeLifeMs },
  })
}

const codeLifeOf = (text: string): number | undefined =>
  Object.entries(codeLives).find(([name]) => name === text)?.[1]

const isReceiverCount = (count: number): boolean =>
  count >= 0 && count <= limits.mostReceiversPerShare

/** Where and how it is received. */
export function readPlan(flags: ReceiveFlags): Result<ReadPlan, AppError> {
  const said = flags.overwrite === true ? (flags.conflict ?? 'replace') : flags.conflict
  if (flags.overwrite === true && said !== 'replace') {
    return bad('--overwrite', 'it means --conflict replace, not another policy')
  }
  const conflict = said === undefined || said === 'ask' ? defaultReceiveOptions.conflict : said
  if (!isConflictPolicy(conflict)) {
    return bad('--conflict', `it is one of ask, ${conflictPolicies.join(', ')}`)
  }
  if (flags.compare !== 'content' && flags.compare !== 'time') {
    return bad('--compare', 'it is content or time')
  }
  for (const flag of ['select', 'except', 'first'] as const) {
    if (!patternsSchema.safeParse(flags[flag]).success) {
      return bad(`--${flag}`, `it takes at most ${limits.patterns} patterns, none empty`)
    }
  }
  const options = {
    conflict,
    compareContent: flags.compare === 'content',
    resume: flags.resume,
    verify: flags.verify === true,
    keepTimes: flags.times,
    keepExecutable: flags.exec,
    makeLinks: flags.links,
    makeEmptyFolders: flags.emptyFolders,
    portableNames: flags.portableNames === true,
  }
  const selection = { only: flags.select, except: flags.except, first: flags.first }
  return ok({
    plan: { directory: flags.out, options, selection },
    asksConflict: said === 'ask',
  })
}

const isConflictPolicy = (text: string): text is ConflictPolicy =>
  (conflictPolicies as readonly string[]).includes(text)

/** Sets the limits that were given, if any. */
export function applyLimits(client: Client, flags: LimitFlags): AppError | null {
  const upload = readLimit('--limit-up', flags.limitUp)
  const download = readLimit('--limit-down', flags.limitDown)
  if (!upload.ok) return upload.error
  if (!download.ok) return download.error
  if (upload.value === 0 && download.value === 0) return null
  const done = client.setLimits({ upload: upload.value, download: download.value })
  return done.ok ? null : done.error
}

function readLimit(flag: string, text: string | undefined): Result<number, AppError> {
  const size = parseSize(text ?? '0')
  return size.ok ? size : err({ ...size.error, subject: flag })
}
