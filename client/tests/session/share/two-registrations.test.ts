import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NearNetwork } from '#client/lan/local-network'
import { waitForState } from '#client/wait-for-state'
import { nameplateOf } from '#shared/code/join-code'
import { listen } from '../../bare-server'
import { type Line, met } from '../../engine-events'
import { fakeNetwork, found, impostorAt, isKnownAt } from '../../near-rig'
import { Rig, rigWithServer, type Station } from '../../rig'
import { codeOf, items, receiveOf, shareOf } from '../../transfers'

const rig = rigWithServer()
/** `near` runs the embedded server, and `stranger` a different one. */
const near = new Rig()
const stranger = new Rig()
beforeEach(async () => {
  await near.startServer()
  await stranger.startServer()
})
afterEach(async () => {
  await near.end()
  await stranger.end()
})

const onNetwork = (network: NearNetwork) =>
  rig.station({ visibleOnNetwork: true, localNetwork: network })

const open = ({ client }: Station) => client.openShare({ items })

/** A share that has its code, at the configured server and on the network around the embedded server at `url`. */
async function shared(url = near.url) {
  const { network, announced } = fakeNetwork(url)
  const sender = onNetwork(network)
  open(sender)
  return { sender, announced, code: await codeOf(sender) }
}

/** A server that never answers an upgrade. */
const silent = () =>
  createServer().on('upgrade', (_request, socket) => {
    socket
      .on('error', () => undefined)
      .resume()
      .once('end', () => socket.destroy())
  })

/** The engine reports that the words are wrong. */
const refuse = ({ engine }: Station, { session, peer }: Line): void => {
  const error = { code: 'E_CODE_MISMATCH', detail: '' }
  engine.emit({ type: 'failed', session, peer, error })
}

describe('a share with two servers', () => {
  it('has one code at both, assigned by the configured server', async () => {
    const { announced, code } = await shared()
    expect(nameplateOf(code)).toHaveLength(4)
    await expect.poll(() => [...announced]).toEqual([nameplateOf(code)])
    expect(await isKnownAt(rig.url, code)).toBe(true)
    expect(await isKnownAt(near.url, code)).toBe(true)
  })

  it('has its code early when the configured server is down, and the same code there later', async () => {
    await rig.stopServer()
    const { sender, announced, code } = await shared()
    expect(nameplateOf(code)).toHaveLength(6)
    expect([...announced]).toEqual([nameplateOf(code)])
    expect(sender.client.snapshot().state.server.phase).toBe('unreachable')
    expect(shareOf(sender)).toMatchObject({ server: `${rig.url}/v1`, serverAway: true })
    await rig.startServer()
    sender.clock.advance(1000)
    await waitForState(sender.client, () => shareOf(sender)?.serverAway !== true || null)
    expect(await isKnownAt(rig.url, code)).toBe(true)
    expect(await codeOf(sender)).toBe(code)
  })

  it('reaches no further than the local network while the configured server is away', async () => {
    const { sender, announced, code } = await shared()
    await expect.poll(() => [...announced]).toEqual([nameplateOf(code)])
    expect(await isKnownAt(near.url, code)).toBe(true)
    expect(shareOf(sender)).not.toHaveProperty('serverAway')
    await rig.stopServer()
    await waitForState(sender.client, () => shareOf(sender)?.serverAway ?? null)
    expect(shareOf(sender)).toMatchObject({ phase: 'open', code })
  })

  it('has its code after a second when the configured server is silent', async () => {
    const { network } = fakeNetwork(near.url)
    const sender = rig.station({
      ...{ visibleOnNetwork: true, localNetwork: network, serverUrl: await listen(silent()) },
    })
    open(sender)
    await sender.clock.untilDelay(1000)
    sender.clock.advance(1000)
    expect(nameplateOf(await codeOf(sender))).toHaveLength(6)
  })

  it('stays open while one of them has it', async () => {
    const { sender, announced, code } = await shared()
    await expect.poll(() => announced.size).toBe(1)
    await rig.stopServer()
    await waitForState(sender.client, ({ server }) => server.phase === 'unreachable' || null)
    expect(shareOf(sender)).toMatchObject({ phase: 'open', code })
    await near.stopServer()
    await waitForState(
      sender.client,
      ({ shares: [share] }) => share?.phase === 'reconnecting' || null,
    )
    expect(announced.size).toBe(0)
  })

  it('leaves both for a new code, and when it ends', async () => {
    const { sender, announced, code: old } = await shared()
    await expect.poll(() => announced.size).toBe(1)
    const id = shareOf(sender)?.id
    if (id !== undefined) sender.client.shares.get(id)?.renewCode()
    const code = await codeOf(sender, old)
    await expect.poll(() => [...announced]).toEqual([nameplateOf(code)])
    expect(await isKnownAt(near.url, old)).toBe(false)
    if (id !== undefined) sender.client.shares.get(id)?.stop()
    expect(announced.size).toBe(0)
  })

  it('separates the receivers of the two', async () => {
    const { sender, announced, code } = await shared()
    await expect.poll(() => announced.size).toBe(1)
    for (const url of [rig.url, near.url]) rig.station({ serverUrl: url }).client.join(code)
    await sender.engine.nth('add-peer', 2)
    const peers = sender.engine.all('add-peer').map(({ peer }) => peer)
    expect(peers.filter((peer) => peer.startsWith('near-'))).toHaveLength(1)
    expect(new Set(peers).size).toBe(2)
  })
})

