import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { NewPlan } from '#client/session/requests'
import { fakeKey } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import type { ReceiveId, TransferId } from '#shared/state/app-state'
import { midway, oneFile } from '#shared/testing/figures'
import { accepted, fail, type Line, offerTo } from '../../engine-events'
import { folderWithFile, rigWithServer, type Station } from '../../rig'
import { joinShare, openShare, receiveIn, receiveOf, shareIn } from '../../transfers'

const folder = folderWithFile()
const rig = rigWithServer()

const plan = {
  directory: folder,
  options: { ...defaultReceiveOptions, conflict: 'skip' as const },
  selection: { only: ['photos'], except: [], first: [] },
}
/** Accepts everything, with the default options. */
const defaultPlan: NewPlan = { directory: folder }
const outcome = { ...oneFile, files: 2, bytes: 10, transferred: 4 }

const nightMs = 8 * 60 * 60_000

function start({ engine }: Station, line: Line, progress = midway): void {
  const { session, peer } = line
  engine.emit(accepted(line), { type: 'progress', session, peer, ...progress })
}

async function running(accepting: NewPlan = plan, progress = midway) {
  const sender = rig.station({ name: 'Mina' })
  const { code } = await openShare(sender)
  const { receiver, receive, line, receiveId } = await joinShare(rig.station(), code)
  offerTo(receiver, line)
  expect(receiver.client.receives.get(receive)?.accept(accepting).ok).toBe(true)
  start(receiver, line, progress)
  return { sender, receiver, receive, line, transfer: receiveId, code }
}

/** Lets the next attempt begin; returns its session and peer. */
async function attempt(receiver: Station, count: number, delayMs = 1000): Promise<Line> {
  await receiver.clock.untilDelay(delayMs)
  receiver.clock.advance(delayMs)
  return receiver.engine.nth('open-receive', count)
}

it('a receive that keeps extended attributes asks for them again on the next link', async () => {
  const options = { ...plan.options, keepAttributes: true }
  const { receiver, line, code, transfer } = await running({ ...plan, options })
  expect(receiver.engine.all('open-receive')).toMatchObject([{ attributes: false }])
  fail(receiver, line, 'E_PEER_GONE')
  await attempt(receiver, 2)
  expect(receiver.engine.all('open-receive')[1]).toMatchObject({ attributes: true })
  await receiver.client.close()
  const later = rig.station({ stateDir: receiver.stateDir })
  expect(later.client.join(code, transfer as TransferId).ok).toBe(true)
  expect(await later.engine.nth('open-receive')).toMatchObject({ attributes: true })
})

it('a receive to standard output fails with its connection, and leaves no entry', async () => {
  const { receiver, line } = await running({ ...plan, toOutput: true })
  expect(receiver.engine.all('accept').at(-1)).toMatchObject({ toOutput: true })
  fail(receiver, line, 'E_PEER_GONE')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code: 'E_PEER_GONE' } })
  expect(receiver.client.snapshot().state.resumableReceives).toEqual([])
})

it.each([
  ['fails with its connection once something came', 6, 'failed'],
  ['looks for its sender before anything came', 0, 'reconnecting'],
] as const)('a receive of a stream %s', async (_, transferred, wanted) => {
  const { receiver, line } = await running(plan, { ...midway, transferred: 0 })
  const { session, peer } = line
  receiver.engine.emit(
    {
      ...{ type: 'offer', session, peer },
      items: [{ id: 0, name: 'data', kind: 'stream', files: 1, bytes: 0 }],
      ...{ files: 1, folders: 0, bytes: 0, dotNames: false, leftOut: [] },
    },
    { type: 'progress', session, peer, ...midway, transferred },
  )
  fail(receiver, line, 'E_PEER_GONE')
  expect(receiveOf(receiver)?.phase).toBe(wanted)
  if (transferred > 0) expect(receiveOf(receiver)?.error?.code).toBe('E_STREAM_BROKEN')
})

