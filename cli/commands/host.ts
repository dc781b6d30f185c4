import { isatty } from 'node:tty'
import type { Client } from '#client/client'
import type { NewShare } from '#client/session/requests'
import { waitForState } from '#client/wait-for-state'
import { normaliseJoinCode } from '#shared/code/join-code'
import { type AppError, appError } from '#shared/errors'
import { visibleText } from '#shared/format/visible-text'
import { limits } from '#shared/limits'
import { err, ok, type Result } from '#shared/result'
import { isRunning, type Share, type ShareId } from '#shared/state/app-state'
import { atThisComputer, type NetworkOptions, withClient } from '../compose-client'
import {
  type ExitCode,
  exitCodeOf,
  exitCodeOfInvited,
  exitCodeOfOne,
  exitCodeOfShare,
  exitCodeOfSignal,
  exitCodes,
} from '../exit-codes'
import {
  applyLimits,
  type LimitFlags,
  type PairingFlags,
  readLimits,
  readShare,
  type ShareFlags,
  standardInput,
  type ToOptions,
} from '../options/flags'
import { isInputPiped } from '../options/implied-command'
import { reportTo } from '../options/storage-error'
import type { Reporter } from '../report/reporter'
import { readText } from '../terminal/standard-input'
import type { Terminal } from '../terminal/terminal'
import { text } from '../text'
import { addPath } from './add-path'
import { askAboutReceivers, canApprove } from './approvals'
import type { CommandContext } from './command-context'
import { compareNumbers } from './compare-numbers'
import { type ContactOptions, requestContacts } from './contact-requests'
import { addresseesOf, storedContacts, withMembers } from './contacts'
import { scanOnly } from './dry-run'
import { chooseShare } from './host-resume'
import { mayUse } from './join'
import { findComputers } from './nearby'
import { obeyKeys } from './pause-keys'
import { startProducer } from './producer'
import { rulesOf, withRules } from './share-rules'
import { showLinks } from './show-links'
import { failureSoFar, producerFailed, type Streamed, streamServed } from './stream-share'

/** The options of `thru host`. */
export type HostOptions = NetworkOptions &
  PairingFlags &
  LimitFlags &
  ShareFlags &
  ToOptions &
  ContactOptions & { readonly resume?: string | true }

/** True once everyone for whom a share is has ended for good: its only receiver, or the invited contacts. */
function hasServed({ codeEnd, receivers, invitedOnly }: Share): boolean {
  if (codeEnd === null || codeEnd === 'everyone') return codeEnd === 'everyone'
  const isOver = receivers.every(({ phase }) => phase === 'done' || phase === 'failed')
  return isOver && (invitedOnly === true || (codeEnd === 'one-receiver' && receivers.length > 0))
}

/** True for a text that is refused, whatever follows. */
const isTooMuch = (text: string): boolean => text.length > limits.textBytes

