/** `thru nearby` lists the computers on this network that can receive, and `thru host --to` calls them. */
import type { Client } from '#client/client'
import { systemClock } from '#client/clock'
import { waitForState } from '#client/wait-for-state'
import { withTimeout } from '#client/with-timeout'
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { err, ok, type Result } from '#shared/result'
import { computersNamed, type NearbyId } from '#shared/state/nearby'
import { type NetworkOptions, withClient } from '../compose-client'
import { type ExitCode, exitCodes } from '../exit-codes'
import { jsonText } from '../report/json-reporter'
import { text } from '../text'
import type { CommandContext } from './command-context'

/** Computers answer within milliseconds, unless packets get lost: the question is repeated twice in this time. */
const lookMs = 2500

/** The same for a computer that a person named. */
const findMs = 6000

/** Runs `thru nearby`. */
export function nearby(
  options: NetworkOptions,
  { reporter, terminal, stopped }: CommandContext,
): Promise<ExitCode> {
  return withClient(options, reporter, async (client) => {
    const refused = begin(client)
    if (refused !== null) return err(refused)
    await Promise.race([stopped, withTimeout(systemClock, lookMs, new Promise(() => 0), () => 0)])
    const { nearby: computers, contacts } = client.snapshot().state
    for (const { name, contact } of computers) {
      const known = contacts.find(({ id }) => id === contact)
      const shown = visibleText(name)
      if (options.json === true) {
        terminal.out(jsonText({ type: 'computer', name, contact: known !== undefined }))
      } else terminal.out(known === undefined ? shown : text.nearby.contact(shown))
    }
    if (computers.length === 0 && options.json !== true) terminal.note(text.nearby.none)
    return ok(exitCodes.complete)
  })
}

/** Begins to look for computers. Error: the local network is off. */
function begin(client: Client): AppError | null {
  if (client.snapshot().state.localNetwork.phase === 'off') {
    return appError('E_BAD_ARGUMENT', text.nearby.off)
  }
  client.nearby.browse(true)
  return null
}

/** The computers with these names. Errors: none or several have one of them, or the local network is off. */
export async function findComputers(
  client: Client,
  names: readonly string[],
): Promise<Result<readonly NearbyId[], AppError>> {
  if (names.length === 0) return ok([])
  const refused = begin(client)
  if (refused !== null) return err(refused)
  const found: NearbyId[] = []
  for (const name of names) {
    const seen = waitForState(client, ({ nearby: all }) => {
      const named = computersNamed(all, name)
      return named.length === 0 ? null : named
    })
    const named = await withTimeout(systemClock, findMs, seen, () => [])
    const [computer, ...others] = named
    const shown = visibleText(name)
    if (computer === undefined) return err(bad(text.argument.unknownContact(shown), name))
    if (others.length > 0) return err(bad(text.nearby.several(shown), name))
    found.push(computer.id)
  }
  return ok(found)
}

const bad = (words: string, name: string): AppError => appError('E_BAD_ARGUMENT', words, name)
