import { type NetworkOptions, withClient } from './compose-client'
import { exitCodeOf, exitCodeOfShare, type ExitCode } from './exit-codes'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import { until } from '#client/until'
import { ok } from '#shared/result'

/** `thru host`: offers `paths` until it is stopped, or can't go on. */
export const host = (
  paths: readonly string[],
  options: NetworkOptions,
  reporter: Reporter,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> =>
  withClient(options, reporter, async (client) => {
    const opened = client.openShare(paths)
    if (!opened.ok) return opened
    const end = await Promise.race([stopped, until(client, ({ shares }) => shares[0]?.error)])
    if (typeof end !== 'string') return ok(exitCodeOf(end))
    const [share] = client.snapshot().state.shares
    client.stopShare(opened.value)
    return ok(
      share === undefined
        ? exitCodeOf({ code: 'E_INTERNAL', detail: '' })
        : exitCodeOfShare(share, end),
    )
  })