/** Runs `thru host`: offers `paths` and texts, or else piped input, until it is stopped or fails. */
export async function host(
  paths: readonly string[],
  given: HostOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { reporter, terminal, stopped } = context
  const contacts = given.to === undefined ? [] : storedContacts(reportTo(reporter))
  const options = given.to === undefined ? given : { ...given, to: withMembers(contacts, given.to) }
  if (options.resume !== undefined) {
    return resumeShare(paths, { ...options, resume: options.resume }, context)
  }
  const stop = new AbortController()
  const input = () => readText(process.stdin, isTooMuch, stop.signal)
  const isNothing = paths.length === 0 && options.text === undefined && options.run === undefined
  const offered = isNothing && isInputPiped() ? [standardInput] : paths
  const offer = await Promise.race([
    stopped,
    readShare(offered, options, input, options.settings?.sharing),
  ])
  stop.abort()
  if (typeof offer === 'string') return exitCodeOfSignal(offer)
  const limitsGiven = readLimits(options)
  const to = addresseesOf(contacts, options.to ?? [], options.serverUrl)
  const refused = [offer, limitsGiven, to].find(({ ok: isRight }) => !isRight)
  if (!offer.ok || !to.ok || refused !== undefined) {
    const error = refused !== undefined && !refused.ok ? refused.error : appError('E_INTERNAL')
    reporter.fail(error)
    return exitCodeOf(error)
  }
  const stream = offer.value.items.find((item) => item.kind === 'stream')
  if (stream !== undefined && options.run === undefined && isatty(0)) {
    const error = appError('E_BAD_ARGUMENT', text.argument.terminalStream, '-')
    reporter.fail(error)
    return exitCodeOf(error)
  }
  if (stream !== undefined && options.dryRun === true) {
    const error = appError('E_BAD_ARGUMENT', text.argument.dryStream, '--dry-run')
    reporter.fail(error)
    return exitCodeOf(error)
  }
  if (stream !== undefined && options.json !== true && options.quiet !== true) {
    terminal.note(text.share.streamWaits(stream.name, stream.receivers))
  }
  const { words } = offer.value
  const isAsTyped = words === undefined || words === normaliseJoinCode(options.words ?? '')
  if (!isAsTyped && options.json !== true) terminal.note(text.share.wordsTaken(words))
  if (offer.value.approve === true && !canApprove(terminal, options.json)) {
    return refuseApproval(reporter)
  }
  const { ids, others, serverUrl } = to.value
  const [stranger] = others
  if (stranger !== undefined && !canApprove(terminal, options.json)) {
    const why = text.nearby.needsTerminal(visibleText(stranger))
    const error = appError('E_BAD_ARGUMENT', why, '--to')
    reporter.fail(error)
    return exitCodeOf(error)
  }
  const settled = serverUrl === undefined && ids.length > 0 ? atThisComputer(options) : options
  const where = serverUrl === undefined ? settled : { ...settled, serverUrl }
  const producer = options.run === undefined ? ok(null) : startProducer(options.run)
  if (!producer.ok) {
    reporter.fail(producer.error)
    return exitCodeOf(producer.error)
  }
  const items = offer.value.items.map((item) =>
    item.kind === 'stream' && producer.value !== null
      ? { ...item, descriptor: producer.value.descriptor }
      : item,
  )
  if (options.dryRun === true) {
    const open = (client: Client) =>
      Promise.resolve(client.openShare({ ...offer.value, items, scanOnly: true }))
    return scanOnly(open, where, context)
  }
  const open = async (client: Client): Promise<Result<ShareId, AppError>> => {
    if (options.for !== undefined) {
      return answer(client, options.for, { ...offer.value, items }, terminal)
    }
    const nearby = await findComputers(client, others)
    if (!nearby.ok) return nearby
    if (nearby.value.length === 0) return client.openShare({ ...offer.value, items, to: ids })
    compareNumbers(client, terminal)
    return client.send({ ...offer.value, items, to: ids, nearby: nearby.value })
  }
  const streamed = stream === undefined ? null : { ...stream, producer: producer.value }
  return serve(open, where, context, streamed)
}

/** Sends to the request with this code or link, whose server a person may have to confirm. */
async function answer(
  client: Client,
  code: string,
  offer: NewShare,
  terminal: Terminal,
): Promise<Result<ShareId, AppError>> {
  const opened = client.answer(code, offer)
  if (opened.ok || opened.error.code !== 'E_SERVER_UNCONFIRMED' || !terminal.canAsk) return opened
  return (await mayUse(opened.error, terminal)) ? client.answer(code, offer, true) : opened
}

/** Runs `thru host --resume`: reopens an interrupted share, or lists them. */
async function resumeShare(
  paths: readonly string[],
  options: HostOptions & { readonly resume: string | true },
  context: CommandContext,
): Promise<ExitCode> {
  const { reporter, terminal } = context
  const { json, resume, text: given, words, to = [], dryRun = false } = options
  const hasOffer = paths.length + to.length > 0 || given !== undefined
  const hasOthers = hasOffer || words !== undefined || dryRun
  const chosen = chooseShare(resume, json === true, hasOthers, reportTo(reporter))
  if (!chosen.ok) {
    reporter.fail(chosen.error)
    return exitCodeOf(chosen.error)
  }
  if ('lines' in chosen.value) {
    for (const line of chosen.value.lines) terminal.out(line)
    return exitCodes.complete
  }
  const { id, server, options: chosenOptions, rules, texts } = chosen.value.share
  if (chosenOptions.approve && !canApprove(terminal, json)) return refuseApproval(reporter)
  if (texts > 0 && json !== true) {
    terminal.note(text.receive.interruptedShares.textsGone(texts), 'bad')
  }
  const open = async (client: Client): Promise<Result<ShareId, AppError>> => {
    const [share] = await client.resumeShares((one) => one.id === id)
    const taken = appError('E_BAD_ARGUMENT', text.argument.nothingInterrupted, '--resume')
    return share === undefined ? err(taken) : ok(share)
  }
  const kept = withRules(options, rules)
  const where = server === null ? atThisComputer(kept) : { serverUrl: server, ...kept }
  return serve(open, where, context, null)
}

