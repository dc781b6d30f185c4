import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeKey, fakeOpening, fakeWords, pairingDone } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { nameplateOf } from '#shared/code/join-code'
import { describeError } from '#shared/describe-error'
import { appError } from '#shared/errors'
import { defaultReceiveOptions, selectAll } from '#shared/settings/receive-options'
import { fail, type Line, offerTo } from '../engine-events'
import { folderWithFile, type Rig, rigWithServer, type Station } from '../rig'
import { openShare, receiveIn, receiveOf, shareOf } from '../transfers'

const folder = folderWithFile()
const rig = rigWithServer()

const plan = { directory: folder, options: defaultReceiveOptions, selection: selectAll }
const proof = 'cGFrZTM='

/** A receive that the server has introduced to the sender. */
async function introduced(options: Parameters<Rig['station']>[0] = {}) {
  const { sender, code } = await openShare(rig.station())
  const receiver = rig.station(options)
  receiver.client.join(code)
  const opened = await receiver.engine.nth('open-receive')
  await receiveIn(receiver, 'connecting')
  return { sender, receiver, code, ...opened }
}

/** The engine sends its proof, which is its second message. */
const showProof = ({ engine }: Station, { session, peer }: Line): void =>
  engine.emit({ type: 'signal', session, peer, payload: proof })

/** Restarts the server, and lets both sides reconnect. */
async function restartServer(sender: Station, receiver: Station): Promise<void> {
  await rig.stopServer()
  await receiver.clock.untilDelay(1000)
  await rig.startServer()
  await sender.clock.untilDelay(1000)
  sender.clock.advance(1000)
  await waitForState(sender.client, ({ shares }) => (shares[0]?.phase === 'open' ? true : null))
  receiver.clock.advance(1000)
}

describe('a pairing', () => {
  it('begins with the first message in the join, under the name that the engine uses', async () => {
    const { sender, receiver, code, session, peer } = await introduced()
    expect(receiver.engine.all('open-receive')[0]).toMatchObject({
      nameplate: nameplateOf(code),
      secret: { kind: 'words', words: fakeWords },
    })
    const joining = await sender.engine.nth('add-peer')
    expect(await sender.engine.nth('signal')).toMatchObject({
      session: joining.session,
      peer: joining.peer,
      payload: fakeOpening,
    })
    sender.engine.emit({ ...joining, type: 'signal', payload: 'cGFrZTI=' })
    expect(await receiver.engine.nth('signal')).toEqual({
      type: 'signal',
      ...{ session, peer, payload: 'cGFrZTI=' },
    })
    showProof(receiver, { session, peer })
    expect(await sender.engine.nth('signal', 2)).toMatchObject({ payload: proof })
  })

  it('shows both sides the same number on request', async () => {
    const { sender, receiver, ...line } = await introduced()
    const joining = await sender.engine.nth('add-peer')
    sender.engine.emit(pairingDone(joining.session, joining.peer))
    receiver.engine.emit(pairingDone(line.session, line.peer))
    expect(receiveOf(receiver)?.safety).toBe('482913')
    expect(shareOf(sender)?.receivers[0]?.safety).toBe('482913')
  })

  it('waits for the first message of the engine before it queries the server', async () => {
    const { sender, code } = await openShare(rig.station())
    const receiver = rig.station()
    receiver.engine.opening = null
    receiver.client.join(code)
    const { session, peer } = await receiver.engine.nth('open-receive')
    // The preparation is not used, and its socket stays silent.
    expect(receiver.clock.delays).toEqual([8000, 10_000, 10_000])
    receiver.engine.emit({ type: 'signal', session, peer, payload: 'bGF0ZXI=' })
    expect(await sender.engine.nth('signal')).toMatchObject({ payload: 'bGF0ZXI=' })
  })
})

