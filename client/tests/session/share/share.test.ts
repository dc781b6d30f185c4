import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drop, fakeWords, pairingDone } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { wordsOf } from '#shared/code/join-code'
import { appError } from '#shared/errors'
import { encode } from '#shared/signaling/messages'
import type { PeerId, ShareId } from '#shared/state/app-state'
import { oneFile } from '#shared/testing/figures'
import { bareServer, said } from '../../bare-server.ts'
import { accepted, greeted, scanned } from '../../engine-events'
import { directRoute, folderWithFile, rigWithServer, type Station } from '../../rig'
import { codeOf, openShare, pathItem, shareIn, shareOf } from '../../transfers'

const folder = folderWithFile('video.mp4')
const file = join(folder, 'video.mp4')
const rig = rigWithServer()

const open = ({ client }: Station, paths: readonly string[] = [file]): ShareId => {
  const share = client.openShare({ items: paths.map(pathItem) })
  if (!share.ok) throw new Error(share.error.detail)
  return share.value
}

/** A share with a receiver that has joined at the server, and that the sender's engine knows. */
async function joined() {
  const sender = rig.station()
  const share = open(sender)
  const receiver = rig.station({ name: 'Jonas' })
  receiver.client.join(await codeOf(sender))
  const { session, peer } = await sender.engine.nth('add-peer')
  const host = await receiver.engine.nth('open-receive')
  return { sender, share, receiver, session, peer, host }
}

describe('opening a share', () => {
  it('gives the engine the paths, then the code of nameplate and words', async () => {
    const sender = rig.station()
    open(sender)
    expect(await codeOf(sender)).toMatch(new RegExp(`^[1-9][0-9]{3}-${fakeWords}$`))
    expect(sender.engine.commands.slice(1)).toMatchObject([
      {
        type: 'open-share',
        items: [pathItem(file)],
        exclude: [],
        links: true,
        maxReceivers: 10,
        oneReceiver: false,
        name: 'Mina',
        ice: { relayUse: 'automatic' },
      },
      { type: 'set-code', code: await codeOf(sender) },
    ])
    expect(sender.client.snapshot().state).toMatchObject({
      shares: [{ title: 'video.mp4' }],
      server: { phase: 'connected', embedded: false, insecure: false },
    })
  })

  it('reports missing items and offers the rest', async () => {
    const sender = rig.station()
    const missing = join(folder, 'missing')
    open(sender, [missing, file])
    await codeOf(sender)
    expect(sender.engine.all('open-share')[0]?.items).toEqual([pathItem(file)])
    expect(shareOf(sender)?.problems).toMatchObject([
      { path: missing, error: { code: 'E_PATH_NOT_FOUND' } },
    ])
  })

  it('counts omitted items, from the engine and before it', async () => {
    const sender = rig.station()
    open(sender, [join(folder, 'missing'), file])
    await codeOf(sender)
    const { session } = await sender.engine.nth('open-share')
    sender.engine.emit(scanned(session, { leftOut: 1001 }))
    expect(shareOf(sender)?.totals.leftOut).toBe(1002)
  })

  it('fails without a query when nothing is left', async () => {
    const sender = rig.station()
    open(sender, [join(folder, 'missing')])
    const share = await shareIn(sender, 'failed')
    expect(share.error?.code).toBe('E_NOTHING_TO_SEND')
    expect(sender.engine.all('open-share')).toEqual([])
    expect(sender.client.openShare({ items: [] })).toMatchObject({
      error: { code: 'E_NOTHING_TO_SEND' },
    })
  })

  it('fails with the name of a relay that has no address', async () => {
    const turn = ['turn:u:p@nowhere.invalid']
    const sender = rig.station({ ice: { stun: [], turn } })
    open(sender)
    expect((await shareIn(sender, 'failed')).error?.code).toBe('E_BAD_ARGUMENT')
  })

  it('fails when the engine refuses it', async () => {
    const sender = rig.station()
    sender.engine.answer = () => 'E_ENGINE_BUSY'
    open(sender)
    expect((await shareIn(sender, 'failed')).error?.code).toBe('E_ENGINE_BUSY')
  })

  it('keeps trying an unreachable server, but not forever', async () => {
    await rig.stopServer()
    const sender = rig.station({ patienceMs: 2000 })
    open(sender)
    await waitForState(sender.client, ({ server }) =>
      server.phase === 'unreachable' ? true : null,
    )
    await sender.clock.untilDelay(1000)
    sender.clock.advance(1000)
    await sender.clock.untilDelay(1500)
    expect(shareOf(sender)?.phase).toBe('opening')
    sender.clock.advance(1500)
    expect((await shareIn(sender, 'failed')).error?.code).toBe('E_SERVER_UNREACHABLE')
  })
})

