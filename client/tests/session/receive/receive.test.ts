import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeWords, noConflicts } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { nameplateOf } from '#shared/code/join-code'
import { appError } from '#shared/errors'
import { limits } from '#shared/limits'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import { allFetched, allNew } from '#shared/testing/figures'
import { bareServer } from '../../bare-server.ts'
import { folderOffered, type Line, met, scanned } from '../../engine-events'
import { directRoute, folderWithFile, rigWithServer, type Station } from '../../rig'
import { joinShare, openShare, receiveIn, receiveOf } from '../../transfers'

const folder = folderWithFile()
const rig = rigWithServer()

const items = [{ id: 0, name: 'photos', kind: 'folder', files: 2, bytes: 10 }] as const

const offerTo = ({ engine }: Station, line: Line): void => {
  const scan = scanned(line.session, { bytes: 5, complete: false })
  engine.emit(...met(line), scan, folderOffered(line))
}

async function offered() {
  const { sender, code } = await openShare(rig.station())
  const { receiver, receive, line } = await joinShare(rig.station(), code)
  offerTo(receiver, line)
  return { sender, receiver, receive, ...line }
}

describe('a code', () => {
  it.each(['', 'apple', '4821-apple-river', '4821-zz-river-stone', '4821-zzebra-river-stone'])(
    'like %j is refused without a query',
    async (text) => {
      await rig.stopServer()
      const receiver = rig.station()
      expect(receiver.client.join(text)).toMatchObject({ error: { code: 'E_BAD_CODE' } })
      expect(receiver.client.snapshot().state.receives).toEqual([])
      expect(receiver.clock.delays).toEqual([])
    },
  )

  it('is accepted in any notation', async () => {
    const { code } = await openShare(rig.station())
    const receiver = rig.station()
    receiver.client.join(` ${code.toUpperCase().replace(/-/g, ' ')} `)
    expect(await receiver.engine.nth('open-receive')).toMatchObject({
      nameplate: nameplateOf(code),
      secret: { kind: 'words', words: fakeWords },
    })
  })

  it('ends after a few seconds when the server is unreachable', async () => {
    await rig.stopServer()
    const receiver = rig.station()
    receiver.client.join('4821-apple-river-stone')
    for (const delayMs of [1000, 1500, 2250, 3375]) {
      await receiver.clock.untilDelay(delayMs)
      receiver.clock.advance(delayMs)
    }
    const { error } = await receiveIn(receiver, 'failed')
    expect(error).toMatchObject({ code: 'E_SERVER_UNREACHABLE' })
    expect(error?.detail).toContain('ECONNREFUSED')
  })

  it('that is unknown ends with E_NO_SUCH_CODE', async () => {
    const receiver = rig.station()
    receiver.client.join('4821-apple-river-stone')
    expect((await receiveIn(receiver, 'failed')).error?.code).toBe('E_NO_SUCH_CODE')
    expect(receiveOf(receiver)?.safety).toBeNull()
  })

  it('that is unknown is tried again while its sender may still start', async () => {
    const receiver = rig.station()
    receiver.client.join('4821-apple-river-stone', undefined, false, 20_000)
    await receiver.clock.untilDelay(12_000)
    expect(await receiveIn(receiver, 'looking-up')).toMatchObject({ error: null })
    receiver.clock.advance(12_000)
    expect((await receiveIn(receiver, 'failed')).error?.code).toBe('E_NO_SUCH_CODE')
    expect(receiver.engine.all('open-receive')).toHaveLength(2)
  })
})

