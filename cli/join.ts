import { type NetworkOptions, withClient } from './compose-client'
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes'
import { applyLimits, type LimitFlags, type ReadPlan, readPlan, type ReceiveFlags } from './flags'
import { receive } from './receive'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import type { TakeCode } from './take-code'
import type { Terminal } from './terminal'
import type { TransferId } from '#shared/app-state'
import { type AppError, appError } from '#shared/errors'
import { err, ok } from '#shared/result'

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

/** `thru join`: receives into a folder, after asking unless `--yes` was given. */
export async function join(
  takeCode: TakeCode,
  options: JoinOptions,
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  const read = readPlan(options)
  if (!read.ok) {
    reporter.fail(read.error)
    return exitCodeOf(read.error)
  }
  const code = await takeCode(reporter, terminal, stopped)
  if (!code.ok) return code.error
  return run({ code: code.value, ...read.value }, options, reporter, terminal, stopped)
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
    const wish = { ...errand, yes: options.yes === true }
    const work = receive(client, joined.value, wish, reporter, terminal)
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
