import type { Client } from '#client/client'
import { waitForState } from '#client/wait-for-state'
import type { Share } from '#shared/app-state'
import { appError } from '#shared/errors'
import { makeJoinLink } from '#shared/join-link'
import { limits } from '#shared/limits'
import { err, ok } from '#shared/result'
import { type NetworkOptions, withClient } from './compose-client'
import { type ContactOptions, requestContacts } from './contact-requests'
import { addresseesOf, storedContacts, type ToOptions } from './contacts'
import {
  type ExitCode,
  exitCodeOf,
  exitCodeOfOne,
  exitCodeOfShare,
  exitCodeOfSignal,
} from './exit-codes'
import {
  applyLimits,
  type LimitFlags,
  type PairingFlags,
  readLimits,
  readShare,
  type ShareFlags,
} from './flags'
import { qrLines } from './qr-text'
import type { Reporter } from './reporter'
import { readText } from './standard-input'
import type { StopSignal } from './stop-signal'
import type { Terminal } from './terminal'

/** The options of `thru host`. */
export type HostOptions = NetworkOptions &
  PairingFlags &
  LimitFlags &
  ShareFlags &
  ToOptions &
  ContactOptions & { readonly qr?: boolean }

/** True when the only receiver of a share has ended for good. */
const hasServedItsOne = ({ codeEnd, receivers }: Share): boolean =>
  codeEnd === 'one-receiver' &&
  receivers.every(({ phase }) => phase === 'done' || phase === 'failed')

/** It is refused then, whatever follows. */
const isTooMuch = (text: string): boolean => text.length > limits.textBytes

/** `thru host`: offers `paths` and a text until it is stopped, or fails. */
export async function host(
  paths: readonly string[],
  options: HostOptions,
  reporter: Reporter,
  terminal: Terminal,
  stopped: Promise<StopSignal>,
): Promise<ExitCode> {
  const stop = new AbortController()
  const text = () => readText(process.stdin, isTooMuch, stop.signal)
  const offer = await Promise.race([stopped, readShare(paths, options, text)])
  stop.abort()
  if (typeof offer === 'string') return exitCodeOfSignal(offer)
  const limitsGiven = readLimits(options)
  const to = addresseesOf(storedContacts(), options.to ?? [], options.serverUrl)
  const refused = [offer, limitsGiven, to].find(({ ok: isRight }) => !isRight)
  if (!offer.ok || !to.ok || refused !== undefined) {
    const error = refused !== undefined && !refused.ok ? refused.error : appError('E_INTERNAL')
    reporter.fail(error)
    return exitCodeOf(error)
  }
  const { ids, serverUrl } = to.value
  const where = serverUrl === undefined ? options : { ...options, serverUrl }
  return withClient(where, reporter, async (client) => {
    const refused = applyLimits(client, options)
    if (refused !== null) return err(refused)
    await requestContacts(client, options, terminal)
    if (options.qr === true && options.json !== true) drawCodes(client, terminal)
    const opened = client.openShare({ ...offer.value, to: ids })
    if (!opened.ok) return opened
    const end = await Promise.race([
      stopped,
      waitForState(client, ({ shares }) => shares[0]?.error),
      waitForState(client, ({ shares }) => shares.find(hasServedItsOne)),
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

/** Draws the join link of each new code below it; the same code may be reported again. */
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
