import { type NetworkOptions, withClient } from './compose-client'
import { exitCodeOf, exitCodeOfShare, type ExitCode } from './exit-codes'
import { applyLimits, type LimitFlags, readShare, type ShareFlags } from './flags'
import { qrLines } from './qr-text'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import type { Terminal } from './terminal'
import type { Client } from '#client/client'
import { until } from '#client/until'
import { makeJoinLink } from '#shared/join-link'
import { err, ok } from '#shared/result'

/** The options of `thru host`. */
export type HostOptions = NetworkOptions & LimitFlags & ShareFlags & { readonly qr?: boolean }

/** `thru host`: offers `paths` and a text until it is stopped, or can't go on. */
export async function host(
  paths: readonly string[],
  options: HostOptions,
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  const offer = readShare(paths, options)
  if (!offer.ok) {
    reporter.fail(offer.error)
    return exitCodeOf(offer.error)
  }
  return withClient(options, reporter, async (client) => {
    const fault = applyLimits(client, options)
    if (fault !== null) return err(fault)
    if (options.qr === true && options.json !== true) drawCodes(client, terminal)
    const opened = client.openShare(offer.value)
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
}

/** Draws the join link of each new code below it; the same code may be told again. */
function drawCodes(client: Client, terminal: Terminal): void {
  let drawn: string | null = null
  client.subscribe((batch) => {
    for (const { event } of batch) {
      if (event.type !== 'share-coded' || event.code === drawn) continue
      drawn = event.code
      for (const line of qrLines(makeJoinLink(event.code))) terminal.note(line)
    }
  })
}
