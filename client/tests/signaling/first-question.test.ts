/** The content of the first question about a code, and the other places that are queried. */
import { beforeEach, expect, it } from 'vitest'
import { fakeOpening } from '#client/testing/fake-engine'
import { encode } from '#shared/signaling/messages'
import { bareServer, said } from '../bare-server'
import { fakeNetwork, found } from '../near-rig'
import { Rig } from '../rig'

type Server = Awaited<ReturnType<typeof bareServer>>

const sender = 'a'.repeat(16)

let home: Server
/** A server on the local network. */
let near: Server
const rig = new Rig()
beforeEach(async () => {
  home = await bareServer()
  near = await bareServer()
  return () => rig.end()
})

/** A receiver that has queried the home server; if `isThere`, the code was announced before. */
async function asked({ isThere = false } = {}) {
  const { network, searches } = fakeNetwork('ws://127.0.0.1:9')
  const announcer = found(near.url.replace(/\/v1$/, ''), 'x')
  const receiver = rig.station({
    visibleOnNetwork: true,
    serverUrl: home.url,
    localNetwork: {
      ...network,
      search: (nameplate, onFound) => {
        if (isThere) onFound(announcer)
        return network.search(nameplate, onFound)
      },
    },
  })
  receiver.client.join('4821-apple-river-stone')
  const question = await said(home)
  const socket = await home.sockets.next()
  return { receiver, question, socket, spot: () => searches[0]?.(announcer) }
}

const join = { t: 'join', nameplate: '4821' }

/** The nearby server has the sender; returns the messages that it receives. */
async function joinsNearby() {
  const question = await said(near)
  const socket = await near.sockets.next()
  socket.send(encode({ t: 'joined', peer: sender }))
  return { question, told: await said(near) }
}

const relayed = { t: 'relay', to: sender, body: fakeOpening }

it('it carries the first message when no server nearby was found by then', async () => {
  const { question, socket, receiver } = await asked()
  expect(question).toMatchObject({ ...join, body: fakeOpening })
  socket.send(encode({ t: 'joined', peer: sender }))
  socket.send(encode({ t: 'relay', from: sender, body: 'cGFrZTI=' }))
  expect(await receiver.engine.nth('signal')).toMatchObject({ payload: 'cGFrZTI=' })
  expect(receiver.engine.all('open-receive')).toHaveLength(1)
})

it('it carries nothing, and two servers are queried together, when one was found', async () => {
  const { question } = await asked({ isThere: true })
  expect(question).toMatchObject(join)
  expect(question).not.toHaveProperty('body')
  const { question: other, told } = await joinsNearby()
  expect(other).not.toHaveProperty('body')
  expect(told).toEqual(relayed)
})

it('a server nearby gets another message when the configured server denies knowing the code', async () => {
  const { socket, spot, receiver } = await asked()
  spot()
  expect(near.sockets.isEmpty).toBe(true)
  socket.send(encode({ t: 'error', code: 'E_NO_SUCH_CODE' }))
  socket.close(4000)
  const { question, told } = await joinsNearby()
  expect(question).not.toHaveProperty('body')
  expect(told).toEqual(relayed)
  expect(receiver.engine.all('open-receive')).toHaveLength(2)
})

it('a message that may have arrived is sent to no other server: a new one is made', async () => {
  const { socket, spot, receiver } = await asked()
  spot()
  socket.terminate()
  const { told } = await joinsNearby()
  expect(told).toEqual(relayed)
  expect(receiver.engine.all('open-receive')).toHaveLength(2)
})

it('the same server, queried again, does not get it a second time', async () => {
  const { socket, receiver } = await asked()
  socket.terminate()
  await receiver.clock.untilDelay(1000)
  receiver.clock.advance(1000)
  expect(await said(home)).not.toHaveProperty('body')
  const again = await home.sockets.next()
  again.send(encode({ t: 'joined', peer: sender }))
  expect(await said(home)).toEqual(relayed)
  expect(receiver.engine.all('open-receive')).toHaveLength(2)
})

it.each([
  ['says nothing for 1.5 s', undefined],
  ['waits for the sender', { t: 'waiting' } as const],
])('a server nearby is queried, too, when the configured server %s', async (_what, message) => {
  const { socket, spot, receiver } = await asked()
  spot()
  if (message === undefined) receiver.clock.advance(1500)
  else socket.send(encode(message))
  const { told } = await joinsNearby()
  expect(told).toEqual(relayed)
  expect(receiver.engine.all('open-receive')).toHaveLength(2)
})
