/** Preparing a join while the words are typed, and using the preparation. */
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeOpening } from '#client/testing/fake-engine'
import { encode } from '#shared/signaling/messages'
import { bareServer, said } from '../../bare-server'
import { fakeNetwork, found } from '../../near-rig'
import { Rig, type Station } from '../../rig'
import { receiveOf } from '../../transfers'

type Server = Awaited<ReturnType<typeof bareServer>>

const code = '4821-apple-river-stone'

let home: Server
const rig = new Rig()
beforeEach(async () => {
  home = await bareServer()
  return () => rig.end()
})

const typing = ({ client }: Station, nameplate = '4821') => client.preparation.begin(nameplate)

/** The number of sockets that the server has had so far. */
async function sockets(): Promise<number> {
  let count = 0
  while (!home.sockets.isEmpty) {
    await home.sockets.next()
    count += 1
  }
  return count
}

describe('a socket to the configured server', () => {
  it('is opened before the words, stays silent, and carries the question', async () => {
    const receiver = rig.station({ serverUrl: home.url })
    typing(receiver)
    const socket = await home.sockets.next()
    expect(await home.joins.next()).toBeNull()
    expect(home.texts.isEmpty).toBe(true)
    expect(receiver.client.snapshot().state.server.phase).toBe('idle')
    receiver.client.join(code)
    expect(await said(home)).toMatchObject({ t: 'join', nameplate: '4821', body: fakeOpening })
    expect(home.sockets.isEmpty).toBe(true)
    socket.send(encode({ t: 'joined', peer: 'a'.repeat(16) }))
    await receiver.engine.nth('open-receive')
    await expect.poll(() => receiveOf(receiver)?.phase).toBe('connecting')
  })

  it('carries the question as soon as it opens, if the words are faster', async () => {
    const receiver = rig.station({ serverUrl: home.url })
    typing(receiver)
    receiver.client.join(code)
    expect(await said(home)).toMatchObject({ t: 'join', body: fakeOpening })
    expect(await sockets()).toBe(1)
  })

  it('is closed after 8 s without a message, and when the program ends', async () => {
    const receiver = rig.station({ serverUrl: home.url })
    typing(receiver)
    await home.sockets.next()
    receiver.clock.advance(8000)
    expect(await home.texts.next()).toBe('closed')
    typing(receiver)
    await home.sockets.next()
    await receiver.client.close()
    expect(await home.texts.next()).toBe('closed')
    typing(receiver)
    expect(home.sockets.isEmpty).toBe(true)
  })

  it('is opened once for each code, and six times a minute at most, like searches of the local network', async () => {
    const { network, searches } = fakeNetwork('ws://127.0.0.1:9')
    const receiver = rig.station({
      ...{ serverUrl: home.url, visibleOnNetwork: true, localNetwork: network },
    })
    for (let time = 0; time < 5; time += 1) typing(receiver)
    await expect.poll(sockets).toBe(1)
    for (let number = 1000; number < 1010; number += 1) {
      typing(receiver, String(number))
      if (number < 1005) await home.sockets.next()
    }
    expect(home.sockets.isEmpty).toBe(true)
    expect(searches).toHaveLength(6)
    receiver.clock.advance(60_000)
    typing(receiver)
    await home.sockets.next()
  })

  it('is not reopened after a loss before the join, whose own loss is reported', async () => {
    const receiver = rig.station({ serverUrl: home.url })
    typing(receiver)
    const socket = await home.sockets.next()
    socket.close(4004)
    expect(await home.texts.next()).toBe('closed')
    await expect.poll(() => receiver.clock.delays).toEqual([8000])
    receiver.client.join(code)
    await home.sockets.next()
    expect(await said(home)).toMatchObject({ t: 'join', nameplate: '4821' })
  })

  it('is not used for another code', async () => {
    const receiver = rig.station({ serverUrl: home.url })
    typing(receiver, '1234')
    await home.sockets.next()
    receiver.client.join(code)
    await home.sockets.next()
    expect(await said(home)).toMatchObject({ t: 'join', nameplate: '4821' })
  })

  it('is left if the server speaks before it was asked', async () => {
    const receiver = rig.station({ serverUrl: home.url })
    typing(receiver)
    const socket = await home.sockets.next()
    socket.send(encode({ t: 'joined', peer: 'a'.repeat(16) }))
    expect(await home.texts.next()).toBe('closed')
    expect(receiver.engine.commands).toEqual([])
  })

  it('is not opened if none is configured', () => {
    const { network, searches } = fakeNetwork(home.url)
    const receiver = rig.station({
      ...{ serverUrl: null, visibleOnNetwork: true, localNetwork: network, localPort: 1 },
    })
    typing(receiver)
    expect(searches).toHaveLength(1)
    expect(home.sockets.isEmpty).toBe(true)
  })
})

