/** `thru host --dry-run` scans the files that it would share, and makes no connection. */
import type { Client } from '#client/client'
import { waitForState } from '#client/wait-for-state'
import type { AppError } from '#shared/errors'
import { ok, type Result } from '#shared/result'
import type { ShareId } from '#shared/state/app-state'
import { type NetworkOptions, withClient } from '../compose-client'
import { type ExitCode, exitCodeOf, exitCodeOfSignal, exitCodes } from '../exit-codes'
import { shareLines } from '../report/preflight-text'
import type { CommandContext } from './command-context'

/** `open` opens a share that is only scanned. The reporter reports its size, problems and followed links. */
export const scanOnly = (
  open: (client: Client) => Promise<Result<ShareId, AppError>>,
  options: NetworkOptions,
  { reporter, terminal, stopped }: CommandContext,
): Promise<ExitCode> =>
  withClient(options, reporter, async (client) => {
    const opened = await open(client)
    if (!opened.ok) return opened
    const end = await Promise.race([
      stopped,
      waitForState(client, ({ shares }) => shares[0]?.error),
      waitForState(client, ({ shares }) =>
        shares.find(({ items, totals }) => totals.complete && items.length > 0),
      ),
    ])
    if (typeof end === 'string') return ok(exitCodeOfSignal(end))
    if (!('items' in end)) return ok(exitCodeOf(end))
    if (options.json !== true && options.quiet !== true) {
      for (const line of shareLines(end)) terminal.note(line)
    }
    client.shares.get(opened.value)?.stop()
    return ok(end.problems.length === 0 ? exitCodes.complete : exitCodes.problems)
  })