describe('a server that is lost', () => {
  it('before the proof was shown leads to another run', async () => {
    const { sender, receiver, ...first } = await introduced()
    await restartServer(sender, receiver)
    const second = await receiver.engine.nth('open-receive', 2)
    expect(second.session).not.toBe(first.session)
    expect(receiver.engine.all('end-session')).toMatchObject([{ session: first.session }])
    offerTo(receiver, second)
    expect((await receiveIn(receiver, 'offered')).from).toBe('Mina')
  })

  it('after the proof was shown ends the receive: a person decides', async () => {
    const { receiver, ...line } = await introduced()
    showProof(receiver, line)
    await rig.stopServer()
    expect((await receiveIn(receiver, 'failed')).error?.code).toBe('E_SERVER_UNREACHABLE')
    expect(receiver.engine.all('open-receive')).toHaveLength(1)
  })

  it('after the sender has proved itself leads to another run', async () => {
    const { sender, receiver, ...line } = await introduced()
    showProof(receiver, line)
    receiver.engine.emit(pairingDone(line.session, line.peer))
    await restartServer(sender, receiver)
    expect((await receiver.engine.nth('open-receive', 2)).session).not.toBe(line.session)
  })

  it('repeatedly leads to three runs at most', async () => {
    const { sender, receiver } = await introduced()
    await restartServer(sender, receiver)
    for (const run of [2, 3]) {
      await sender.engine.nth('add-peer', run)
      if (run < 3) await restartServer(sender, receiver)
    }
    await rig.stopServer()
    expect((await receiveIn(receiver, 'failed')).error?.code).toBe('E_SERVER_UNREACHABLE')
    expect(receiver.engine.all('open-receive')).toHaveLength(3)
  })

  it('is retried within the time limit', async () => {
    const { sender, receiver } = await introduced()
    await rig.stopServer()
    for (const ms of [1000, 1500, 2250, 3375]) {
      await receiver.clock.untilDelay(ms)
      receiver.clock.advance(ms)
    }
    expect((await receiveIn(receiver, 'failed')).error?.code).toBe('E_SERVER_UNREACHABLE')
    expect(shareOf(sender)?.phase).toBe('reconnecting')
  })
})

describe('an attempt that fails', () => {
  it.each([
    'E_CODE_MISMATCH',
    'E_CODE_LOCKED',
    'E_PEER_VERSION',
    'E_RATE_LIMITED',
    'E_TOO_MANY_RECEIVERS',
    'E_SIGNALING_ALTERED',
    'E_PEER_IDENTITY',
  ] as const)('with %s is reported and not repeated', async (code) => {
    const { receiver, ...line } = await introduced()
    showProof(receiver, line)
    fail(receiver, line, code)
    expect((await receiveIn(receiver, 'failed')).error?.code).toBe(code)
    receiver.clock.advance(600_000)
    expect(receiver.engine.all('open-receive')).toHaveLength(1)
  })

  it('to verify the sender offers no retry for 5 s', async () => {
    const { receiver, ...line } = await introduced()
    fail(receiver, line, 'E_PEER_IDENTITY')
    expect(receiveOf(receiver)?.retryFromMs).toBe(receiver.clock.now() + 5000)
  })

  it('because of altered messages between known sides is repeated once', async () => {
    const { receiver, ...first } = await introduced()
    receiver.engine.emit(pairingDone(first.session, first.peer))
    fail(receiver, first, 'E_SIGNALING_ALTERED')
    const second = await receiver.engine.nth('open-receive', 2)
    receiver.engine.emit(pairingDone(second.session, second.peer))
    fail(receiver, second, 'E_SIGNALING_ALTERED')
    expect((await receiveIn(receiver, 'failed')).error?.code).toBe('E_SIGNALING_ALTERED')
  })
})

it('CODE-05 the code of an own share is refused before anything is sent', async () => {
  const { sender, code, share: id } = await openShare(rig.station())
  expect(sender.client.join(code)).toMatchObject({ error: { code: 'E_OWN_CODE' } })
  expect(sender.engine.all('open-receive')).toEqual([])
  sender.client.shares.get(id)?.stop()
  expect(sender.client.join(code).ok).toBe(true)
})

