/** The join that travels in the upgrade of a WebSocket. */
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { fakeOpening } from '#client/testing/fake-engine'
import { type ClientMessage, encode, SIGNALING_VERSION } from '#shared/signaling/messages'
import { bareServer, connect, welcome } from '../bare-server'
import { rigWithServer } from '../rig'

const join: ClientMessage = { t: 'join', v: SIGNALING_VERSION, nameplate: '4821' }
const joined = { t: 'joined', peer: 'a'.repeat(16) } as const
const early = () => join
const hello = (): ClientMessage => ({ ...join, nameplate: '1111' })

const reading = () => bareServer(createServer(), { ...welcome, joins: true } as typeof welcome)

it('is not sent again when the server has read it', async () => {
  const server = await reading()
  const { client, messages } = connect(server.url, { hello, early })
  expect(await server.joins.next()).toBe(JSON.stringify(join))
  ;(await server.sockets.next()).send(encode(joined))
  expect(await messages.next()).toEqual(joined)
  void client.close()
  expect(await server.texts.next()).toBe(encode({ t: 'leave' }))
})

it('follows the welcome of a server that has not read it', async () => {
  const server = await bareServer()
  connect(server.url, { hello, early })
  expect(await server.joins.next()).toBe(JSON.stringify(join))
  expect(await server.texts.next()).toBe(JSON.stringify(join))
})

it('is only in the first upgrade', async () => {
  const server = await reading()
  const { clock, downs } = connect(server.url, { hello, early })
  await server.joins.next()
  ;(await server.sockets.next()).terminate()
  await downs.next()
  expect(await server.texts.next()).toBe('closed')
  clock.advance(1000)
  expect(await server.joins.next()).toBeNull()
  expect(await server.texts.next()).toBe(JSON.stringify(hello()))
})

it('has no pass, nor is it what the server may only read sealed', async () => {
  const server = await bareServer()
  connect(server.url, { hello: () => ({ ...join, pass: 'A'.repeat(43) }) })
  expect(await server.joins.next()).toBeNull()
  expect(await server.texts.next()).toContain('"t":"sealed"')
})

it('carries the first message of a receive', async () => {
  const server = await reading()
  const receiver = rigWithServer().station({ serverUrl: server.url })
  receiver.client.join('4821-apple-river-stone')
  expect(JSON.parse((await server.joins.next()) ?? '')).toEqual({ ...join, body: fakeOpening })
})