describe('an open share', () => {
  it('reports totals and items of the scan', async () => {
    const { sender, session } = await openShare(rig.station(), { items: [pathItem(file)] })
    const items = [{ id: 1, name: 'video.mp4', kind: 'file', files: 1, bytes: 1 }] as const
    sender.engine.emit(scanned(session), {
      type: 'scan-items',
      session,
      items,
      resolved: [],
      followed: 0,
      followedLinks: [],
    })
    expect(shareOf(sender)).toMatchObject({
      totals: { files: 1, folders: 0, bytes: 1, complete: true },
      items,
    })
  })

  it('brings sealed messages from engine to engine', async () => {
    const { sender, receiver, session, peer, host } = await joined()
    const ofReceiver = { session: host.session, peer: host.peer }
    receiver.engine.emit({ type: 'signal', ...ofReceiver, payload: 'cGFrZTE=' })
    expect(await sender.engine.nth('signal')).toEqual({
      type: 'signal',
      session,
      peer,
      payload: 'cGFrZTE=',
    })
    sender.engine.emit({ type: 'signal', session, peer, payload: 'cGFrZTI=' })
    expect(await receiver.engine.nth('signal')).toEqual({
      type: 'signal',
      ...ofReceiver,
      payload: 'cGFrZTI=',
    })
  })

  it('shows a receiver only once it has proved itself', async () => {
    const { sender, session, peer } = await joined()
    const receivers = () => shareOf(sender)?.receivers
    expect(receivers()).toEqual([])
    sender.engine.emit(pairingDone(session, peer))
    expect(receivers()).toMatchObject([{ phase: 'connecting', name: '' }])
    sender.engine.emit(...greeted({ session, peer }, 'Jonas'))
    expect(receivers()).toMatchObject([{ phase: 'deciding', name: 'Jonas', route: directRoute }])
    sender.engine.emit(accepted({ session, peer }))
    sender.engine.emit({ type: 'finished', session, peer, ...oneFile })
    expect(receivers()).toMatchObject([{ phase: 'done', outcome: { files: 1 } }])
  })

  it('drops a receiver that leaves before it is connected', async () => {
    const { sender, receiver, session, peer } = await joined()
    await receiver.client.close()
    expect(await sender.engine.nth('disconnect-peer')).toEqual(drop(session, peer, true))
  })

  it('waits for the verdict of the engine about a proven receiver that leaves', async () => {
    const { sender, receiver, session, peer } = await joined()
    const failed = waitForState(sender.client, ({ shares }) => shares[0]?.receivers[0]?.error)
    sender.engine.emit(pairingDone(session, peer))
    await receiver.client.close()
    await sender.clock.untilDelay(5000)
    const error = { code: 'E_NO_ROUTE', detail: '' }
    sender.engine.emit({ type: 'failed', session, peer, error })
    expect((await failed).code).toBe('E_NO_ROUTE')
    sender.clock.advance(5000)
    expect(sender.engine.all('disconnect-peer')).toEqual([])
  })

  it('does not wait forever for that verdict', async () => {
    const { sender, receiver, session, peer } = await joined()
    const failed = waitForState(sender.client, ({ shares }) => shares[0]?.receivers[0]?.error)
    sender.engine.emit(pairingDone(session, peer))
    await receiver.client.close()
    await sender.clock.untilDelay(5000)
    sender.clock.advance(5000)
    expect((await failed).code).toBe('E_PEER_GONE')
    expect(sender.engine.all('disconnect-peer')).toEqual([drop(session, peer, true)])
  })

  it('keeps a connected receiver whose socket ends', async () => {
    const { sender, receiver, session, peer } = await joined()
    sender.engine.emit(pairingDone(session, peer), ...greeted({ session, peer }, 'Jonas'))
    await receiver.client.close()
    // The arrival of a later receiver shows that the first one's end was processed.
    rig.station().client.join(await codeOf(sender))
    await sender.engine.nth('add-peer', 2)
    expect(sender.engine.all('disconnect-peer')).toEqual([])
  })

  it('drops a receiver on command', async () => {
    const { sender, share, session, peer } = await joined()
    sender.engine.emit(pairingDone(session, peer))
    expect(sender.client.shares.get(share)?.disconnect(peer as PeerId).ok).toBe(true)
    expect(sender.engine.all('disconnect-peer')).toEqual([drop(session, peer, false)])
    expect(shareOf(sender)?.receivers[0]?.phase).toBe('failed')
  })

  it('ignores engine events of a dropped receiver', async () => {
    const { sender, share, session, peer } = await joined()
    sender.client.shares.get(share)?.disconnect(peer as PeerId)
    sender.engine.emit(pairingDone(session, peer))
    expect(shareOf(sender)?.receivers).toEqual([])
  })

  it('reports the same problem of several receivers once', async () => {
    const sender = rig.station()
    open(sender)
    const { session } = await sender.engine.nth('open-share')
    const problem = {
      type: 'item-problem',
      session,
      path: 'a',
      error: { code: 'E_SOURCE_CHANGED', detail: '' },
    } as const
    sender.engine.emit({ ...problem, peer: 'p1' }, { ...problem, peer: 'p2' })
    expect(shareOf(sender)?.problems).toHaveLength(1)
  })

  it('fails as a whole when the engine reports that', async () => {
    const { sender, session } = await openShare(rig.station(), { items: [pathItem(file)] })
    const error = { code: 'E_NOTHING_TO_SEND', detail: '' }
    sender.engine.emit({ type: 'failed', session, peer: '', error })
    expect((await shareIn(sender, 'failed')).error).toEqual(error)
    expect(sender.engine.all('end-session')).toHaveLength(1)
  })

  it('reports that its own patterns excluded everything', async () => {
    const sender = rig.station()
    sender.client.openShare({ items: [{ kind: 'path', path: folder }], exclude: ['*'] })
    const { session } = await sender.engine.nth('open-share')
    const error = appError('E_NOTHING_TO_SEND', 'no file or folder could be read')
    sender.engine.emit({ type: 'failed', session, peer: '', error })
    expect((await shareIn(sender, 'failed')).error?.detail).toBe('all of it is excluded')
  })
})

