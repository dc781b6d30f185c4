import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { waitForState } from '#client/wait-for-state'
import { nameplateOf } from '#shared/code/join-code'
import { fail } from '../engine-events'
import { impostorAt, isKnownAt } from '../near-rig'
import { Rig, rigWithServer, type Station } from '../rig'
import { items, receiveOf, shareOf } from '../transfers'

/** `rig` runs the first server, and `second` its fallback. */
const rig = rigWithServer()
const second = new Rig()
beforeEach(() => second.startServer())
afterEach(() => second.end())

const station = () => rig.station({ fallbackUrls: [second.url], patienceMs: 6000 })

const open = ({ client }: Station) => client.openShare({ items })

const codeOf = ({ client }: Station, server: string) =>
  waitForState(client, ({ shares: [share] }) =>
    share?.phase === 'open' && share.server === `${server}/v1` ? share.code : null,
  )

/** Protects the server with a password that the tests don't have. */
async function close(to: Rig): Promise<void> {
  await to.stopServer()
  await to.startServer({ serverPasswords: ['only-for-the-team'] })
}

/** Moves a waiting share to the second server by stopping the first one. */
async function moved(sender: Station): Promise<string> {
  open(sender)
  const code = await codeOf(sender, rig.url)
  await rig.stopServer()
  await waitForState(sender.client, ({ server }) => server.phase === 'unreachable' || null)
  sender.clock.advance(5000)
  expect(await codeOf(sender, second.url)).toBe(code)
  return code
}

describe('a share', () => {
  it('has its place at the first server, and tries no other', async () => {
    const sender = station()
    open(sender)
    const code = await codeOf(sender, rig.url)
    sender.clock.advance(10_000)
    expect(await isKnownAt(second.url, code)).toBe(false)
    expect(await isKnownAt(rig.url, code)).toBe(true)
  })

  it('begins at the next server when the first one is down, and later is at both', async () => {
    await rig.stopServer()
    const sender = station()
    open(sender)
    const code = await codeOf(sender, second.url)
    await rig.startServer()
    sender.clock.advance(1000)
    expect(await codeOf(sender, rig.url)).toBe(code)
    expect(await isKnownAt(rig.url, code)).toBe(true)
    expect(await isKnownAt(second.url, code)).toBe(true)
  })

  it('keeps its code at the next server when its server dies', async () => {
    const sender = station()
    const code = await moved(sender)
    expect(await isKnownAt(second.url, code)).toBe(true)
    expect(sender.client.snapshot().state.server).toMatchObject({ phase: 'connected' })
  })

  it('keeps its code at a server that has assigned it to another share meanwhile', async () => {
    const sender = station()
    const code = await moved(sender)
    await rig.startServer()
    await impostorAt(rig.url, nameplateOf(code))
    await sender.clock.untilDelay(1500)
    sender.clock.advance(1500)
    // It was refused there, and tries again later.
    await sender.clock.untilDelay(2250)
    expect(await isKnownAt(second.url, code)).toBe(true)
    expect(shareOf(sender)).toMatchObject({ phase: 'open', code })
  })

  it('begins at the next server when the first one requires a password that is missing', async () => {
    await close(rig)
    const sender = station()
    open(sender)
    const code = await codeOf(sender, second.url)
    expect(await isKnownAt(second.url, code)).toBe(true)
  })

  it('waits for the first server although the next one requires a password', async () => {
    await rig.stopServer()
    await close(second)
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(Number(new URL(rig.url).port), resolve))
    const sender = station()
    open(sender)
    await once(silent, 'connection')
    await sender.clock.untilDelay(2000)
    sender.clock.advance(2000)
    // It was refused there, and tries again later.
    await sender.clock.untilDelay(1000)
    silent.close()
    expect(shareOf(sender)).toMatchObject({ phase: 'opening' })
  })

  it('reports the error once every server has refused it', async () => {
    await close(rig)
    await close(second)
    const sender = station()
    open(sender)
    const share = await waitForState(sender.client, ({ shares: [one] }) =>
      one?.phase === 'failed' ? one : null,
    )
    expect(share.error).toMatchObject({
      code: 'E_SERVER_PASSWORD',
      subject: new URL(rig.url).host,
    })
  })

  it('tries no third server when it loses the second while the first has it', async () => {
    const third = new Rig()
    await third.startServer()
    onTestFinished(() => third.end())
    const fallbackUrls = [second.url, third.url]
    const sender = rig.station({ fallbackUrls, patienceMs: 6000 })
    const code = await moved(sender)
    await rig.startServer()
    sender.clock.advance(1500)
    expect(await codeOf(sender, rig.url)).toBe(code)
    await second.stopServer()
    // It is tried again, and no other server is.
    await sender.clock.untilDelay(1000)
    expect(sender.clock.delays).not.toContain(5000)
    sender.clock.advance(5000)
    expect(await isKnownAt(third.url, code)).toBe(false)
  })

  it('leaves all its places when it ends', async () => {
    const sender = station()
    const code = await moved(sender)
    const [share] = sender.client.snapshot().state.shares
    if (share !== undefined) sender.client.shares.get(share.id)?.stop()
    await expect.poll(() => isKnownAt(second.url, code)).toBe(false)
  })
})