describe('an accepted receive that loses its connection', () => {
  it('finds the sender again, accepts automatically and finishes', async () => {
    const { receiver, line, transfer } = await running()
    fail(receiver, line, 'E_PEER_GONE')
    expect(receiveOf(receiver)).toMatchObject({ phase: 'reconnecting', attempt: 1 })
    const next = await attempt(receiver, 2)
    // The first files are here already.
    expect(next).toMatchObject({ receiveId: transfer, prefetch: false })
    expect(next.session).not.toBe(line.session)
    expect(receiveOf(receiver)).toMatchObject({ phase: 'reconnecting', attempt: 1 })
    offerTo(receiver, next)
    expect(await receiver.engine.nth('accept', 2)).toEqual({
      ...{ type: 'accept', session: next.session },
      ...{ ...plan, autoAccept: null, toOutput: false, waitForRoom: true },
    })
    start(receiver, next)
    receiver.engine.emit({ type: 'finished', session: next.session, peer: next.peer, ...outcome })
    expect(receiveOf(receiver)).toMatchObject({
      phase: 'done',
      outcome: { bytes: 10, transferred: 10 },
    })
    const { session } = line
    expect(receiver.engine.all('end-session')).toEqual([{ type: 'end-session', session }])
  })

  it('searches for the sender immediately after a wake-up', async () => {
    const { receiver, line } = await running()
    fail(receiver, line, 'E_PEER_GONE')
    receiver.client.onWake()
    const next = await attempt(receiver, 2, 0)
    expect(next.session).not.toBe(line.session)
  })

  it.each([
    ['its computer slept', false],
    ['both computers slept, beside a server that began anew,', true],
  ] as const)('NET-26: continues after %s for eight hours', async (_, bothSlept) => {
    const { sender, receiver, line, transfer } = await running()
    receiver.clock.sleep(nightMs)
    fail(receiver, line, 'E_PEER_GONE')
    if (bothSlept) {
      sender.clock.sleep(nightMs)
      await rig.stopServer()
      await shareIn(sender, 'reconnecting')
      await rig.startServer()
      sender.client.onWake()
      sender.clock.advance(0)
      await shareIn(sender, 'open')
    }
    receiver.client.onWake()
    const next = await attempt(receiver, 2, 0)
    expect(next).toMatchObject({ receiveId: transfer })
    offerTo(receiver, next)
    await receiver.engine.nth('accept', 2)
    start(receiver, next)
    expect(receiveOf(receiver)?.phase).toBe('receiving')
  })

  it('accepts once, however often the share grows', async () => {
    const { receiver, line } = await running()
    fail(receiver, line, 'E_PEER_GONE')
    const next = await attempt(receiver, 2)
    offerTo(receiver, next)
    offerTo(receiver, next)
    await receiver.engine.nth('accept', 2)
    expect(receiver.engine.all('accept')).toHaveLength(2)
  })

  it('waits longer after each attempt, and gives up after ten minutes', async () => {
    const { receiver, line } = await running()
    await rig.stopServer()
    const lostAtMs = receiver.clock.now()
    fail(receiver, line, 'E_PEER_GONE')
    const delays: number[] = []
    for (let count = 1; receiveOf(receiver)?.phase === 'reconnecting'; count += 1) {
      const delayMs = Math.min(30_000, 1000 * 1.5 ** (count - 1))
      expect(receiveOf(receiver)?.attempt).toBe(count)
      await receiver.clock.untilDelay(delayMs)
      delays.push(delayMs)
      receiver.clock.advance(delayMs)
      await waitForState(receiver.client, ({ receives }) =>
        receives[0]?.phase !== 'reconnecting' || receives[0].attempt > count ? true : null,
      )
    }
    expect(delays.slice(0, 3)).toEqual([1000, 1500, 2250])
    expect(Math.max(...delays)).toBe(30_000)
    expect(receiver.clock.now() - lostAtMs).toBeLessThanOrEqual(600_000)
    expect(receiver.clock.now() - lostAtMs).toBeGreaterThan(560_000)
    expect(receiveOf(receiver)).toMatchObject({
      ...{ phase: 'interrupted', progress: { bytes: 6 } },
      error: { code: 'E_SERVER_UNREACHABLE' },
    })
  })

  it('restarts its count when data has arrived', async () => {
    const { receiver, line } = await running()
    fail(receiver, line, 'E_PEER_GONE')
    const second = await attempt(receiver, 2)
    fail(receiver, second, 'E_NO_ROUTE')
    expect(receiveOf(receiver)?.attempt).toBe(2)
    const third = await attempt(receiver, 3, 1500)
    offerTo(receiver, third)
    start(receiver, third)
    fail(receiver, third, 'E_PEER_GONE')
    expect(receiveOf(receiver)).toMatchObject({ phase: 'reconnecting', attempt: 1 })
  })

  it('restarts its count when the sender was there, even without data', async () => {
    const { receiver, line } = await running()
    fail(receiver, line, 'E_PEER_GONE')
    const second = await attempt(receiver, 2)
    offerTo(receiver, second)
    start(receiver, second, { ...midway, transferred: 0 })
    receiver.clock.advance(600_000)
    fail(receiver, second, 'E_PEER_GONE')
    expect(receiveOf(receiver)).toMatchObject({ phase: 'reconnecting', attempt: 1 })
    expect(receiver.clock.delays).toContain(1500)
  })

  it('retries when its old place at the sender is still taken', async () => {
    const { receiver, line } = await running()
    fail(receiver, line, 'E_PEER_GONE')
    fail(receiver, await attempt(receiver, 2), 'E_TOO_MANY_RECEIVERS')
    expect(receiveOf(receiver)).toMatchObject({ phase: 'reconnecting', attempt: 2 })
  })

  it('NET-21: retries when a login page answers in place of the server', async () => {
    const { receiver, line } = await running()
    await rig.stopServer()
    const portal = createServer((_request, response) => {
      response.writeHead(302, { Location: 'http://login.example/', Connection: 'close' }).end()
    })
    await new Promise<void>((resolve) => {
      portal.listen(Number(new URL(rig.url).port), '127.0.0.1', resolve)
    })
    fail(receiver, line, 'E_PEER_GONE')
    await attempt(receiver, 2)
    const lost = await waitForState(receiver.client, ({ receives: [receive] }) =>
      receive?.attempt === 1 ? null : receive,
    )
    expect(lost).toMatchObject({ phase: 'reconnecting', attempt: 2 })
    await new Promise((resolve) => portal.close(resolve))
    await rig.startServer()
    offerTo(receiver, await attempt(receiver, 3, 1500))
  })

  it.each([
    'E_STOPPED',
    'E_DECLINED',
    'E_CANCELLED',
    'E_CODE_MISMATCH',
    'E_DISK_IO',
    'E_TARGET_GONE',
    'E_PEER_IDENTITY',
    'E_TOO_MANY_RECEIVERS',
    'E_NO_SUCH_CODE',
  ] as const)('does not reconnect after %s', async (code) => {
    const { receiver, line } = await running()
    fail(receiver, line, code)
    expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code } })
    await receiver.client.close()
    expect(receiver.engine.all('open-receive')).toHaveLength(1)
  })

  it('can be canceled while it searches for the sender', async () => {
    const { receiver, receive, line } = await running()
    fail(receiver, line, 'E_PEER_GONE')
    expect(receiver.client.receives.get(receive)?.cancel().ok).toBe(true)
    expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code: 'E_CANCELLED' } })
    receiver.clock.advance(600_000)
    await receiver.client.close()
    expect(receiver.engine.all('open-receive')).toHaveLength(1)
  })

  it('is not retried when nothing was accepted', async () => {
    const { code } = await running()
    const other = rig.station()
    other.client.join(code)
    const opened = await other.engine.nth('open-receive')
    offerTo(other, opened)
    fail(other, opened, 'E_PEER_GONE')
    expect((await receiveIn(other, 'failed')).error?.code).toBe('E_PEER_GONE')
  })
})