describe('a share that loses its server', () => {
  it('reclaims its nameplate and keeps its code', async () => {
    const sender = rig.station()
    open(sender)
    const before = await codeOf(sender)
    await rig.stopServer()
    await shareIn(sender, 'reconnecting')
    await rig.startServer()
    sender.clock.advance(1000)
    expect(await codeOf(sender)).toBe(before)
    expect(sender.engine.all('set-code')).toHaveLength(1)
  })

  it('gets a new code when its nameplate was assigned to another owner', async () => {
    const sender = rig.station()
    open(sender)
    const before = await codeOf(sender)
    await rig.stopServer()
    await shareIn(sender, 'reconnecting')
    await rig.startServer()
    const thief = await stealNameplate(before.slice(0, 4))
    sender.clock.advance(1000)
    await sender.clock.untilDelay(1500)
    sender.clock.advance(1500)
    const after = await codeOf(sender)
    expect(after).not.toBe(before)
    expect(wordsOf(after)).not.toBe(wordsOf(before))
    expect(sender.engine.all('set-code').map((command) => command.code)).toEqual([before, after])
    // Earlier guesses still count, because no new code was requested.
    expect(sender.engine.all('revoke-code')).toEqual([])
    expect(shareOf(sender)?.moved).toBe(true)
    thief.terminate()
  })

  it('requests another nameplate, as another owner, when a program with the same key replaced it', async () => {
    const server = await bareServer()
    const sender = rig.station({ serverUrl: server.url })
    open(sender)
    const first = await server.sockets.next()
    const before = await said(server)
    first.send(hosted('4821'))
    await codeOf(sender)
    first.close(4002)
    await shareIn(sender, 'reconnecting')
    sender.clock.advance(1000)
    await server.sockets.next()
    const after = await said(server)
    expect(after).toMatchObject({ t: 'host', v: 1 })
    expect(after).not.toHaveProperty('nameplate')
    expect(after['owner']).not.toBe(before['owner'])
  })
})

