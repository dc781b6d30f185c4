/** Runs the cases. */
import { floodCases, slowCases } from './cases/floods.ts'
import { frameCases } from './cases/frames.ts'
import { grantCases } from './cases/granting.ts'
import { hostCases } from './cases/hosting.ts'
import { joinCases } from './cases/joining.ts'
import { listenCases } from './cases/listening.ts'
import { pauseCases } from './cases/pause.ts'
import { relayCases } from './cases/relaying.ts'
import { sealedCases } from './cases/sealing.ts'
import { transportCases } from './cases/transport.ts'
import { Mismatch, Skip } from './demand.ts'
import { skipped } from './skipped.ts'
import type { Outcome, TestCase } from './test-case.ts'
import { TestContext } from './test-context.ts'
import { type Action, type Allowance, usualAllowances } from './throttle.ts'

/** All cases, in the order of the specification; floods are last. */
export const cases: readonly TestCase[] = [
  ...transportCases,
  ...frameCases,
  ...sealedCases,
  ...hostCases,
  ...joinCases,
  ...listenCases,
  ...relayCases,
  ...grantCases,
  ...pauseCases,
  ...slowCases,
  ...floodCases,
]

/** The result of one rule. */
export type Verdict = { readonly rule: string; readonly says: string } & Outcome

/** Options of a check. */
export type RunOptions = {
  /** Time for a response in ms; 5,000 by default. */
  readonly patienceMs?: number
  readonly allowances?: { readonly [action in Action]: Allowance } | undefined
  /** Password of a server that requires one. */
  readonly password?: string | undefined
  readonly withFloods?: boolean
  readonly withSlow?: boolean
  readonly only?: readonly string[]
  /** Time for the whole run, ms; cases that haven't started by then are skipped. */
  readonly budgetMs?: number
  /** Receives each verdict as it is reached. */
  readonly onVerdict?: (verdict: Verdict) => void
}

/** Allowances without a limit, for a server that may be flooded. */
const endless = Object.fromEntries(
  Object.keys(usualAllowances).map((action) => [action, { burst: 1e9, perMinute: 1e9 }]),
) as unknown as { readonly [action in Action]: Allowance }

/** Checks the server at `url`; returns one verdict per rule. */
export async function run(url: string, options: RunOptions = {}): Promise<readonly Verdict[]> {
  const { patienceMs = 5000, allowances = usualAllowances, only = [], onVerdict } = options
  const access = { patienceMs, password: options.password }
  const endsAt = Date.now() + (options.budgetMs ?? 10 * 60_000)
  const verdicts: Verdict[] = []
  const tell = (verdict: Verdict) => {
    verdicts.push(verdict)
    onVerdict?.(verdict)
  }
  const isMeant = ({ rule }: { readonly rule: string }) =>
    only.length === 0 || only.some((name) => rule === name || rule.replace(/-\d+$/, '') === name)
  const check = async (context: TestContext, { rule, says, check: work }: TestCase) => {
    const isLate = Date.now() > endsAt
    const outcome = isLate ? skip('the time for all rules is over') : await outcomeOf(context, work)
    tell({ rule, says, ...outcome })
  }
  const meant = cases.filter(isMeant)
  const shared = new TestContext(url, { ...access, allowances })
  const slow = meant
    .filter(({ isSlow }) => isSlow && options.withSlow === true)
    .map((each) => check(new TestContext(url, { ...access, allowances }), each))
  for (const each of meant.filter(({ isFlood, isSlow }) => !isFlood && !isSlow)) {
    await check(shared, each)
  }
  await Promise.all(slow)
  for (const each of meant.filter(({ isSlow }) => isSlow && options.withSlow !== true)) {
    tell({ ...ruleOf(each), ...skip('takes long: --slow') })
  }
  const flooding = new TestContext(url, { ...access, allowances: endless })
  for (const each of meant.filter(({ isFlood }) => isFlood)) {
    if (options.withFloods === true) await check(flooding, each)
    else tell({ ...ruleOf(each), ...skip('is a flood: --floods') })
  }
  for (const { rule, says, reason } of skipped.filter(isMeant)) {
    tell({ rule, says, ...skip(reason) })
  }
  return verdicts
}

const ruleOf = ({ rule, says }: TestCase) => ({ rule, says })
const skip = (reason: string): Outcome => ({ result: 'skipped', reason })

async function outcomeOf(
  context: TestContext,
  work: (context: TestContext) => Promise<void>,
): Promise<Outcome> {
  let outcome = await settled(() => work(context))
  const after = await settled(() => context.endCase())
  if (outcome.result !== 'failed' && after.result === 'failed') outcome = after
  return outcome
}

async function settled(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work()
    return { result: 'passed' }
  } catch (error) {
    if (error instanceof Skip) return skip(error.message)
    if (error instanceof Mismatch) {
      return { result: 'failed', expected: error.expected, got: error.got }
    }
    const got = error instanceof Error ? error.message : String(error)
    return { result: 'failed', expected: 'an answer that can be read', got }
  }
}
