import type { Client } from '#client/client'
import { waitForState } from '#client/wait-for-state'
import type { Share, ShareId } from '#shared/app-state'
import { appError } from '#shared/errors'
import { makeJoinLink } from '#shared/join-link'
import { limits } from '#shared/limits'
import { err, ok } from '#shared/result'
import { copied, copiers, copySequence } from './clipboard'
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
import { obeyKeys } from './pause-keys'
import { qrLines } from './qr-text'
import type { Reporter } from './reporter'
import { readText } from './standard-input'
import type { StopSignal } from './stop-signal'
import { sendSequence, type Terminal } from './terminal'
import { text } from './text'

/** The options of `thru host`. */
export type HostOptions = NetworkOptions &
  PairingFlags &
  LimitFlags &
  ShareFlags &
  ToOptions &
  ContactOptions & { readonly qr?: boolean; readonly copy?: boolean }

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
  const input = () => readText(process.stdin, isTooMuch, stop.signal)
  const offer = await Promise.race([stopped, readShare(paths, options, input)])
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
    if (options.copy === true) copyLinks(client, options, terminal)
    const opened = client.openShare({ ...offer.value, to: ids })
    if (!opened.ok) return opened
    const stopKeys = hostKeys(client, opened.value, options, terminal)
    const end = await Promise.race([
      stopped,
      waitForState(client, ({ shares }) => shares[0]?.error),
      waitForState(client, ({ shares }) => shares.find(hasServedItsOne)),
    ])
    stopKeys()
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

/** Pauses and resumes all receivers. */
function hostKeys(
  client: Client,
  share: ShareId,
  { json, quiet }: HostOptions,
  terminal: Terminal,
): () => void {
  if (json === true) return () => undefined
  return obeyKeys(terminal, quiet === true, {
    isPaused: () => client.snapshot().state.shares.some(({ id, paused }) => id === share && paused),
    pause: (paused) => void client.pauseShare(share, null, paused),
    stop: () => void process.kill(process.pid, 'SIGINT'),
  })
}

/** Draws the join link of each new code below it. */
const drawCodes = (client: Client, terminal: Terminal): void =>
  forEachLink(client, (link) => {
    for (const line of qrLines(link)) terminal.note(line)
  })

/** Copies the join link of each new code. */
const copyLinks = (client: Client, { json, quiet }: HostOptions, terminal: Terminal): void =>
  forEachLink(client, (link) => {
    void copied(link, copiers(process.platform, process.env)).then((done) => {
      if (!done) sendSequence(copySequence(link))
      if (done && json !== true && quiet !== true) terminal.note(text.transfer.copied)
    })
  })

/** The same code may be reported again. */
function forEachLink(client: Client, use: (link: string) => void): void {
  let used: string | null = null
  client.subscribe((batch) => {
    for (const { event } of batch) {
      if (event.type !== 'share-coded' || event.code === used) continue
      used = event.code
      const { code, server = null } = event
      use(makeJoinLink({ code, server }))
    }
  })
}
