import { type NetworkOptions, withClient } from './compose-client'
import { contactsNamed, type ToOptions } from './contacts'
import { exitCodeOf, exitCodeOfOne, exitCodeOfShare, type ExitCode } from './exit-codes'
import {
  applyLimits,
  type LimitFlags,
  type PairingFlags,
  readShare,
  type ShareFlags,
} from './flags'
import { keepOthers, type KeepOptions } from './keep'
import type { Reporter } from './reporter'
import type { StopSignal } from './stop-signal'
import { until } from '#client/until'
import type { Share } from '#shared/app-state'
import { err, ok } from '#shared/result'

/** The options of `thru host`. */
export type HostOptions = NetworkOptions &
  PairingFlags &
  LimitFlags &
  ShareFlags &
  ToOptions &
  KeepOptions

/** True when the only receiver of a share has ended, and is none that may come back. */
const hasServedItsOne = ({ codeEnd, receivers }: Share): boolean =>
  codeEnd === 'one-receiver' &&
  receivers.every(({ phase }) => phase === 'done' || phase === 'failed')

/** `thru host`: offers `paths` and a text until it is stopped, or can't go on. */
export async function host(
  paths: readonly string[],
  options: HostOptions,
  reporter: Reporter,
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
    const to = contactsNamed(client, options.to)
    if (!to.ok) return to
    keepOthers(client, options)
    const opened = client.openShare({ ...offer.value, to: to.value })
    if (!opened.ok) return opened
    const end = await Promise.race([
      stopped,
      until(client, ({ shares }) => shares[0]?.error),
      until(client, ({ shares }) => shares.find(hasServedItsOne)),
    ])
    if (typeof end !== 'string') {
      return ok('receivers' in end ? exitCodeOfOne(end) : exitCodeOf(end))
    }
    const [share] = client.snapshot().state.shares
    client.stopShare(opened.value)
    return ok(
      share === undefined
        ? exitCodeOf({ code: 'E_INTERNAL', detail: '' })
        : exitCodeOfShare(share, end),
    )
  })
}
