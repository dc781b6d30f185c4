/** One receive of a command: inspects the offer, asks, accepts, and waits for the end. */
import { resolve } from 'node:path'
import type { Client } from '#client/client'
import { ended, type NewPlan } from '#client/session/requests'
import { waitForState } from '#client/wait-for-state'
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import type { Preflight } from '#shared/offer'
import { ok, type Result } from '#shared/result'
import {
  type ConflictPolicy,
  defaultReceiveOptions,
  type ReceiveOptions,
} from '#shared/settings/receive-options'
import {
  hasEnded,
  hasOnlyTexts,
  type Receive,
  type ReceiveId,
  type TransferId,
} from '#shared/state/app-state'
import { type ExitCode, exitCodeOfReceive, exitCodes } from '../exit-codes'
import { outputName, type ReadPlan } from '../options/flags'
import { readRenames } from '../options/renames'
import { offerLines, preflightError } from '../report/preflight-text'
import type { Reporter } from '../report/reporter'
import { senderName } from '../report/state-lookup'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'

/** A receive's plan, and whether a person has already agreed. */
export type ReceiveRequest = ReadPlan & {
  readonly yes: boolean
  /** Shows the offer only in JSON, because no person decides. */
  readonly quiet: boolean
  /** Reports the effects of accepting, and declines. */
  readonly dryRun?: boolean
  /** The unfinished receive that this resumes. */
  readonly resumes?: TransferId
}

/** Policies for existing files that differ, by the key that chooses them. */
const policyKeys: Readonly<Record<string, ConflictPolicy>> = {
  k: 'keep-both',
  r: 'replace',
  u: 'update',
  o: 'replace-older',
  s: 'skip',
}

/** Receives the offer of `id` as planned, or declines it if the folder can't take it. */
export async function receive(
  client: Client,
  id: ReceiveId,
  asked: ReceiveRequest,
  reporter: Reporter,
  terminal: Terminal,
): Promise<Result<ExitCode, AppError>> {
  const find = (isMeant: (receive: Receive) => boolean) =>
    waitForState(client, ({ receives }) => receives.find((one) => one.id === id && isMeant(one)))
  const isOffered = (): boolean =>
    client.snapshot().state.receives.some((one) => one.id === id && one.phase === 'offered')
  const over = find(hasEnded)
  for (;;) {
    const offer = await Promise.race([over, find(({ phase }) => phase === 'offered')])
    if (offer.phase !== 'offered') break
    const withdrawn = new AbortController()
    void find(({ phase }) => phase !== 'offered').then(() => withdrawn.abort())
    const named = withRenames(asked, offer)
    const request = named.ok ? named.value : asked
    const found = named.ok
      ? ((await client.receives.get(id)?.preflight(request.plan)) ?? ended)
      : named
    const preflight = request.plan.toOutput === true ? ofOutput(found) : found
    const error = preflight.ok ? checkPreflight(preflight.value, offer, request) : preflight.error
    if (preflight.ok && !request.quiet) {
      const sender = senderName(client.snapshot().state, offer)
      for (const line of offerLines(offer, preflight.value, sender)) terminal.note(line)
    }
    if (preflight.ok) {
      const options = request.plan.options ?? defaultReceiveOptions
      const policy = request.asksConflict ? null : options.conflict
      reporter.preflight(offer, preflight.value, policy, comparesContent(options))
    }
    if (error === null && preflight.ok && request.dryRun === true) {
      client.receives.get(id)?.cancel(appError('E_CANCELLED'))
      return ok(exitCodes.complete)
    }
    const plan =
      error === null && preflight.ok
        ? await decide(offer, request, preflight.value, terminal, withdrawn.signal)
        : null
    // The sender has left. The receive has ended, or the offer may come again.
    if (withdrawn.signal.aborted || !isOffered()) continue
    const running = client.receives.get(id)
    const done = plan === null ? running?.cancel(error ?? undefined) : running?.accept(plan)
    if (done?.ok === false) return done
    break
  }
  return ok(exitCodeOfReceive(await over))
}

/** The request with the names that it gives to items of the offer. A resumed receive has them in its plan. */
function withRenames(
  request: ReceiveRequest,
  { items }: Receive,
): Result<ReceiveRequest, AppError> {
  const { plan, renames: given } = request
  if (given === undefined) return ok(request)
  const renames = readRenames(given, items)
  if (!renames.ok) return renames
  const options = { ...defaultReceiveOptions, ...plan.options, renames: renames.value }
  return ok({ ...request, plan: { ...plan, options } })
}

/** Returns `null` if a person declines, or if the sender ends the offer before an answer. */
async function decide(
  offer: Receive,
  { plan, asksConflict, yes }: ReceiveRequest,
  preflight: Preflight,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<NewPlan | null> {
  const { different } = preflight.conflicts
  const decided =
    asksConflict && different > 0 ? await askConflict(plan, different, terminal, withdrawn) : plan
  if (decided === null || yes) return decided
  if (plan.toOutput === true) {
    return (await terminal.ask(text.prompt.writeToOutput, withdrawn)) ? decided : null
  }
  const question = hasOnlyTexts(offer.items)
    ? text.prompt.showText(offer.items.length)
    : text.prompt.receive(resolve(plan.directory))
  return (await terminal.ask(question, withdrawn)) ? decided : null
}

async function askConflict(
  plan: NewPlan,
  different: number,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<NewPlan | null> {
  const question = text.prompt.conflict(different)
  const key = await terminal.choose(question, Object.keys(policyKeys), withdrawn)
  const conflict = key === null ? undefined : policyKeys[key]
  if (conflict === undefined) return null
  return { ...plan, options: { ...defaultReceiveOptions, ...plan.options, conflict } }
}

/** Standard output has no folder, so only the number of wanted files matters. */
const ofOutput = (found: Result<Preflight, AppError>): Result<Preflight, AppError> =>
  found.ok
    ? ok({
        ...found.value,
        directory: outputName,
        error: null,
        cautions: [],
        conflictPaths: [],
        mappedNames: [],
        tooLarge: [],
        resumedBytes: 0,
        neededBytes: 0,
        mappedCount: 0,
        conflicts: {
          identical: 0,
          identicalBytes: 0,
          different: 0,
          keptBoth: 0,
          replaced: 0,
          leftOut: 0,
        },
      })
    : found

/** Refuses a selection without files: it is a mistake in a pattern, and an empty receive would look like success. */
function checkPreflight(
  preflight: Preflight,
  offer: Receive,
  { plan, resumes }: ReceiveRequest,
): AppError | null {
  const isChosen = (plan.selection?.only.length ?? 0) + (plan.selection?.except.length ?? 0) > 0
  const files = offer.totals?.files ?? 0
  if (preflight.error === null && isChosen && files > 0 && preflight.wantedFiles === 0) {
    const item = visibleText(offer.items[0]?.name ?? '')
    return appError('E_BAD_ARGUMENT', text.argument.noMatch(files, item))
  }
  if (plan.toOutput === true && preflight.wantedFiles !== 1) {
    return appError('E_BAD_ARGUMENT', text.argument.outputTakesOne(preflight.wantedFiles), '--out')
  }
  const error = preflightError(preflight)
  // A receive that follows waits for room, also after a restart.
  const waits = resumes !== undefined && plan.options?.follow === true
  return waits && error?.code === 'E_DISK_FULL' ? null : error
}

/** True if the content of existing files is compared before they count as identical. */
const comparesContent = ({ compareContent, keepTimes }: ReceiveOptions): boolean =>
  compareContent || !keepTimes
