import { describe, expect, it } from 'vitest'
import type { ClientMessage } from '#shared/signaling/messages'
import { startTestServer } from './test-server.ts'

describe('SIG-01: a frame that is no message', () => {
  it.each<[string, string | Buffer, boolean, number]>([
    ['no JSON', 'hello', false, 1007],
    ['an array', '[]', false, 1007],
    ['depth 10,000', '['.repeat(10_000), false, 1007],
    ['64 KiB', ' '.repeat(64 * 1024), false, 1007],
    ['64 KiB and a byte', ' '.repeat(64 * 1024 + 1), false, 1009],
    ['a binary frame', '{"t":"leave"}', true, 1003],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), false, 1007],
  ])('%s', async (_what, frame, binary, code) => {
    const server = await startTestServer()
    const { host, joiner, hostId } = await server.pair()
    const attacker = await server.connect()
    attacker.socket.send(frame, { binary })
    expect(await attacker.closed).toBe(code)

    joiner.send({ t: 'relay', to: hostId, body: 'YWxpdmU=' })
    expect((await host.next('relay')).body).toBe('YWxpdmU=')
    expect(server.log.filter(({ event }) => event === 'failed')).toEqual([])
  })
})

it.each([
  '{"t":"host","v":1,"__proto__":{"polluted":1}}',
  '{"t":"host","v":1,"constructor":{"prototype":{"polluted":1}}}',
  '{"t":"host","v":1,"toString":"x"}',
  '{"t":"__proto__"}',
  '{"t":"host","v":"1"}',
  '{"t":"host","v":1e400}',
  '{"t":"listen","v":1,"mailboxes":["__proto__"]}',
])('SIG-02: refuses %s and leaves prototypes alone', async (text) => {
  const server = await startTestServer()
  const attacker = await server.connect()
  attacker.send(text)
  expect(await attacker.next('error')).toEqual({ t: 'error', code: 'E_SERVER_PROTOCOL' })
  expect(await attacker.closed).toBe(1007)
  expect(Object.keys(Object.prototype)).toEqual([])
})

it('refuses another version by name', async () => {
  const server = await startTestServer()
  const client = await server.connect()
  client.send('{"t":"host","v":2}')
  expect((await client.next('error')).code).toBe('E_PEER_VERSION')
  expect(await client.closed).toBe(4000)
})

describe('the order of messages', () => {
  it.each([
    ['relay', '{"t":"relay","to":"0123456789abcdef","body":"AA=="}'],
    ['leave', '{"t":"leave"}'],
    ['grant', '{"t":"grant","peer":"0123456789abcdef"}'],
    ['notify', `{"t":"notify","mailbox":"${'A'.repeat(43)}","body":"AA=="}`],
  ])('refuses %s as the first one', async (_what, text) => {
    const server = await startTestServer()
    const client = await server.connect()
    client.send(JSON.parse(text) as ClientMessage)
    expect((await client.next('error')).code).toBe('E_SERVER_PROTOCOL')
    expect(await client.closed).toBe(4001)
  })

  it.each([
    ['a host', '{"t":"host","v":1}'],
    ['a joiner', '{"t":"join","v":1,"nameplate":"4821"}'],
  ])('refuses a host that wants to be %s again, and frees its nameplate', async (_what, text) => {
    const server = await startTestServer()
    const { host, joiner } = await server.pair()
    host.send(text)
    expect((await host.next('error')).code).toBe('E_SERVER_PROTOCOL')
    expect(await host.closed).toBe(4001)
    expect(await joiner.closed).toBe(4003)
  })

  it('reads nothing after a refusal', async () => {
    const server = await startTestServer()
    const client = await server.connect()
    client.send('{"t":"nonsense"}')
    client.send('{"t":"host","v":1}')
    await client.next('error')
    expect(await client.closed).toBe(1007)
    expect(client.unread).toEqual([])
    expect(server.log.map(({ event }) => event)).not.toContain('hosted')
  })
})
