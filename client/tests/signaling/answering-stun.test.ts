import { createSocket, type Socket } from 'node:dgram'
import { afterEach, expect, it } from 'vitest'
import { answeringFirst, answeringInTurn } from '#client/signaling/answering-stun'
import { ManualClock } from '#client/testing/manual-clock'

const sockets: Socket[] = []
afterEach(async () => {
  await Promise.all(
    sockets.splice(0).map((socket) => new Promise<void>((done) => socket.close(() => done()))),
  )
})

/** A server that answers requests with `answer`; a request without an answer resolves `asked`. */
async function server(answer: (request: Buffer) => Buffer | null) {
  const socket = createSocket('udp4')
  sockets.push(socket)
  const asked = new Promise<Buffer>((resolve) => {
    socket.on('message', (request, { address, port }) => {
      const reply = answer(request)
      if (reply === null) resolve(request)
      else socket.send(reply, port, address, () => resolve(request))
    })
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return { place: { host: '127.0.0.1', port: socket.address().port }, asked }
}

/** The start of a success response; its attributes don't matter here. */
const success = (request: Buffer) => Buffer.concat([Buffer.from([1, 1, 0, 0]), request.subarray(4)])

it('an answering STUN server is moved to the front', async () => {
  const silent = await server(() => null)
  const answering = await server(success)
  const found = await answeringFirst([silent.place, answering.place], new ManualClock())
  expect(found).toEqual([answering.place, silent.place])
  const request = await answering.asked
  expect(request.length).toBe(20)
  expect(request.subarray(0, 8).toString('hex')).toBe('000100002112a442')
})

it('without a valid answer in time the order stays', async () => {
  const clock = new ManualClock()
  const hostile = await Promise.all(
    [
      () => Buffer.alloc(0),
      () => Buffer.from('0101'),
      (request: Buffer) => request,
      (request: Buffer) => Buffer.concat([success(request).subarray(0, 8), Buffer.alloc(12)]),
      (request: Buffer) => success(request).subarray(0, 19),
    ].map(server),
  )
  const places = hostile.map(({ place }) => place)
  const found = answeringFirst(places, clock)
  await Promise.all(hostile.map(({ asked }) => asked))
  clock.advance(300)
  expect(await found).toEqual(places)
})

it('a single server is not queried', async () => {
  const only = [{ host: '192.0.2.1', port: 3478 }]
  expect(await answeringFirst(only, new ManualClock())).toBe(only)
})

it('servers of strangers are asked in turn, and only one is used', async () => {
  const [first, second] = [await server(success), await server(success)]
  expect(await answeringInTurn([first.place, second.place], new ManualClock())).toEqual([
    first.place,
  ])
  const clock = new ManualClock()
  const silent = await server(() => null)
  const found = answeringInTurn([silent.place, second.place], clock)
  await silent.asked
  clock.advance(300)
  expect(await found).toEqual([second.place])
})
