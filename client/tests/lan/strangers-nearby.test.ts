/** A stranger that announces another person's share on the local network must not end a transfer. */
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pairingDone } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { nameplateOf } from '#shared/code/join-code'
import { defaultReceiveOptions } from '#shared/settings/receive-options'
import { listen } from '../bare-server'
import { accepted, fail, type Line, offerTo } from '../engine-events'
import { fakeNetwork, found, impostorAt } from '../near-rig'
import { folderWithFile, Rig, rigWithServer, type Station } from '../rig'
import { openShare, receiveOf } from '../transfers'

const folder = folderWithFile()
/** Runs the configured server. */
const rig = rigWithServer()
/** Runs a stranger's server. */
const stranger = new Rig()
beforeEach(() => stranger.startServer())
afterEach(() => stranger.end())

const plan = {
  directory: folder,
  options: defaultReceiveOptions,
  selection: { only: [], except: [], first: [] },
}

const passTime = async ({ clock }: Station, delayMs: number): Promise<void> => {
  await clock.untilDelay(delayMs)
  clock.advance(delayMs)
}

/** A receiver whose server is down until `back`, and a stranger nearby that pretends to be the sender. */
async function lured() {
  const code = '4821-apple-river-stone'
  await rig.stopServer()
  const { network, searches } = fakeNetwork(rig.url)
  const receiver = rig.station({ visibleOnNetwork: true, localNetwork: network })
  const asked = await impostorAt(stranger.url, nameplateOf(code))
  receiver.client.join(code)
  await expect.poll(() => searches.length).toBe(1)
  searches[0]?.(found(stranger.url, 'x'))
  const line = await receiver.engine.nth('open-receive')
  await asked.once()
  const back = async () => {
    await rig.startServer()
    return impostorAt(rig.url, nameplateOf(code))
  }
  return { receiver, line, asked, back, searches }
}

it('a stranger that relays pairing and then blocks is left for the configured server', async () => {
  const { receiver, line, back, searches } = await lured()
  receiver.engine.emit(pairingDone(line.session, line.peer))
  const atHome = await back()
  fail(receiver, line, 'E_NO_ROUTE')
  await passTime(receiver, 3000)
  await atHome.once()
  expect(searches).toHaveLength(1)
})

it('a stranger that relays pairing and then hangs up is left for the configured server', async () => {
  const { receiver, line, asked, back } = await lured()
  receiver.engine.emit(pairingDone(line.session, line.peer))
  const atHome = await back()
  await stranger.stopServer()
  // Only the watch for silence is left, and no attempt to reach the stranger.
  await expect.poll(() => receiver.clock.delays).toEqual([10_000])
  expect(receiver.engine.all('open-receive')).toHaveLength(1)
  fail(receiver, line, 'E_NO_ROUTE')
  await passTime(receiver, 3000)
  await atHome.once()
  expect(asked.count()).toBe(1)
})

/** A receive that lost the configured server; its resume key is known. */
async function lost() {
  const { code } = await openShare(rig.station())
  const { network, searches } = fakeNetwork(rig.url)
  const receiver = rig.station({ visibleOnNetwork: true, localNetwork: network })
  const joined = receiver.client.join(code)
  if (!joined.ok) throw new Error(joined.error.code)
  const line = await receiver.engine.nth('open-receive')
  offerTo(receiver, line)
  receiver.engine.emit({ type: 'resume-key', ...ends(line), key: 'k'.repeat(43) })
  receiver.client.receives.get(joined.value)?.accept(plan)
  receiver.engine.emit(accepted(line))
  const asked = await impostorAt(stranger.url, nameplateOf(code))
  await rig.stopServer()
  return { receiver, line, asked, searches }
}

const ends = ({ session, peer }: Line) => ({ session, peer })

it.each(['E_CODE_MISMATCH', 'E_PEER_PROTOCOL', 'E_PEER_VERSION', 'E_CODE_LOCKED'] as const)(
  'a stranger that says %s does not end a resumed receive',
  async (code) => {
    const { receiver, line, asked, searches } = await lost()
    const before = searches.length
    fail(receiver, line, 'E_PEER_GONE')
    await passTime(receiver, 1000)
    await expect.poll(() => searches.length).toBe(before + 1)
    searches[before]?.(found(stranger.url, 'x'))
    const next = await receiver.engine.nth('open-receive', 2)
    expect(next.secret).toMatchObject({ kind: 'resume' })
    await asked.once()
    fail(receiver, next, code)
    // No other place is left.
    await expect.poll(() => searches.length).toBe(before + 2)
    await passTime(receiver, 2500)
    await waitForState(receiver.client, ({ receives: [receive] }) =>
      receive?.phase === 'failed' || receive?.attempt === 2 ? true : null,
    )
    expect(receiveOf(receiver)).toMatchObject({ phase: 'reconnecting', attempt: 2 })
  },
)

it.each(['while all are asked', 'while one pairs'])(
  'strangers leave no timer and no socket behind a receive that is cancelled %s',
  async (moment) => {
    const { network, searches } = fakeNetwork(rig.url)
    const receiver = rig.station({ visibleOnNetwork: true, localNetwork: network })
    const before = receiver.clock.delays
    const sockets = new Set<Socket>()
    const silent = createServer()
      .on('connection', (socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
      .on('upgrade', (_request, socket) => {
        socket.on('error', () => undefined).resume()
        socket.once('end', () => socket.destroy())
      })
    const url = await listen(silent)
    const asked = await impostorAt(stranger.url, '4821')
    const joined = receiver.client.join('4821-apple-river-stone')
    if (!joined.ok) throw new Error(joined.error.code)
    await expect.poll(() => searches.length).toBe(1)
    for (const instance of ['a', 'b', 'c']) searches[0]?.(found(`${url}/${instance}`, instance))
    await expect.poll(() => sockets.size).toBe(3)
    if (moment === 'while one pairs') {
      searches[0]?.(found(stranger.url, 'x'))
      await asked.once()
    }
    receiver.client.receives.get(joined.value)?.cancel()
    await expect.poll(() => sockets.size).toBe(0)
    await expect.poll(() => receiver.clock.delays).toEqual(before)
  },
)