describe('a share during a change of visibility', () => {
  const switchTo = ({ client }: Station, visible: boolean) =>
    client.changeSettings({ network: { visible: visible ? 'everyone' : 'off' } })

  it('leaves the local network immediately, keeps its code, and returns', async () => {
    const { sender, announced, code } = await shared()
    await expect.poll(() => announced.size).toBe(1)
    await switchTo(sender, false)
    expect(announced.size).toBe(0)
    expect(await isKnownAt(near.url, code)).toBe(false)
    expect(await isKnownAt(rig.url, code)).toBe(true)
    await switchTo(sender, true)
    await expect.poll(() => [...announced]).toEqual([nameplateOf(code)])
    expect(await isKnownAt(near.url, code)).toBe(true)
    expect(await codeOf(sender)).toBe(code)
  })

  it('has no place when only the local network had it, and finds the configured server later', async () => {
    await rig.stopServer()
    const { sender, code } = await shared()
    await switchTo(sender, false)
    expect(shareOf(sender)?.phase).toBe('reconnecting')
    await rig.startServer()
    sender.clock.advance(1000)
    expect(await codeOf(sender)).toBe(code)
    expect(await isKnownAt(rig.url, code)).toBe(true)
  })

  it('keeps its one place at the embedded server, for this computer only', async () => {
    let hosted = 0
    await rig.stopServer()
    await rig.startServer({
      // Guests use another address of this computer.
      network: { addresses: () => ['127.0.0.2'], isNear: () => true },
      log: ({ event }) => (hosted += event === 'hosted' ? 1 : 0),
    })
    const { sender, announced, code } = await shared(rig.url)
    const guest = rig.url.replace('127.0.0.1', '127.0.0.2')
    expect(await isKnownAt(guest, code)).toBe(true)
    await switchTo(sender, false)
    expect(announced.size).toBe(0)
    await expect.poll(() => hosted).toBe(2)
    expect(await isKnownAt(rig.url, code)).toBe(true)
    expect(await isKnownAt(guest, code)).toBe(false)
    await switchTo(sender, true)
    await expect.poll(() => announced.size).toBe(1)
    expect(await isKnownAt(guest, code)).toBe(true)
    expect(await codeOf(sender)).toBe(code)
  })
})