describe('a change during a receive', () => {
  it('is repeated over the next connection: the selection, and a pause', async () => {
    const { receiver, receive, line } = await running()
    const { client, engine } = receiver
    const change = (pattern: string, wanted: boolean) =>
      client.receives.get(receive)?.select({ patterns: [pattern], wanted }).ok
    expect([change('a', false), change('b', false), change('a', true)]).toEqual([true, true, true])
    expect(engine.all('change-selection')).toHaveLength(3)
    fail(receiver, line, 'E_PEER_GONE')
    expect(client.receives.get(receive)?.pause(true).ok).toBe(true)
    expect(engine.all('set-paused')).toEqual([])
    const next = await attempt(receiver, 2)
    offerTo(receiver, next)
    await receiver.engine.nth('accept', 2)
    start(receiver, next)
    const { session, peer } = next
    expect(engine.all('change-selection').slice(3)).toEqual([
      { type: 'change-selection', session, patterns: ['b'], wanted: false },
      { type: 'change-selection', session, patterns: ['a'], wanted: true },
    ])
    expect(engine.all('set-paused')).toEqual([{ type: 'set-paused', session, peer, paused: true }])
    expect(receiveOf(receiver)?.phase).toBe('paused')
  })

  it('is refused before anything is accepted', async () => {
    const { code } = await running()
    const other = rig.station()
    const joined = other.client.join(code)
    const receive = joined.ok ? joined.value : ('' as ReceiveId)
    const refusal = { ok: false, error: { code: 'E_BAD_ARGUMENT' } }
    const waiting = other.client.receives.get(receive)
    expect(waiting?.pause(true)).toMatchObject(refusal)
    expect(waiting?.select({ patterns: ['a'], wanted: false })).toMatchObject(refusal)
  })
})