/** Fails the command, because `--approve` has no terminal on which to ask. */
function refuseApproval(reporter: Reporter): ExitCode {
  const error = appError('E_BAD_ARGUMENT', text.argument.cannotApprove, '--approve')
  reporter.fail(error)
  return exitCodeOf(error)
}

/** Serves the share of `open` until it is stopped or fails; a stream ends with its receivers. */
function serve(
  open: (client: Client) => Promise<Result<ShareId, AppError>>,
  options: HostOptions,
  { reporter, terminal, stopped }: CommandContext,
  stream: Streamed | null,
): Promise<ExitCode> {
  const run = async (client: Client): Promise<Result<ExitCode, AppError>> => {
    const refused = applyLimits(client, options)
    if (refused !== null) return err(refused)
    await requestContacts(client, options, terminal)
    if (canApprove(terminal, options.json)) askAboutReceivers(client, terminal)
    showLinks(client, options, terminal)
    const opened = await open(client)
    if (!opened.ok) return opened
    const stopKeys = hostKeys(client, opened.value, options, stream !== null, terminal)
    const end = await Promise.race([
      stopped,
      waitForState(client, ({ shares }) => shares[0]?.error),
      waitForState(client, ({ shares }) => shares.find(hasServed)),
      ...(stream === null ? [] : [streamServed(client, stream.receivers)]),
      ...(stream?.producer ? [producerFailed(client, opened.value, stream.producer)] : []),
    ])
    stopKeys()
    const failure = await failureSoFar(stream?.producer ?? null)
    stream?.producer?.stop()
    if (failure !== null && typeof end !== 'string') {
      reporter.fail(failure)
      return ok(exitCodes.sources)
    }
    if (typeof end !== 'string') {
      return ok('receivers' in end ? exitCodeOfServed(end) : exitCodeOf(end))
    }
    const [share] = client.snapshot().state.shares
    const isServing = share?.receivers.some((one) => isRunning(one) || isKeptFor.has(one.phase))
    const running = client.shares.get(opened.value)
    const isKept = stream === null && isServing === true && running?.suspend('stopped') === true
    if (isKept && options.json !== true) terminal.note(text.receive.interruptedShares.hint)
    running?.stop()
    return ok(
      share === undefined
        ? exitCodeOf({ code: 'E_INTERNAL', detail: '' })
        : share.invitedOnly === true
          ? exitCodeOfInvited(share, end)
          : exitCodeOfShare(share, end),
    )
  }
  return withClient(options, reporter, run, { shareRules: rulesOf(options) })
}

/** Receivers that return when the share is opened again. */
const isKeptFor: ReadonlySet<string> = new Set(['interrupted', 'in-step'])

const exitCodeOfServed = (share: Share): ExitCode =>
  share.invitedOnly === true ? exitCodeOfInvited(share) : exitCodeOfOne(share)

/** Keys that pause and resume all receivers, and add to the share. */
function hostKeys(
  client: Client,
  share: ShareId,
  { json, quiet }: HostOptions,
  isStream: boolean,
  terminal: Terminal,
): () => void {
  if (json === true) return () => undefined
  const actions = {
    isPaused: () => client.snapshot().state.shares.some(({ id, paused }) => id === share && paused),
    pause: (paused: boolean) => void client.shares.get(share)?.pause(null, paused),
    add: isStream ? undefined : () => addPath(client, share, terminal),
    stop: () => void process.kill(process.pid, 'SIGINT'),
  }
  return obeyKeys(terminal, quiet === true, actions, isOpen(client))
}

/** Resolves once receivers can join the share. */
const isOpen = (client: Client): Promise<unknown> =>
  waitForState(client, ({ shares: [share] }) => (share?.phase === 'open' ? true : undefined))