describe('a receive that searches two places', () => {
  /** A share at a nearby embedded server, and a receiver that searches for it. */
  async function nearShare() {
    const sender = near.station()
    open(sender)
    const code = await codeOf(sender)
    const { network, searches } = fakeNetwork(near.url)
    const receiver = onNetwork(network)
    receiver.client.join(code)
    await expect.poll(() => searches.length).toBe(1)
    return { sender, code, receiver, searches }
  }

  it('takes the first that has the code', async () => {
    const { sender, receiver, searches } = await nearShare()
    searches[0]?.(found(near.url, 'a'))
    const line = await sender.engine.nth('add-peer')
    sender.engine.emit(...met(line, 'Jonas', 'a'.repeat(32)))
    await waitForState(receiver.client, ({ receives: [receive] }) =>
      receive?.phase === 'connecting' ? true : null,
    )
  })

  it('tries another place once when pairing fails at the first, so that it shows two proofs at most', async () => {
    const { sender, code, receiver, searches } = await nearShare()
    const asked = await impostorAt(stranger.url, nameplateOf(code))
    searches[0]?.(found(stranger.url, 'x'))
    await asked.once()
    // An earlier run went to the configured server, which has no such sender; it showed no proof.
    const first = await receiver.engine.nth('open-receive', 2)
    refuse(receiver, first)
    await expect.poll(() => searches.length).toBe(2)
    searches[1]?.(found(stranger.url, 'x'))
    searches[1]?.(found(near.url, 'a'))
    const second = await receiver.engine.nth('open-receive', 3)
    // A sender that counted the words at the first place recognizes them.
    expect(first).not.toHaveProperty('after')
    expect(second).toMatchObject({ after: first.session })
    await sender.engine.nth('add-peer')
    await sender.engine.nth('signal')
    refuse(receiver, second)
    const error = await waitForState(receiver.client, ({ receives: [receive] }) => receive?.error)
    expect(error.code).toBe('E_CODE_MISMATCH')
    expect(receiver.engine.all('open-receive')).toHaveLength(3)
    expect(asked.count()).toBe(1)
  })

  it('leaves a place that stays silent after six seconds', async () => {
    const { sender, code, receiver, searches } = await nearShare()
    const asked = await impostorAt(stranger.url, nameplateOf(code))
    searches[0]?.(found(stranger.url, 'x'))
    await asked.once()
    searches[0]?.(found(near.url, 'a'))
    receiver.clock.advance(6000)
    await sender.engine.nth('signal')
  })

  it('reports an unknown code only when neither place has it', async () => {
    const { receiver } = await nearShare()
    receiver.clock.advance(2499)
    expect(receiveOf(receiver)?.error).toBeNull()
    receiver.clock.advance(1)
    const error = await waitForState(receiver.client, ({ receives: [receive] }) => receive?.error)
    expect(error.code).toBe('E_NO_SUCH_CODE')
  })

  it('reports that its search without a server was limited to the local network', async () => {
    const { network, searches } = fakeNetwork(near.url)
    const localPort = Number(new URL(near.url).port)
    const own = { serverUrl: null, localPort }
    const receiver = rig.station({ ...own, visibleOnNetwork: true, localNetwork: network })
    receiver.client.join('4821-apple-river-stone')
    await expect.poll(() => searches.length).toBe(1)
    receiver.clock.advance(2500)
    const error = await waitForState(receiver.client, ({ receives: [receive] }) => receive?.error)
    expect(error).toEqual({ code: 'E_NO_SUCH_CODE', detail: 'looked on this network only' })
  })

  it('waits no longer for silent places nearby than for missing ones', async () => {
    const { receiver, searches } = await nearShare()
    const url = await listen(silent())
    for (const instance of ['a', 'b', 'c']) searches[0]?.(found(`${url}/${instance}`, instance))
    receiver.clock.advance(2500)
    receiver.clock.advance(2500)
    const error = await waitForState(receiver.client, ({ receives: [receive] }) => receive?.error)
    expect(error.code).toBe('E_NO_SUCH_CODE')
  })

  it('queries at most four addresses nearby', async () => {
    const { searches, receiver } = await nearShare()
    for (let count = 0; count < 6; count += 1) {
      searches[0]?.(found(`${stranger.url}/${count}`, String(count)))
    }
    searches[0]?.(found(near.url, 'late'))
    receiver.clock.advance(2500)
    const error = await waitForState(receiver.client, ({ receives: [receive] }) => receive?.error)
    expect(error.code).toBe('E_NO_SUCH_CODE')
  })
})
