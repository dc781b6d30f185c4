/** `thru listen` receives from contacts until it is stopped. */
import type { Client } from '#client/client'
import { waitForState } from '#client/wait-for-state'
import { appError } from '#shared/errors'
import { formatSafety } from '#shared/format/format'
import { visibleText } from '#shared/format/visible-text'
import { err, ok } from '#shared/result'
import type { ReceiveOptions } from '#shared/settings/receive-options'
import { defaultSettings } from '#shared/settings/settings'
import { receiveOptionsOf } from '#shared/settings/settings-defaults'
import type { ReceiveId } from '#shared/state/app-state'
import type { Invitation } from '#shared/state/contacts'
import type { NearbyQuestion } from '#shared/state/nearby'
import type { NetworkOptions } from '../compose-client'
import { withClient } from '../compose-client'
import { type ExitCode, exitCodes } from '../exit-codes'
import { applyLimits, type LimitFlags, outputName } from '../options/flags'
import type { Reporter } from '../report/reporter'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import type { CommandContext } from './command-context'
import { receiveKeys } from './pause-keys'
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
  { reporter, terminal, stopped }: CommandContext,
): Promise<ExitCode> {
  const { receiving } = options.settings ?? defaultSettings
  const target = {
    directory: options.out ?? '.',
    options: receiveOptionsOf(receiving),
  }
  // Only a person can compare numbers.
  const receivesNearby = terminal.canAsk && options.json !== true ? 'everyone' : 'contacts'
  return withClient(
    options,
    reporter,
    async (client) => {
      const error = applyLimits(client, options)
      if (error !== null) return err(error)
      if (target.directory === outputName) {
        return err(appError('E_BAD_ARGUMENT', text.argument.listenToOutput, '--out'))
      }
      const { contacts, localNetwork } = client.snapshot().state
      const mayAsk = receivesNearby === 'everyone' && localNetwork.phase !== 'off'
      if (contacts.length === 0 && !mayAsk) {
        return err(appError('E_BAD_ARGUMENT', text.argument.noContacts))
      }
      if (target.directory === '') {
        return err(appError('E_BAD_ARGUMENT', text.argument.emptyPath, '--out'))
      }
      const unusable = await Promise.race([stopped, checkTarget(target.directory)])
      if (typeof unusable === 'string') return ok(exitCodes.complete)
      if (unusable !== null) return err(unusable)
      const endKeys = receiveKeys(client, options, terminal)
      const work = terminal.canAsk ? answerAll(client, target, reporter, terminal) : stopped
      await Promise.race([stopped, work])
      endKeys()
      return ok(exitCodes.complete)
    },
    { reachable: true, receivesNearby },
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
    const asked = await waitForState(
      client,
      ({ invitations, nearbyQuestions }) =>
        invitations.at(-1) ?? nearbyQuestions.filter(({ phase }) => phase === 'asking').at(-1),
    )
    const accepted =
      'safety' in asked
        ? await answerNearby(client, asked, terminal)
        : acceptInvitation(client, asked, reporter)
    if (accepted === null) continue
    const plan = { directory, options }
    const request = { plan, asksConflict: false, yes: false, quiet: false }
    const received = await receive(client, accepted, request, reporter, terminal)
    if (!received.ok) reporter.fail(received.error)
  }
}

/** Returns the receive of a contact's invitation; `null` if it can't begin. */
function acceptInvitation(
  client: Client,
  invitation: Invitation,
  reporter: Reporter,
): ReceiveId | null {
  const accepted = client.contacts.accept(invitation)
  if (accepted.ok) return accepted.value
  reporter.fail(accepted.error)
  client.contacts.decline(invitation)
  return null
}

/** Returns the receive from a nearby computer once both people have agreed; `null` otherwise. */
async function answerNearby(
  client: Client,
  { id, name, safety }: NearbyQuestion,
  terminal: Terminal,
): Promise<ReceiveId | null> {
  const gone = new AbortController()
  let unsubscribe = (): void => undefined
  const over = new Promise<ReceiveId | null>((resolve) => {
    unsubscribe = client.subscribe((batch) => {
      for (const { event } of batch) {
        if (event.type !== 'nearby-question-removed' || event.id !== id) continue
        gone.abort()
        resolve(event.begun ?? null)
      }
    })
  })
  const question = text.prompt.nearby(visibleText(name), formatSafety(safety))
  const isAccepted = await terminal.ask(question, gone.signal)
  const isOpen = client.nearby.answer(id, isAccepted).ok
  const received = isOpen && isAccepted ? await over : null
  unsubscribe()
  return received
}
