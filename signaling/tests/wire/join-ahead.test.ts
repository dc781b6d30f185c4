import { expect, it } from 'vitest'
import type { ClientOptions } from 'ws'
import { joinHeader } from '#shared/signaling/messages'
import { startTestServer } from './test-server.ts'

/** An upgrade with this text in the header. */
const ahead = (text: string): ClientOptions => ({
  headers: { [joinHeader]: Buffer.from(text).toString('base64url') },
})

const join = (nameplate: string, more: object = {}): ClientOptions =>
  ahead(JSON.stringify({ t: 'join', v: 1, nameplate, ...more }))

it('introduces a joiner that sent nothing but its upgrade', async () => {
  const server = await startTestServer()
  const { client: host, nameplate } = await server.host()
  const joiner = await server.connect(join(nameplate, { body: 'AA==' }))
  const { peer } = await joiner.next('joined')
  const { peer: joinerId } = await host.next('peer')
  joiner.send({ t: 'relay', to: peer, body: 'AQ==' })
  expect(await host.next('relay')).toEqual({ t: 'relay', from: joinerId, body: 'AQ==' })
})

it('limits such joins like others, and pauses before it denies a nameplate', async () => {
  const server = await startTestServer({ joinsBurst: 1, joinsPerMin: 1 })
  const first = await server.connect(join('9999'))
  await first.processed()
  expect(first.unread).toEqual([])
  server.clock.advance(600)
  expect(await first.next('error')).toMatchObject({ code: 'E_NO_SUCH_CODE' })
  const second = await server.connect(join('9999'))
  expect(await second.next('error')).toMatchObject({ code: 'E_RATE_LIMITED' })
})

it.each([
  ['is no message', 'join'],
  ['has a pass', JSON.stringify({ t: 'join', v: 1, nameplate: '4821', pass: 'A'.repeat(43) })],
  ['is empty', ''],
])('closes a socket whose join %s', async (_, text) => {
  const server = await startTestServer()
  const client = await server.connect(ahead(text))
  expect(await client.next('error')).toMatchObject({ code: 'E_SERVER_PROTOCOL' })
  expect(await client.closed).toBe(1007)
})

it('reads none of an upgrade that it refuses', async () => {
  const server = await startTestServer({ serverPasswords: ['only-for-the-team'] })
  const shown = { Authorization: `Basic ${Buffer.from(':only-for-the-team').toString('base64')}` }
  const host = await server.connect({ headers: shown })
  host.send({ t: 'host', v: 1 })
  const { nameplate } = await host.next('hosted')
  expect(await server.refusedWith(join(nameplate))).toBe(401)
  await host.processed()
  expect(host.unread).toEqual([])
})