describe('STUN servers, when several are set', () => {
  // Neither of these responds, so the search ends by the clock.
  const stun = ['stun:127.0.0.1:9', 'stun:127.0.0.1:10']
  const station = () => rig.station({ serverUrl: home.url, ice: { stun, turn: [] } })

  it('are queried while the socket opens, and before the question', async () => {
    const receiver = station()
    receiver.client.join(code)
    await home.sockets.next()
    await expect.poll(() => receiver.clock.delays).toContain(300)
    expect(home.texts.isEmpty).toBe(true)
    expect(receiver.engine.commands).toMatchObject([{ type: 'set-installation' }])
    receiver.clock.advance(300)
    expect(await said(home)).toMatchObject({ t: 'join', nameplate: '4821', body: fakeOpening })
    expect(await sockets()).toBe(0)
  })

  it('are queried while the words are typed, so that the join does not wait', async () => {
    const receiver = station()
    typing(receiver)
    await home.sockets.next()
    await expect.poll(() => receiver.clock.delays).toContain(300)
    receiver.clock.advance(300)
    receiver.client.join(code)
    expect(await said(home)).toMatchObject({ t: 'join', nameplate: '4821', body: fakeOpening })
    expect(receiver.clock.delays).not.toContain(300)
    expect(await sockets()).toBe(0)
  })

  it('are queried for each of several joins at once, with one socket opened ahead', async () => {
    const receiver = station()
    receiver.client.join(code)
    receiver.client.join('1234-apple-river-stone')
    await home.sockets.next()
    await expect.poll(() => receiver.clock.delays.filter((delay) => delay === 300)).toHaveLength(2)
    expect(home.sockets.isEmpty).toBe(true)
    receiver.clock.advance(300)
    await home.sockets.next()
    const questions = [await said(home), await said(home)]
    const asked = questions.map((question) => question['nameplate']).sort()
    expect(asked).toEqual(['1234', '4821'])
  })
})

it('an announcer found while the words were typed is queried immediately, with the server', async () => {
  const near = await bareServer()
  const { network, searches } = fakeNetwork('ws://127.0.0.1:9')
  const receiver = rig.station({
    ...{ serverUrl: home.url, visibleOnNetwork: true, localNetwork: network },
  })
  typing(receiver)
  for (let place = 0; place < 20; place += 1) {
    searches[0]?.(found(near.url.replace(/\/v1$/, ''), String(place)))
  }
  await home.sockets.next()
  receiver.client.join(code)
  expect(await said(near)).not.toHaveProperty('body')
  expect(await said(home)).not.toHaveProperty('body')
})

it('an announcer is not queried once the computer has left the local network', async () => {
  const near = await bareServer()
  const { network, searches } = fakeNetwork('ws://127.0.0.1:9')
  let isThere = true
  const receiver = rig.station({
    ...{ serverUrl: home.url, visibleOnNetwork: true },
    localNetwork: Object.defineProperty({ ...network }, 'isThere', { get: () => isThere }),
  })
  typing(receiver)
  searches[0]?.(found(near.url.replace(/\/v1$/, ''), 'x'))
  const socket = await home.sockets.next()
  isThere = false
  receiver.client.join(code)
  await said(home)
  socket.send(encode({ t: 'waiting' }))
  socket.send(encode({ t: 'error', code: 'E_NO_SUCH_CODE' }))
  socket.close(4000)
  // No other answer is awaited.
  await expect.poll(() => receiveOf(receiver)?.phase).toBe('failed')
  expect(near.sockets.isEmpty).toBe(true)
})

it('a computer that slept in between uses no earlier socket', async () => {
  const receiver = rig.station({ serverUrl: home.url })
  typing(receiver)
  await home.sockets.next()
  receiver.client.onWake()
  expect(await home.texts.next()).toBe('closed')
  receiver.client.join(code)
  await home.sockets.next()
  expect(await said(home)).toMatchObject({ t: 'join', nameplate: '4821' })
})