it('a receive reports that its folder was deleted while it is finishing', async () => {
  const directory = join(folder, 'deleted')
  const { receiver, line } = await running({ ...plan, directory })
  receiver.engine.emit({ type: 'flow', ...line, state: { kind: 'finishing' } })
  receiver.clock.advance(10_000)
  expect(receiveOf(receiver)).toMatchObject({ phase: 'finishing', stall: 'own-disk' })
  receiver.clock.advance(2000)
  expect((await receiveIn(receiver, 'failed')).error).toMatchObject({
    ...{ code: 'E_TARGET_GONE', subject: directory },
  })
  expect(receiver.client.snapshot().state.resumableReceives).toHaveLength(1)
})

describe('an unfinished receive', () => {
  const resumableReceives = ({ client }: Station) => client.snapshot().state.resumableReceives

  it('is stored from its start to its end, every five seconds, without its code', async () => {
    const { receiver, line, transfer, code } = await running()
    expect(resumableReceives(receiver)).toMatchObject([
      { transfer, title: 'photos', from: 'Mina', bytes: 0, totalBytes: 10, ...plan },
    ])
    receiver.clock.advance(4999)
    receiver.engine.emit({ type: 'progress', ...line, ...midway })
    expect(resumableReceives(receiver)[0]?.bytes).toBe(0)
    receiver.clock.advance(1)
    receiver.engine.emit({ type: 'progress', ...line, ...midway })
    expect(resumableReceives(receiver)[0]?.bytes).toBe(6)
    const [, , ...words] = code.split('-')
    for (const word of words)
      expect(JSON.stringify(resumableReceives(receiver))).not.toContain(word)
    receiver.engine.emit({ type: 'finished', ...line, ...outcome })
    expect(resumableReceives(receiver)).toEqual([])
  })

  it('is not stored when it leaves nothing to resume', async () => {
    const { code } = await running()
    const other = rig.station()
    const joined = other.client.join(code)
    offerTo(other, await other.engine.nth('open-receive'))
    const options = { ...defaultReceiveOptions, resume: false }
    if (joined.ok) other.client.receives.get(joined.value)?.accept({ directory: folder, options })
    expect(receiveOf(other)?.phase).toBe('preparing')
    expect(resumableReceives(other)).toEqual([])
  })

  it('resumes after a restart, with the same id and its stored facts', async () => {
    const { receiver, line, transfer, code } = await running()
    fail(receiver, line, 'E_STOPPED')
    await receiver.client.close()
    const later = rig.station({ stateDir: receiver.stateDir })
    expect(resumableReceives(later)).toMatchObject([{ transfer, bytes: 6, title: 'photos' }])
    expect(later.client.join(code, 'a'.repeat(32) as TransferId)).toMatchObject({ ok: false })
    expect(later.client.join(code, transfer as TransferId).ok).toBe(true)
    expect(later.client.join(code, transfer as TransferId)).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
    expect((await later.engine.nth('open-receive')).receiveId).toBe(transfer)
  })

  it.each([
    ['another receive of all of it', defaultPlan, 0],
    ['another receive of the same choice', plan, 0],
    ['a receive into another folder', { ...plan, directory: join(folder, 'other') }, 1],
    ['a receive of less', { ...plan, selection: { ...plan.selection, only: ['photos/a'] } }, 1],
  ])('and %s, once that is complete', async (_, accepting, left) => {
    const { receiver, line, code } = await running()
    fail(receiver, line, 'E_STOPPED')
    await receiver.client.close()
    const later = rig.station({ stateDir: receiver.stateDir })
    const joined = later.client.join(code)
    const again = await later.engine.nth('open-receive')
    offerTo(later, again)
    if (joined.ok) later.client.receives.get(joined.value)?.accept(accepting)
    start(later, again)
    expect(resumableReceives(later)).toHaveLength(2)
    later.engine.emit({ type: 'finished', session: again.session, peer: again.peer, ...outcome })
    expect(resumableReceives(later)).toHaveLength(left)
  })

  it.each([
    ['another receive of all of it', defaultPlan, 1],
    ['a receive of less', { ...plan, selection: { ...plan.selection, only: ['photos/a'] } }, 2],
  ])('is listed once after %s from the same code', async (_, accepting, left) => {
    const key = (line: Line) => ({ type: 'resume-key', ...line, key: fakeKey('resume') }) as const
    const { receiver, line, code } = await running()
    receiver.engine.emit(key(line))
    fail(receiver, line, 'E_STOPPED')
    await receiver.client.close()
    const later = rig.station({ stateDir: receiver.stateDir })
    const joined = later.client.join(code)
    const again = await later.engine.nth('open-receive')
    offerTo(later, again)
    if (joined.ok) later.client.receives.get(joined.value)?.accept(accepting)
    later.engine.emit(key({ session: again.session, peer: again.peer }))
    expect(resumableReceives(later)).toHaveLength(left)
  })

  it('is deleted with its partial files, unless it runs', async () => {
    const { receiver, line, code, transfer } = await running()
    const id = transfer as TransferId
    expect(await receiver.client.deletePartial(id)).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
    fail(receiver, line, 'E_STOPPED')
    const joined = receiver.client.join(code)
    const other = await receiver.engine.nth('open-receive', 2)
    offerTo(receiver, other)
    if (joined.ok) receiver.client.receives.get(joined.value)?.accept(defaultPlan)
    start(receiver, other)
    fail(receiver, other, 'E_STOPPED')
    expect(resumableReceives(receiver)).toHaveLength(2)
    const deleted = receiver.client.deletePartial(id)
    const { session, directory, kept } = await receiver.engine.nth('delete-partial')
    expect([directory, kept]).toEqual([folder, [{ receiveId: other.receiveId }]])
    receiver.engine.emit({ type: 'partial-deleted', session, error: null, files: 3, bytes: 6 })
    expect(await deleted).toEqual({ ok: true, value: { files: 3, bytes: 6 } })
    // Another receive into the same folder keeps its files.
    expect(resumableReceives(receiver)).toMatchObject([{ transfer: other.receiveId }])
  })

  it('stays when the disk of its folder does not respond in a minute', async () => {
    const { receiver, line, transfer } = await running()
    fail(receiver, line, 'E_STOPPED')
    const deleted = receiver.client.deletePartial(transfer as TransferId)
    await receiver.engine.nth('delete-partial')
    receiver.clock.advance(60_000)
    expect(await deleted).toMatchObject({ error: { code: 'E_DISK_IO', subject: folder } })
    expect(resumableReceives(receiver)).toHaveLength(1)
  })

  it('stays when its folder cannot be changed, and goes when the folder is missing', async () => {
    const { receiver, line, transfer } = await running()
    const id = transfer as TransferId
    fail(receiver, line, 'E_STOPPED')
    const answer = async (code: string, count: number) => {
      const deleted = receiver.client.deletePartial(id)
      const { session } = await receiver.engine.nth('delete-partial', count)
      const error = { code, detail: '' }
      receiver.engine.emit({ type: 'partial-deleted', session, error, files: 0, bytes: 0 })
      return deleted
    }
    expect(await answer('E_TARGET_NOT_WRITABLE', 1)).toMatchObject({ ok: false })
    expect(resumableReceives(receiver)).toHaveLength(1)
    expect(await answer('E_TARGET_GONE', 2)).toMatchObject({ ok: true })
    expect(resumableReceives(receiver)).toEqual([])
  })
})
