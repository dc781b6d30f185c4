import { type NetworkOptions, withClient } from './compose-client'
import { exitCodeOf, exitCodeOfReceive, exitCodes, type ExitCode } from './exit-codes'
import { applyLimits, type LimitFlags, type ReadPlan, readPlan, type ReceiveFlags } from './flags'
import { totalsText } from './event-text'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import { surveyFault } from './survey-text'
import type { Terminal } from './terminal'
import { resolve } from 'node:path'
import type { Client } from '#client/client'
import type { NewPlan } from '#client/requests'
import { until } from '#client/until'
import {
  hasEnded,
  type Item,
  type Receive,
  type ReceiveId,
  type TransferId,
} from '#shared/app-state'
import { type AppError, appError } from '#shared/errors'
import { formatBytes, formatCounted } from '#shared/format'
import { type ConflictPolicy, defaultReceiveOptions } from '#shared/receive-options'
import { err, ok, type Result } from '#shared/result'

/** What `join` and `resume` have in common. */
export type AcceptOptions = NetworkOptions & LimitFlags & { readonly yes?: boolean }

/** The options of `thru join`. */
export type JoinOptions = AcceptOptions & ReceiveFlags

/** One receive of this command. */
export type Errand = ReadPlan & {
  readonly code: string
  /** The unfinished receive that goes on. */
  readonly continues?: TransferId
}

/** More would scroll the question's beginning away. */
const itemsShown = 20

/** What happens to files that differ, by the key that chooses it. */
const policyKeys: Readonly<Record<string, ConflictPolicy>> = {
  k: 'keep-both',
  r: 'replace',
  o: 'replace-older',
  s: 'skip',
}

/** `thru join`: receives into a folder, after asking unless `--yes` was given. */
export async function join(
  code: string,
  options: JoinOptions,
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  const read = readPlan(options)
  if (read.ok) return run({ code, ...read.value }, options, reporter, terminal, stopped)
  reporter.fail(read.error)
  return exitCodeOf(read.error)
}

/** Receives one offer from beginning to end. */
export async function run(
  errand: Errand,
  options: AcceptOptions,
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  const needless = faultOfAsking(errand, options, terminal)
  if (needless !== null) {
    reporter.fail(needless)
    return exitCodeOf(needless)
  }
  return withClient(options, reporter, async (client) => {
    const fault = applyLimits(client, options)
    if (fault !== null) return err(fault)
    const joined = client.join(errand.code, errand.continues)
    if (!joined.ok) return joined
    const work = receive(client, joined.value, errand, options, reporter, terminal)
    const result = await Promise.race([stopped, work])
    if (typeof result !== 'string') return result
    client.cancel(joined.value)
    return ok(result === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated)
  })
}

/** What can't be asked is refused before anybody is bothered. */
function faultOfAsking(
  { asksConflict }: Errand,
  { yes }: AcceptOptions,
  { canAsk }: Terminal,
): AppError | null {
  if (canAsk) return null
  if (asksConflict) {
    return appError('E_BAD_ARGUMENT', 'nobody can be asked here: choose a policy', '--conflict')
  }
  return yes === true
    ? null
    : appError('E_BAD_ARGUMENT', 'nobody can be asked here: add --yes to accept', '--yes')
}

async function receive(
  client: Client,
  id: ReceiveId,
  errand: Errand,
  options: AcceptOptions,
  reporter: Reporter,
  terminal: Terminal,
): Promise<Result<ExitCode, AppError>> {
  const ended = until(client, ({ receives }) => receives.find(hasEnded))
  const offer = await Promise.race([
    ended,
    until(client, ({ receives }) => receives.find(({ phase }) => phase === 'offered')),
  ])
  if (offer.phase === 'offered') {
    const survey = await client.survey(id, errand.plan)
    // The sender may have gone meanwhile: how it ended is told below.
    const isOver = (): boolean => client.snapshot().state.receives.some(hasEnded)
    const fault = survey.ok ? surveyFault(survey.value) : survey.error
    if (survey.ok) reporter.survey(survey.value)
    if (fault !== null && !isOver()) {
      client.cancel(id)
      return err(fault)
    }
    const withdrawn = new AbortController()
    void ended.then(() => withdrawn.abort())
    const different = survey.ok ? survey.value.conflicts.different : 0
    const plan = await decide(offer, errand, different, options, terminal, withdrawn.signal)
    const done = plan === null ? client.cancel(id) : client.accept(id, plan)
    if (!done.ok && !isOver()) return err(done.error)
  }
  return ok(exitCodeOfReceive(await ended))
}

/** `null` for a person's no, also when the sender ends the offer before there is an answer. */
async function decide(
  offer: Receive,
  { plan, asksConflict }: Errand,
  different: number,
  { yes }: AcceptOptions,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<NewPlan | null> {
  if (yes !== true) tellOffer(offer, terminal)
  const decided =
    asksConflict && different > 0 ? await askConflict(plan, different, terminal, withdrawn) : plan
  if (decided === null || yes === true) return decided
  const isWanted = await terminal.ask(`Receive into ${resolve(plan.directory)}?`, withdrawn)
  return isWanted ? decided : null
}

async function askConflict(
  plan: NewPlan,
  different: number,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<NewPlan | null> {
  const key = await terminal.choose(
    `${formatCounted(different, 'file')} there with another content: [k]eep both, [r]eplace, replace [o]lder, [s]kip?`,
    Object.keys(policyKeys),
    withdrawn,
  )
  const conflict = key === null ? undefined : policyKeys[key]
  if (conflict === undefined) return null
  return { ...plan, options: { ...defaultReceiveOptions, ...plan.options, conflict } }
}

function tellOffer(offer: Receive, terminal: Terminal): void {
  terminal.note(`${offer.from} offers:`)
  for (const item of offer.items.slice(0, itemsShown)) terminal.note(`  ${itemText(item)}`)
  if (offer.items.length > itemsShown) {
    terminal.note(`  and ${formatCounted(offer.items.length - itemsShown, 'more item')}`)
  }
  if (offer.totals !== null) terminal.note(totalsText(offer.totals))
}

const itemText = ({ name, kind, files, bytes }: Item): string => {
  switch (kind) {
    case 'folder':
      return `${name}/ · ${formatCounted(files, 'file')} · ${formatBytes(bytes)}`
    case 'text':
      return `${name} (text) · ${formatBytes(bytes)}`
    case 'link':
      return `${name} (link)`
    default:
      return `${name} · ${formatBytes(bytes)}`
  }
}