describe('a server that lies to a share', () => {
  const peer = '0123456789abcdef'

  /** A share to which such a server has given a nameplate, on its first socket. */
  async function hostedShare() {
    const server = await bareServer()
    const sender = rig.station({ serverUrl: server.url })
    const share = open(sender)
    const socket = await server.sockets.next()
    await said(server)
    socket.send(hosted('4821'))
    return { server, sender, share, socket, before: await codeOf(sender) }
  }

  it.each(['4821', '4822'])('and repeats nameplate %s unasked is left', async (number) => {
    const { server, sender, socket, before } = await hostedShare()
    socket.send(hosted(number))
    await shareIn(sender, 'reconnecting')
    expect(sender.client.snapshot().state.server).toMatchObject({
      phase: 'unreachable',
      error: { code: 'E_SERVER_PROTOCOL' },
    })
    expect(sender.engine.all('set-code').map((command) => command.code)).toEqual([before])
    sender.clock.advance(1000)
    const again = await server.sockets.next()
    again.send(hosted('4821'))
    expect(await codeOf(sender)).toBe(before)
  })

  it('and introduces a receiver before it assigned a nameplate is left', async () => {
    const { server, sender, socket } = await hostedShare()
    socket.terminate()
    await shareIn(sender, 'reconnecting')
    sender.clock.advance(1000)
    const again = await server.sockets.next()
    again.send(encode({ t: 'peer', peer }))
    await shareIn(sender, 'reconnecting')
    expect(sender.engine.all('add-peer')).toEqual([])
  })

  it('and assigns new nameplates repeatedly never resets the count of guesses', async () => {
    const { server, sender, socket } = await hostedShare()
    const { session } = await sender.engine.nth('open-share')
    const guesses = { wrong: 50, locked: true, spent: false }
    sender.engine.emit({ type: 'guesses', session, ...guesses })
    let present = socket
    let attempts = 0
    for (const number of ['4822', '4823', '4824', '4825']) {
      present.send(encode({ t: 'error', code: 'E_NO_SUCH_CODE' }))
      present.close(4000)
      await shareIn(sender, 'reconnecting')
      await sender.clock.untilDelay(1000)
      sender.clock.advance(1000)
      present = await server.sockets.next()
      present.send(hosted(number))
      attempts += 1
      await sender.engine.nth('set-code', attempts + 1)
    }
    const codes = sender.engine.all('set-code').map((command) => command.code)
    expect(new Set(codes.map(wordsOf)).size).toBe(5)
    expect(sender.engine.all('revoke-code')).toEqual([])
    expect(shareOf(sender)?.guesses).toEqual(guesses)
  })

  it('and names relays early or repeatedly is heeded once', async () => {
    const { server, sender, socket } = await hostedShare()
    const relays = (host: string) =>
      server.packed({
        ...{ t: 'turn', peer, urls: [`turn:${host}`] },
        ...{ username: 'u', credential: 'c', ttlS: 60 },
      })
    socket.send(encode({ t: 'peer', peer }))
    const { session } = await sender.engine.nth('add-peer')
    socket.send(relays('203.0.113.1'))
    socket.send(encode({ t: 'peer', peer: 'fedcba9876543210' }))
    await sender.engine.nth('add-peer', 2)
    await new Promise((resolve) => setImmediate(resolve))
    sender.engine.emit(pairingDone(session, peer))
    for (let count = 2; count < 50; count += 1) socket.send(relays(`203.0.113.${count}`))
    socket.send(encode({ t: 'peer', peer: '0000000000000000' }))
    await sender.engine.nth('add-peer', 3)
    await new Promise((resolve) => setImmediate(resolve))
    expect(sender.engine.all('add-relays')).toMatchObject([{ turn: [{ host: '203.0.113.2' }] }])
  })

  it('and repeats the id of a present or former receiver changes nothing', async () => {
    const { sender, socket } = await hostedShare()
    const introduced = encode({ t: 'peer', peer, body: 'AAAA' })
    socket.send(introduced)
    const { session } = await sender.engine.nth('signal')
    socket.send(introduced)
    sender.engine.emit(pairingDone(session, peer))
    socket.send(introduced)
    sender.engine.emit(...greeted({ session, peer }, 'Jonas'), accepted({ session, peer }))
    // Messages for a connected receiver are ignored, too, however many arrive.
    for (let count = 0; count < 100; count += 1)
      socket.send(encode({ t: 'relay', from: peer, body: 'AAAA' }))
    sender.engine.emit({ type: 'finished', session, peer, ...oneFile })
    socket.send(introduced)
    socket.send(encode({ t: 'peer', peer: 'fedcba9876543210' }))
    await sender.engine.nth('add-peer', 2)
    expect(sender.engine.all('add-peer').map((command) => command.peer)).toEqual([
      peer,
      'fedcba9876543210',
    ])
    expect(sender.engine.all('signal')).toHaveLength(1)
    expect(sender.engine.all('disconnect-peer')).toEqual([])
    expect(shareOf(sender)?.receivers).toMatchObject([{ phase: 'done' }])
  })
})