describe('a receiver', () => {
  it('finds a share at the next server when the first cannot be reached', async () => {
    const sender = station()
    const code = await moved(sender)
    const receiver = station()
    receiver.client.join(code)
    const { peer } = await sender.engine.nth('add-peer')
    expect(peer.startsWith('spare0-')).toBe(true)
  })

  it('queries the next server again for a share that appears later', async () => {
    const sender = station()
    open(sender)
    const code = await codeOf(sender, rig.url)
    await rig.stopServer()
    await waitForState(sender.client, ({ server }) => server.phase === 'unreachable' || null)
    const receiver = station()
    receiver.client.join(code)
    // The server has 8 s to answer, and reports an unknown code.
    await receiver.clock.untilDelay(8000)
    await expect.poll(() => receiver.clock.delays).not.toContain(8000)
    sender.clock.advance(5000)
    expect(await codeOf(sender, second.url)).toBe(code)
    receiver.clock.advance(1000)
    await sender.engine.nth('add-peer')
  })

  it('finds it there when the first reports an unknown code', async () => {
    const sender = second.station()
    open(sender)
    const code = await codeOf(sender, second.url)
    station().client.join(code)
    await sender.engine.nth('add-peer')
  })

  it('reports an unknown code once every server was queried', async () => {
    const receiver = station()
    receiver.client.join('4821-apple-kayak-onion')
    const receive = await waitForState(receiver.client, ({ receives: [one] }) =>
      one?.phase === 'failed' ? one : null,
    )
    expect(receive.error?.code).toBe('E_NO_SUCH_CODE')
  })

  it('shows its proof to a stranger at one server once, and then to the sender at the other', async () => {
    const sender = second.station()
    open(sender)
    const code = await codeOf(sender, second.url)
    const stranger = await impostorAt(rig.url, nameplateOf(code))
    const receiver = station()
    receiver.client.join(code)
    const { session, peer } = await receiver.engine.nth('open-receive')
    await waitForState(
      receiver.client,
      ({ receives: [one] }) => one?.phase === 'connecting' || null,
    )
    receiver.engine.emit({ type: 'signal', session, peer, payload: 'proof' })
    await stranger.once()
    fail(receiver, { session, peer }, 'E_CODE_MISMATCH')
    const next = await receiver.engine.nth('open-receive', 2)
    await sender.engine.nth('add-peer')
    fail(receiver, next, 'E_CODE_MISMATCH')
    expect(receiveOf(receiver)).toMatchObject({ phase: 'failed' })
    expect(stranger.count()).toBe(1)
    expect(receiver.engine.all('open-receive')).toHaveLength(2)
  })
})
