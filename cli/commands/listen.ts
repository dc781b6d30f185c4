/** `thru listen` receives from contacts until it is stopped. */
import type { Client } from '#client/client'
import { waitForState } from '#client/wait-for-state'
import { appError } from '#shared/errors'
import { err, ok } from '#shared/result'
import type { ReceiveOptions } from '#shared/settings/receive-options'
import { defaultSettings } from '#shared/settings/settings'
import { receiveOptionsOf } from '#shared/settings/settings-defaults'
import { isRunning } from '#shared/state/app-state'
import type { NetworkOptions } from '../compose-client'
import { withClient } from '../compose-client'
import { type ExitCode, exitCodes } from '../exit-codes'
import { applyLimits, type LimitFlags, outputName } from '../options/flags'
import type { Reporter } from '../report/reporter'
import type { StopSignal } from '../terminal/stop-signal'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import { obeyKeys } from './pause-keys'
import { receive } from './receive'
import { checkTarget } from './target-check'

/** The options of `thru listen`. */
export type ListenOptions = NetworkOptions & LimitFlags & { readonly out?: string }

/**
 * Saves offers of contacts that have their own folder, and shows the others one at a time if a person
 * can answer.
 */
export function listen(
  options: ListenOptions,
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  const { receiving } = options.settings ?? defaultSettings
  const target = {
    directory: options.out ?? '.',
    options: receiveOptionsOf(receiving),
  }
  return withClient(
    options,
    reporter,
    async (client) => {
      const error = applyLimits(client, options)
      if (error !== null) return err(error)
      if (target.directory === outputName) {
        return err(appError('E_BAD_ARGUMENT', text.argument.listenToOutput, '--out'))
      }
      if (client.snapshot().state.contacts.length === 0) {
        return err(appError('E_BAD_ARGUMENT', text.argument.noContacts))
      }
      if (target.directory === '') {
        return err(appError('E_BAD_ARGUMENT', text.argument.emptyPath, '--out'))
      }
      const unusable = await Promise.race([stopped, checkTarget(target.directory)])
      if (typeof unusable === 'string') return ok(exitCodes.complete)
      if (unusable !== null) return err(unusable)
      const endKeys = listenKeys(client, options, terminal)
      const work = terminal.canAsk ? answerAll(client, target, reporter, terminal) : stopped
      await Promise.race([stopped, work])
      endKeys()
      return ok(exitCodes.complete)
    },
    { reachable: true },
  )
}

/** Shows one offer after another, and asks about it. */
async function answerAll(
  client: Client,
  { directory, options }: { readonly directory: string; readonly options: ReceiveOptions },
  reporter: Reporter,
  terminal: Terminal,
): Promise<never> {
  for (;;) {
    const invitation = await waitForState(client, ({ invitations }) => invitations.at(-1))
    const accepted = client.contacts.accept(invitation)
    if (!accepted.ok) {
      reporter.fail(accepted.error)
      client.contacts.decline(invitation)
      continue
    }
    const plan = { directory, options }
    const request = { plan, asksConflict: false, yes: false, quiet: false }
    const received = await receive(client, accepted.value, request, reporter, terminal)
    if (!received.ok) reporter.fail(received.error)
  }
}

/** Keys that pause and resume all transfers, and stop listening. */
function listenKeys(
  client: Client,
  { json, quiet }: ListenOptions,
  terminal: Terminal,
): () => void {
  if (json === true) return () => undefined
  const running = () => client.snapshot().state.receives.filter(isRunning)
  return obeyKeys(terminal, quiet === true, {
    isPaused: () => running().some(({ flow }) => flow.kind === 'paused'),
    pause: (paused) => {
      for (const { id } of running()) void client.receives.get(id)?.pause(paused)
    },
    stop: () => void process.kill(process.pid, 'SIGINT'),
  })
}
