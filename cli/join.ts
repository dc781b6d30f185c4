import { type NetworkOptions, withClient } from './compose-client'
import { ConnectionTiming } from './connection-timing'
import { exitCodeOf, exitCodeOfSignal, type ExitCode } from './exit-codes'
import {
  applyLimits,
  type LimitFlags,
  type PairingFlags,
  type ReadPlan,
  readPlan,
  type ReceiveFlags,
} from './flags'
import { keepOthers, type KeepOptions, untilKept } from './keep'
import { receive } from './receive'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import type { TakeCode } from './take-code'
import type { Terminal } from './terminal'
import type { Client } from '#client/client'
import type { ReceiveId, TransferId } from '#shared/app-state'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'

/** What `join` and `resume` have in common. */
export type AcceptOptions = NetworkOptions &
  PairingFlags &
  LimitFlags &
  KeepOptions & { readonly yes?: boolean; readonly timing?: boolean }

/** The options of `thru join`. */
export type JoinOptions = AcceptOptions & ReceiveFlags

/** One receive of this command. */
export type Errand = ReadPlan & {
  /** `null`: it comes back without one. */
  readonly code: string | null
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
    await keepOthers(client, options)
    const timing = new ConnectionTiming()
    client.subscribe((batch) => {
      for (const { event } of batch) timing.tell(event)
    })
    const joined = begin(client, errand)
    if (!joined.ok) return joined
    const wish = { ...errand, yes: options.yes === true }
    const work = receive(client, joined.value, wish, reporter, terminal).then(async (result) => {
      await untilKept(client, joined.value)
      return result
    })
    const result = await Promise.race([stopped, work])
    if (options.timing === true) reporter.timing(timing.steps())
    if (typeof result !== 'string') return result
    client.cancel(joined.value)
    return ok(exitCodeOfSignal(result))
  })
}

function begin(client: Client, { code, continues }: Errand): Result<ReceiveId, AppError> {
  if (code !== null) return client.join(code, continues)
  return continues === undefined
    ? err(appError('E_BAD_ARGUMENT', 'A code is missing.'))
    : client.comeBack(continues)
}

/** What can't be asked is refused before anybody is bothered. */
function faultOfAsking(
  { asksConflict }: Errand,
  { yes }: AcceptOptions,
  { canAsk }: Terminal,
): AppError | null {
  if (canAsk) return null
  if (asksConflict) {
    return appError(
      'E_BAD_ARGUMENT',
      'Nobody can be asked here: choose a policy with --conflict.',
      '--conflict',
    )
  }
  return yes === true
    ? null
    : appError('E_BAD_ARGUMENT', 'Nobody can be asked here: add --yes to accept.', '--yes')
}