it('CODE-06 unknown, locked and mistyped codes are reported in different words', () => {
  const codes = ['E_NO_SUCH_CODE', 'E_CODE_LOCKED', 'E_CODE_MISMATCH'] as const
  const texts = codes.map((code) => describeError(appError(code)))
  expect(new Set(texts.map(({ what }) => what)).size).toBe(3)
  expect(texts[1]?.remedy).toContain('new code')
})

describe('an admitted receive', () => {
  const key = fakeKey('resume')

  /** A running receive whose connection can be lost. */
  async function running() {
    const { sender, receiver, code, session, peer } = await introduced()
    offerTo(receiver, { session, peer })
    receiver.engine.emit({ type: 'resume-key', session, peer, key })
    const receive = (await receiveIn(receiver, 'offered')).id
    expect(receiver.client.receives.get(receive)?.accept(plan).ok).toBe(true)
    return { sender, receiver, receive, code, line: { session, peer } }
  }

  it('resumes by its key instead of the words', async () => {
    const { receiver, line, code } = await running()
    fail(receiver, line, 'E_PEER_GONE')
    receiver.clock.advance(1000)
    expect(await receiver.engine.nth('open-receive', 2)).toMatchObject({
      nameplate: nameplateOf(code),
      secret: { kind: 'resume', key },
    })
  })

  it('keeps the key in its file and nowhere else', async () => {
    const { receiver } = await running()
    await receiver.client.close()
    const text = readFileSync(join(receiver.stateDir, 'transfers.json'), 'utf8')
    expect(text).toContain(key)
    expect(text).not.toContain(fakeWords)
    const { state } = receiver.client.snapshot()
    expect(JSON.stringify(state)).not.toContain(key)
    expect(state.resumableReceives[0]?.hasResumeKey).toBe(true)
  })

  it('resumes after a restart without a code, once', async () => {
    const { receiver, code } = await running()
    await receiver.client.close()
    const again = rig.station({ stateDir: receiver.stateDir })
    const transfer = again.client.snapshot().state.resumableReceives[0]?.transfer
    if (transfer === undefined) throw new Error('nothing is remembered')
    expect(again.client.resume(transfer).ok).toBe(true)
    const opened = await again.engine.nth('open-receive')
    expect(opened).toMatchObject({ receiveId: transfer, secret: { kind: 'resume', key } })
    expect(receiveOf(again)?.code).toBe(nameplateOf(code))
    expect(again.client.resume(transfer)).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
  })

  it('needs a code when the sender is said not to know the key, which is kept for another try', async () => {
    const { receiver } = await running()
    await receiver.client.close()
    const again = rig.station({ stateDir: receiver.stateDir })
    const transfer = again.client.snapshot().state.resumableReceives[0]?.transfer
    if (transfer === undefined) throw new Error('nothing is remembered')
    again.client.resume(transfer)
    fail(again, await again.engine.nth('open-receive'), 'E_CODE_MISMATCH')
    expect(again.client.snapshot().state.resumableReceives[0]?.hasResumeKey).toBe(false)
    await again.client.close()
    // Anyone on the network path could have made that claim.
    const later = rig.station({ stateDir: receiver.stateDir })
    expect(later.client.snapshot().state.resumableReceives[0]?.hasResumeKey).toBe(true)
    expect(later.client.join('4821-apple-river-stone', transfer).ok).toBe(true)
    expect(await later.engine.nth('open-receive')).toMatchObject({ secret: { kind: 'words' } })
  })

  it('cannot resume over another server', async () => {
    const { receiver } = await running()
    await receiver.client.close()
    const again = rig.station({ stateDir: receiver.stateDir, serverUrl: 'ws://127.0.0.1:9' })
    const transfer = again.client.snapshot().state.resumableReceives[0]?.transfer
    if (transfer === undefined) throw new Error('nothing is remembered')
    expect(again.client.resume(transfer)).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
  })
})
