/** `thru listen` receives from contacts until it is stopped. */
import type { Client } from '#client/client'
import { waitForState } from '#client/wait-for-state'
import { appError } from '#shared/errors'
import { err, ok } from '#shared/result'
import type { ReceiveOptions } from '#shared/settings/receive-options'
import { defaultSettings } from '#shared/settings/settings'
import { receiveOptionsOf } from '#shared/settings/settings-defaults'
import { type Invitation, isSameInvitation } from '#shared/state/contacts'
import type { NetworkOptions } from '../compose-client'
import { withClient } from '../compose-client'
import { type ExitCode, exitCodes } from '../exit-codes'
import { applyLimits, type LimitFlags, outputName } from '../options/flags'
import type { Reporter } from '../report/reporter'
import { contactName } from '../report/state-lookup'
import type { StopSignal } from '../terminal/stop-signal'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import { receive } from './receive'
import { checkTarget } from './target-check'

/** The options of `thru listen`. */
export type ListenOptions = NetworkOptions & LimitFlags & { readonly out?: string }

/**
 * Saves offers of contacts that have their own folder, and asks about the others one at a time if
 * a person can answer.
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
      const stop = new AbortController()
      const work = terminal.canAsk
        ? answerAll(client, target, reporter, terminal, stop.signal)
        : stopped
      await Promise.race([stopped, work])
      stop.abort()
      return ok(exitCodes.complete)
    },
    { reachable: true },
  )
}

/** Asks about one invitation after another until `stop` aborts. */
export async function answerAll(
  client: Client,
  { directory, options }: { readonly directory: string; readonly options: ReceiveOptions },
  reporter: Reporter,
  terminal: Terminal,
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    const invitation = await waitForState(client, ({ invitations }) => invitations.at(-1))
    const answer = await isWanted(client, invitation, terminal, stop)
    if (stop.aborted) return
    if (!answer) {
      client.contacts.decline(invitation)
      continue
    }
    const accepted = client.contacts.accept(invitation)
    if (!accepted.ok) continue
    const plan = { directory, options }
    const request = { plan, asksConflict: false, yes: false, quiet: false }
    const received = await receive(client, accepted.value, request, reporter, terminal)
    if (!received.ok) reporter.fail(received.error)
  }
}

/** The question also ends when the sender withdraws its invitation, or `stop` aborts. */
async function isWanted(
  client: Client,
  invitation: Invitation,
  terminal: Terminal,
  stop: AbortSignal,
): Promise<boolean> {
  const gone = new AbortController()
  const unsubscribe = client.subscribe(() => {
    const { invitations } = client.snapshot().state
    if (!invitations.some((one) => isSameInvitation(one, invitation))) gone.abort()
  })
  const name = contactName(client.snapshot().state, invitation.contact)
  const answer = await terminal.ask(
    text.prompt.invitation(name),
    AbortSignal.any([gone.signal, stop]),
  )
  unsubscribe()
  return answer
}
