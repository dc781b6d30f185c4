import { type NetworkOptions, withClient } from './compose-client'
import { exitCodeOf, exitCodeOfReceive, exitCodes, type ExitCode } from './exit-codes'
import { totalsText } from './plain-reporter'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import type { Terminal } from './terminal'
import { resolve } from 'node:path'
import type { Client } from '#client/client'
import { until } from '#client/until'
import type { Item, Receive, ReceiveId } from '#shared/app-state'
import { appError } from '#shared/errors'
import { formatBytes, formatCounted } from '#shared/format'
import { err, ok } from '#shared/result'

/** The options of `thru join`. */
export type JoinOptions = NetworkOptions & { readonly out: string; readonly yes?: boolean }

/** More would scroll the question's beginning away. */
const itemsShown = 20

/** `thru join`: receives into a folder, after asking unless `--yes` was given. */
export async function join(
  code: string,
  options: JoinOptions,
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  if (options.yes !== true && !terminal.canAsk) {
    const error = appError(
      'E_BAD_ARGUMENT',
      'nobody can be asked here: add --yes to accept',
      '--yes',
    )
    reporter.fail(error)
    return exitCodeOf(error)
  }
  return withClient(options, reporter, async (client) => {
    const joined = client.join(code)
    if (!joined.ok) return joined
    const result = await Promise.race([stopped, receive(client, joined.value, options, terminal)])
    if (typeof result !== 'string') return result
    client.cancel(joined.value)
    return ok(result === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated)
  })
}

async function receive(client: Client, id: ReceiveId, options: JoinOptions, terminal: Terminal) {
  const ended = until(client, ({ receives }) => receives.find(hasEnded))
  const offer = await Promise.race([
    ended,
    until(client, ({ receives }) => receives.find(({ phase }) => phase === 'offered')),
  ])
  if (offer.phase === 'offered') {
    const directory = resolve(options.out)
    const isWanted = options.yes === true || (await askFor(offer, directory, ended, terminal))
    const done = isWanted ? client.accept(id, directory) : client.cancel(id)
    // The sender may have gone while the question stood there: how it ended is told below.
    if (!done.ok && !client.snapshot().state.receives.some(hasEnded)) return err(done.error)
  }
  return ok(exitCodeOfReceive(await ended))
}

const hasEnded = ({ phase }: Receive): boolean => phase === 'done' || phase === 'failed'

/** False also when the sender ends the offer before there is an answer. */
async function askFor(
  offer: Receive,
  directory: string,
  ended: Promise<Receive>,
  terminal: Terminal,
): Promise<boolean> {
  const withdrawn = new AbortController()
  void ended.then(() => withdrawn.abort())
  terminal.note(`${offer.from} offers:`)
  for (const item of offer.items.slice(0, itemsShown)) terminal.note(`  ${itemText(item)}`)
  if (offer.items.length > itemsShown) {
    terminal.note(`  and ${formatCounted(offer.items.length - itemsShown, 'more item')}`)
  }
  if (offer.totals !== null) terminal.note(totalsText(offer.totals))
  return terminal.ask(`Receive into ${directory}?`, withdrawn.signal)
}

const itemText = ({ name, kind, files, bytes }: Item): string =>
  kind === 'folder'
    ? `${name}/ · ${formatCounted(files, 'file')} · ${formatBytes(bytes)}`
    : `${name} · ${formatBytes(bytes)}`