describe('ending', () => {
  it('stops a share and removes it when dismissed', async () => {
    const sender = rig.station()
    const share = open(sender)
    await codeOf(sender)
    expect(sender.client.dismiss(share)).toMatchObject({ ok: false })
    expect(sender.client.shares.get(share)?.stop().ok).toBe(true)
    expect(shareOf(sender)?.phase).toBe('stopped')
    expect(sender.engine.all('end-session')).toHaveLength(1)
    expect(sender.client.shares.size).toBe(0)
    expect(sender.client.dismiss(share).ok).toBe(true)
    expect(sender.client.snapshot().state).toMatchObject({ shares: [], server: { phase: 'idle' } })
  })

  it('closes the engine, says goodbye to the server and refuses further commands', async () => {
    const sender = rig.station()
    open(sender)
    const ended = await codeOf(sender)
    await Promise.all([sender.client.close(), sender.client.close()])
    expect(sender.engine.isClosed).toBe(true)
    expect(sender.client.openShare({ items: [pathItem(file)] })).toMatchObject({
      error: { code: 'E_ENGINE_CLOSED' },
    })
    const late = rig.station()
    late.client.join(ended)
    const receive = await waitForState(late.client, ({ receives }) =>
      receives[0]?.phase === 'failed' ? receives[0] : null,
    )
    expect(receive.error?.code).toBe('E_NO_SUCH_CODE')
  })
})

const hosted = (nameplate: string): string => encode({ t: 'hosted', nameplate, ttlS: 60 })

/** Hosts the nameplate, which a restarted server may assign to anyone. */
async function stealNameplate(nameplate: string) {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(`${rig.url}/v1`)
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ t: 'host', v: 1, nameplate }))
  await new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      if (data.toString().includes('hosted')) resolve()
    })
  })
  return socket
}
