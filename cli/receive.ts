/** One receive of a command, from the offer to its end: look, ask, accept, wait. */
import { exitCodeOfReceive, type ExitCode } from './exit-codes'
import { leftOutLines, totalsText } from './event-text'
import type { ReadPlan } from './flags'
import type { Reporter } from './reporter'
import { surveyFault } from './survey-text'
import type { Terminal } from './terminal'
import { resolve } from 'node:path'
import type { Client } from '#client/client'
import type { NewPlan } from '#client/requests'
import { until } from '#client/until'
import { hasEnded, type Item, type Receive, type ReceiveId, type Totals } from '#shared/app-state'
import { type AppError, appError } from '#shared/errors'
import { formatBytes, formatCount, formatCounted } from '#shared/format'
import type { Survey } from '#shared/offer'
import { type ConflictPolicy, defaultReceiveOptions } from '#shared/receive-options'
import { err, ok, type Result } from '#shared/result'
import { visibleText } from '#shared/visible-text'

/** What to receive how, and whether a person has agreed already. */
export type Wish = ReadPlan & { readonly yes: boolean }

/** More would scroll the question's beginning away. */
const itemsShown = 20

/** What happens to files that differ, by the key that chooses it. */
const policyKeys: Readonly<Record<string, ConflictPolicy>> = {
  k: 'keep-both',
  r: 'replace',
  o: 'replace-older',
  s: 'skip',
}

/** Receives what `id` is offered, as wished; declines what the folder can't take. */
export async function receive(
  client: Client,
  id: ReceiveId,
  wish: Wish,
  reporter: Reporter,
  terminal: Terminal,
): Promise<Result<ExitCode, AppError>> {
  const find = (isMeant: (receive: Receive) => boolean) =>
    until(client, ({ receives }) => receives.find((one) => one.id === id && isMeant(one)))
  const ended = find(hasEnded)
  const offer = await Promise.race([ended, find(({ phase }) => phase === 'offered')])
  if (offer.phase === 'offered') {
    const survey = await client.survey(id, wish.plan)
    // The sender may have gone meanwhile: how it ended is told below.
    const isOver = (): boolean =>
      client.snapshot().state.receives.some((one) => one.id === id && hasEnded(one))
    const fault = survey.ok ? faultOf(survey.value, offer, wish) : survey.error
    if (survey.ok) reporter.survey(id, survey.value)
    const withdrawn = new AbortController()
    void ended.then(() => withdrawn.abort())
    const plan =
      fault === null && survey.ok
        ? await decide(offer, wish, survey.value, terminal, withdrawn.signal)
        : null
    const done = plan === null ? client.cancel(id, fault ?? undefined) : client.accept(id, plan)
    if (!done.ok && !isOver()) return err(done.error)
  }
  return ok(exitCodeOfReceive(await ended))
}

/** `null` for a person's no, also when the sender ends the offer before there is an answer. */
async function decide(
  offer: Receive,
  { plan, asksConflict, yes }: Wish,
  survey: Survey,
  terminal: Terminal,
  withdrawn: AbortSignal,
): Promise<NewPlan | null> {
  const { different } = survey.conflicts
  if (!yes) tellOffer(offer, survey, terminal)
  const decided =
    asksConflict && different > 0 ? await askConflict(plan, different, terminal, withdrawn) : plan
  if (decided === null || yes) return decided
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

/** A choice that leaves nothing is a slip in a pattern, and nothing received would look like success. */
function faultOf(survey: Survey, offer: Receive, { plan }: Wish): AppError | null {
  const isChosen = (plan.selection?.only.length ?? 0) + (plan.selection?.except.length ?? 0) > 0
  const files = offer.totals?.files ?? 0
  if (survey.error === null && isChosen && files > 0 && survey.wantedFiles === 0) {
    return appError(
      'E_BAD_ARGUMENT',
      `None of the ${formatCounted(files, 'offered file')} matches --select and --except: paths begin with the item's name, as in "${visibleText(offer.items[0]?.name ?? '')}/*", and upper and lower case differ.`,
    )
  }
  return surveyFault(survey)
}

function tellOffer(offer: Receive, survey: Survey, terminal: Terminal): void {
  terminal.note(`${offer.from} offers:`)
  for (const item of offer.items.slice(0, itemsShown)) terminal.note(`  ${itemText(item)}`)
  if (offer.items.length > itemsShown) {
    terminal.note(`  and ${formatCounted(offer.items.length - itemsShown, 'more item')}`)
  }
  for (const line of leftOutLines(offer.leftOut, offer.from)) terminal.note(line)
  if (offer.totals !== null) terminal.note(wantedText(survey, offer.totals))
}

/** `400 of 500 files · 220 MB`, or all that is offered. */
const wantedText = ({ wantedFiles, wantedBytes }: Survey, totals: Totals): string =>
  wantedFiles === totals.files
    ? totalsText(totals)
    : `${formatCount(wantedFiles)} of ${totalsText({ files: totals.files, bytes: wantedBytes })}`

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