describe('a receive', () => {
  it('finds the sender, lists and offers', async () => {
    const { receiver } = await offered()
    expect(receiveOf(receiver)).toMatchObject({
      phase: 'offered',
      from: 'Mina',
      title: 'photos',
      items,
      totals: { files: 2, folders: 1, bytes: 10, complete: true },
      route: directRoute,
    })
  })

  it('can be accepted once there is an offer, and not before', async () => {
    const { code } = await openShare(rig.station())
    const { receiver, receive, line } = await joinShare(rig.station(), code)
    expect(receiver.client.receives.get(receive)?.accept({ directory: 'inbox' })).toMatchObject({
      error: { code: 'E_BAD_ARGUMENT' },
    })
    offerTo(receiver, line)
    expect(receiver.client.receives.get(receive)?.accept({ directory: 'inbox' }).ok).toBe(true)
    expect(receiver.engine.all('accept')).toEqual([
      {
        type: 'accept',
        session: line.session,
        directory: resolve('inbox'),
        options: defaultReceiveOptions,
        selection: selectAll,
        autoAccept: null,
        toOutput: false,
      },
    ])
    expect(receiveOf(receiver)).toMatchObject({
      phase: 'preparing',
      directory: resolve('inbox'),
    })
  })

  it('counts, reports problems and finishes; the engine forgets it a little later', async () => {
    const { receiver, receive, session, peer } = await offered()
    receiver.client.receives.get(receive)?.accept({ directory: folder })
    const counters = {
      files: 1,
      bytes: 5,
      totalFiles: 2,
      totalBytes: 10,
      transferred: 5,
      ...allFetched,
    }
    const outcome = {
      files: 1,
      bytes: 5,
      problems: 1,
      renamed: 0,
      transferred: 5,
      ...allNew,
      readBack: false,
    }
    const error = { code: 'E_HASH_MISMATCH', detail: '' }
    receiver.engine.emit(
      { type: 'progress', session, peer, ...counters },
      { type: 'item-problem', session, peer, path: 'photos/b', error },
      { type: 'finished', session, peer, ...outcome },
    )
    expect(receiveOf(receiver)).toMatchObject({
      phase: 'done',
      progress: counters,
      problems: [{ path: 'photos/b', error: { code: 'E_HASH_MISMATCH' } }],
      outcome,
    })
    expect(receiver.engine.all('end-session')).toEqual([])
    receiver.clock.advance(60_000)
    expect(receiver.engine.all('end-session')).toEqual([{ type: 'end-session', session }])
    expect(receiver.client.dismiss(receive).ok).toBe(true)
    expect(receiver.client.snapshot().state.receives).toEqual([])
  })

  it('reports changed names, also of later additions', async () => {
    const { receiver, receive, session, peer } = await offered()
    receiver.client.receives.get(receive)?.accept({ directory: folder })
    const [first, second] = [
      { path: 'a:b', writtenAs: 'a_b' },
      { path: 'c:d', writtenAs: 'c_d' },
    ]
    const found = { resumedBytes: 0, conflicts: noConflicts, mappedCount: 1, mappedNames: [first] }
    receiver.engine.emit(
      { type: 'accepted', session, peer, ...found },
      { type: 'names-mapped', session, peer, mappedCount: 1234, mappedNames: [second] },
    )
    expect(receiveOf(receiver)).toMatchObject({
      ...{ mappedCount: 1234, mappedNames: [first, second] },
    })
  })

  it.each(['E_CODE_MISMATCH', 'E_NO_ROUTE', 'E_PEER_GONE', 'E_DISK_FULL', 'E_STOPPED'] as const)(
    'fails with %s when the engine reports it',
    async (code) => {
      const { receiver, session, peer } = await offered()
      const error = { code, detail: 'because' }
      receiver.engine.emit({ type: 'failed', session, peer, error })
      expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error })
      expect(receiver.engine.all('end-session')).toEqual([{ type: 'end-session', session }])
    },
  )

  it('is declined while it is offered and canceled while it runs', async () => {
    const one = await offered()
    expect(one.receiver.client.receives.get(one.receive)?.cancel().ok).toBe(true)
    expect((await receiveIn(one.receiver, 'failed')).error?.code).toBe('E_DECLINED')
    const two = await offered()
    two.receiver.client.receives.get(two.receive)?.accept({ directory: folder })
    expect(two.receiver.client.receives.get(two.receive)?.cancel().ok).toBe(true)
    expect((await receiveIn(two.receiver, 'failed')).error?.code).toBe('E_CANCELLED')
    expect(two.receiver.client.receives.has(two.receive)).toBe(false)
  })

  it('tells the sender why its offer was refused', async () => {
    const { receiver, receive, session } = await offered()
    const full = appError('E_DISK_FULL', '7 B free', '/in')
    expect(receiver.client.receives.get(receive)?.cancel(full).ok).toBe(true)
    expect((await receiveIn(receiver, 'failed')).error).toEqual(full)
    expect(receiver.engine.commands.slice(-2)).toEqual([
      { type: 'refuse', session, why: 'E_DISK_FULL' },
      { type: 'end-session', session },
    ])
  })

  it('continues without the server once it is connected', async () => {
    const { receiver, receive, session, peer } = await offered()
    receiver.client.receives.get(receive)?.accept({ directory: folder })
    await rig.stopServer()
    const outcome = {
      files: 2,
      bytes: 10,
      problems: 0,
      renamed: 0,
      transferred: 5,
      ...allNew,
      readBack: false,
    }
    receiver.engine.emit({ type: 'finished', session, peer, ...outcome })
    expect(receiveOf(receiver)?.phase).toBe('done')
  })
})

it('reports no network stall while the server has it wait for an absent sender', async () => {
  const server = await bareServer()
  const { client, clock, engine } = rig.station({ serverUrl: server.url })
  client.join('4821-apple-river-stone')
  await engine.nth('open-receive')
  const socket = await server.sockets.next()
  await server.texts.next()
  socket.send(server.packed({ t: 'waiting' }))
  await waitForState(client, (state) => state.server.phase === 'connected' || null)
  clock.advance(10_000)
  expect(client.snapshot().state.receives[0]).toMatchObject({ phase: 'looking-up', stall: 'peer' })
})

it('runs only a limited number of transfers at the same time', () => {
  const { client } = rig.station()
  for (let index = 0; index < limits.transfersRunning; index += 1) {
    expect(client.join('4821-apple-river-stone').ok).toBe(true)
  }
  expect(client.join('4821-apple-river-stone')).toMatchObject({
    error: { code: 'E_LIMIT_EXCEEDED' },
  })
})

it('numbers events without gaps and reports them in batches', async () => {
  const receiver = rig.station()
  const numbers: number[] = []
  receiver.client.subscribe((batch) => numbers.push(...batch.map(({ seq }) => seq)))
  receiver.client.join('4821-apple-river-stone')
  await receiveIn(receiver, 'failed')
  await Promise.resolve()
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(receiver.client.snapshot().seq).toBe(numbers.length)
})
