/** `thru request` makes a code for senders, and receives what they offer. */
import type { Client } from '#client/client'
import { waitForState } from '#client/wait-for-state'
import { type AppError, appError } from '#shared/errors'
import { err, ok, type Result } from '#shared/result'
import { defaultSettings } from '#shared/settings/settings'
import { hasEnded, type Receive, type ReceiveId } from '#shared/state/app-state'
import { withClient } from '../compose-client'
import {
  type ExitCode,
  exitCodeOf,
  exitCodeOfReceive,
  exitCodeOfSignal,
  exitCodes,
} from '../exit-codes'
import { applyLimits, outputName, readPlan, readRequest, type RequestFlags } from '../options/flags'
import type { Reporter } from '../report/reporter'
import type { StopSignal } from '../terminal/stop-signal'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import type { CommandContext } from './command-context'
import { requestContacts } from './contact-requests'
import type { AcceptOptions } from './join'
import { receiveKeys } from './pause-keys'
import { receive, type ReceiveRequest } from './receive'
import { showLinks } from './show-links'
import { checkTarget } from './target-check'

/** The options of `thru request`. */
export type RequestOptions = AcceptOptions & RequestFlags

/** Runs `thru request`: shows each offer, and saves those that a person or `--yes` accepts to `folder`. */
export function request(
  folder: string | undefined,
  options: RequestOptions,
  { reporter, terminal, stopped }: CommandContext,
): Promise<ExitCode> {
  const { settings = defaultSettings, json, quiet } = options
  const run = async (client: Client): Promise<Result<ExitCode, AppError>> => {
    const planned = readPlan({ ...options, out: folder ?? '.' }, settings.receiving)
    if (!planned.ok) return planned
    const code = readRequest(options, settings.sharing)
    if (!code.ok) return code
    const refusal = refusalOf(
      planned.value.plan.directory,
      planned.value.asksConflict,
      options,
      terminal,
    )
    const limited = applyLimits(client, options)
    const error = refusal ?? limited
    if (error !== null) return err(error)
    const unusable = await Promise.race([stopped, checkTarget(planned.value.plan.directory)])
    if (typeof unusable === 'string') return ok(exitCodeOfSignal(unusable))
    if (unusable !== null) return err(unusable)
    const answered = await requestContacts(client, options, terminal)
    showLinks(client, options, terminal)
    const yes = options.yes === true
    const plan = { ...planned.value, yes, quiet: yes && (json === true || quiet === true) }
    receiveAll(client, plan, reporter, terminal)
    const opened = client.request(code.value)
    if (!opened.ok) return opened
    const stopKeys = receiveKeys(client, options, terminal)
    const end = await Promise.race([
      stopped,
      waitForState(client, ({ shares: [share] }) => share?.error),
      ...(options.keepOpen === true ? [] : [served(client)]),
    ])
    stopKeys()
    if (typeof end !== 'string') {
      if (!('transfer' in end)) return ok(exitCodeOf(end))
      await answered()
      return ok(exitCodeOfReceive(end))
    }
    return ok(exitCodeOfAll(client.snapshot().state.receives, end))
  }
  return withClient(options, reporter, run)
}

/** Handles every later offer on its own; a terminal asks one question at a time. */
function receiveAll(
  client: Client,
  plan: ReceiveRequest,
  reporter: Reporter,
  terminal: Terminal,
): void {
  const known = new Set<ReceiveId>()
  client.subscribe((batch) => {
    for (const { event } of batch) {
      if (event.type !== 'receive-opened' || known.has(event.receive)) continue
      known.add(event.receive)
      void receive(client, event.receive, plan, reporter, terminal).then((received) => {
        if (!received.ok) reporter.fail(received.error)
      })
    }
  })
}

/** Resolves with the first receive that was accepted, once it has ended. */
const served = (client: Client): Promise<Receive> =>
  waitForState(client, ({ receives }) =>
    receives.find((one) => one.acceptedAtMs !== undefined && hasEnded(one)),
  )

/** Refuses questions that can't be asked here, and an output in place of a folder. */
function refusalOf(
  directory: string,
  asksConflict: boolean,
  { yes }: RequestOptions,
  { canAsk }: Terminal,
): AppError | null {
  if (directory === outputName) {
    return appError('E_BAD_ARGUMENT', text.argument.requestToOutput, outputName)
  }
  if (canAsk) return null
  if (asksConflict) return appError('E_BAD_ARGUMENT', text.argument.cannotAskConflict, '--conflict')
  return yes === true ? null : appError('E_BAD_ARGUMENT', text.argument.cannotAsk, '--yes')
}

/** The exit code after `signal`: complete if something was received, and everything accepted is complete. */
function exitCodeOfAll(receives: readonly Receive[], signal: StopSignal): ExitCode {
  const accepted = receives.filter(({ acceptedAtMs }) => acceptedAtMs !== undefined)
  if (accepted.length === 0) return exitCodeOfSignal(signal)
  const codes = accepted.map((one) => (hasEnded(one) ? exitCodeOfReceive(one) : exitCodes.problems))
  return codes.every((code) => code === exitCodes.complete)
    ? exitCodes.complete
    : exitCodes.problems
}
