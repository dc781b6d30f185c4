import { describe, expect, it } from 'vitest'
import { systemRandom } from '#signaling/random'
import {
  RawClient,
  startTestServer,
  statusOf,
  type TestServer,
  upgradeRequest,
} from './test-server.ts'

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

/** The error code of a join, or `null` if it is accepted. */
async function join(server: TestServer, nameplate: string, address: string) {
  const client = await server.connect(from(address))
  client.send({ t: 'join', v: 1, nameplate })
  await client.processed()
  server.clock.advance(0)
  const answer = await client.receive()
  client.socket.close()
  await client.closed
  return answer.t === 'error' ? answer.code : null
}

const roomy = { trustProxy: ['127.0.0.0/8'], wsConnectionsPerMin: 1000, wsConnectionsBurst: 1000 }

/** An empty pause before a refusal keeps the clock, and with it every bucket, unchanged. */
const pauseless = {
  bytes: systemRandom.bytes,
  between: (from: number) => (from === 300 ? 0 : from),
}

describe('SIG-10: a flood of joins', () => {
  it('is refused after 60 a minute from one address', async () => {
    const server = await startTestServer({ ...roomy, maxReceiversPerSender: 100 })
    const nameplates: string[] = []
    // Several nameplates, because each accepts a burst of 30 joins from one address.
    for (let turn = 0; turn < 3; turn += 1) nameplates.push((await server.host()).nameplate)
    const codes: unknown[] = []
    for (let turn = 0; turn < 61; turn += 1) {
      codes.push(await join(server, nameplates[turn % 3] ?? '', '203.0.113.7'))
    }
    expect(codes.slice(0, 60)).toEqual(Array(60).fill(null))
    expect(codes[60]).toBe('E_RATE_LIMITED')
    expect(await join(server, nameplates[0] ?? '', '203.0.113.8')).toBeNull()
    server.clock.advance(2000)
    expect(await join(server, nameplates[2] ?? '', '203.0.113.7')).toBeNull()
  })

  it('of one address to one nameplate never blocks another address', async () => {
    const server = await startTestServer({ ...roomy, maxReceiversPerSender: 1000 })
    const { nameplate } = await server.host()
    for (let minute = 0; minute < 5; minute += 1) {
      for (let turn = 0; turn < 30; turn += 1) await join(server, nameplate, '203.0.113.7')
      expect(await join(server, nameplate, '203.0.113.7')).toBe('E_RATE_LIMITED')
      expect(await join(server, nameplate, '198.51.100.7')).toBeNull()
      server.clock.advance(60_000)
    }
  })

  it('is refused after 10 a minute to unknown nameplates, to known ones too', async () => {
    const server = await startTestServer({ ...roomy, random: pauseless })
    const { nameplate } = await server.host()
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await join(server, String(5000 + turn), '203.0.113.7')).toBe('E_NO_SUCH_CODE')
    }
    expect(await join(server, '5010', '203.0.113.7')).toBe('E_RATE_LIMITED')
    expect(await join(server, nameplate, '203.0.113.7')).toBe('E_RATE_LIMITED')
  })

  it('counts a /64 of IPv6 as one address', async () => {
    const server = await startTestServer({ ...roomy, random: pauseless })
    for (let turn = 0; turn < 10; turn += 1) await join(server, '5000', `2001:db8::${turn}:1`)
    expect(await join(server, '5000', '2001:db8::ffff')).toBe('E_RATE_LIMITED')
    expect(await join(server, '5000', '2001:db8:0:1::1')).toBe('E_NO_SUCH_CODE')
  })

  it('is refused after 120 a minute to one nameplate from everywhere', async () => {
    const server = await startTestServer({ ...roomy, maxReceiversPerSender: 1000 })
    const { nameplate } = await server.host()
    for (let turn = 0; turn < 120; turn += 1) {
      expect(await join(server, nameplate, `203.0.${turn}.1`)).toBeNull()
    }
    expect(await join(server, nameplate, '198.51.100.1')).toBe('E_RATE_LIMITED')
  })
})

describe('one address', () => {
  it('can still host without naming a nameplate after too many guesses', async () => {
    const server = await startTestServer({ ...roomy, random: pauseless })
    for (let turn = 0; turn < 10; turn += 1) await join(server, String(5000 + turn), '203.0.113.7')
    const host = async (more: { readonly nameplate?: string }) => {
      const client = await server.connect(from('203.0.113.7'))
      client.send({ t: 'host', v: 1, key: client.key, ...more })
      return client.receive()
    }
    expect(await host({ nameplate: '4821' })).toMatchObject({ code: 'E_RATE_LIMITED' })
    expect(await host({})).toMatchObject({ t: 'hosted' })
  })

  it('hosts 20 times at once', async () => {
    const server = await startTestServer()
    for (let turn = 0; turn < 20; turn += 1) await server.host()
    const client = await server.connect()
    client.send({ t: 'host', v: 1 })
    expect((await client.next('error')).code).toBe('E_RATE_LIMITED')
    expect(await client.closed).toBe(4000)
  })

  it('has 100 open sockets, and room for another when one of them ends', async () => {
    const server = await startTestServer({ ...roomy })
    const open = await Promise.all(Array.from({ length: 100 }, () => server.connect()))
    expect(await server.refusedWith()).toBe(429)
    await server.connect(from('203.0.113.7'))
    open[0]?.socket.close()
    await open[0]?.closed
    await expect.poll(() => server.log.some(({ event }) => event === 'closed')).toBe(true)
    await server.connect()
  })

  it('opens 120 sockets at once and then four a second', async () => {
    const server = await startTestServer()
    const dial = async () => {
      const client = await server.connect()
      client.socket.close()
      await client.closed
    }
    for (let turn = 0; turn < 120; turn += 1) await dial()
    expect(await server.refusedWith()).toBe(429)
    server.clock.advance(250)
    await dial()
  })

  it('is not limited if it is this computer and trusted', async () => {
    const server = await startTestServer({ trustLoopback: true })
    for (let turn = 0; turn < 40; turn += 1) await server.host()
  })

  it("can't escape its limits by an untrusted header", async () => {
    const server = await startTestServer({ maxWsConnectionsPerAddress: 1 })
    await server.connect(from('203.0.113.1'))
    expect(await server.refusedWith(from('203.0.113.2'))).toBe(429)
  })
})

it('refuses sockets with 503 when the node is full', async () => {
  const server = await startTestServer({ maxWsConnections: 2, trustLoopback: true })
  await server.connect()
  await server.connect()
  expect(await server.refusedWith()).toBe(503)
})

it('refuses hosts with E_SERVER_BUSY when there are enough sessions', async () => {
  const server = await startTestServer({ maxSessions: 1 })
  await server.host()
  const client = await server.connect()
  client.send({ t: 'host', v: 1 })
  expect((await client.next('error')).code).toBe('E_SERVER_BUSY')
})

describe('a whole network', () => {
  it('has sixteen times the sockets of one address, a /56 four times', async () => {
    const server = await startTestServer({ ...roomy, maxWsConnectionsPerAddress: 1 })
    const open = (part: number) => server.connect(from(`2001:db8:0:${part.toString(16)}::1`))
    const refused = (part: number) => server.refusedWith(from(`2001:db8:0:${part.toString(16)}::1`))
    for (let part = 0; part < 4; part += 1) await open(part)
    expect(await refused(4)).toBe(429)
    for (let part = 1; part < 4; part += 1) {
      for (let line = 0; line < 4; line += 1) await open(part * 256 + line)
    }
    expect(await refused(0x400)).toBe(429)
    await server.connect(from('2001:db8:1::1'))
  })

  it('has sixteen times the sessions of one address', async () => {
    const server = await startTestServer({ ...roomy, maxSessionsPerAddress: 1 })
    const host = async (address: string) => {
      const client = await server.connect(from(address))
      client.send({ t: 'host', v: 1 })
      const answer = await client.receive()
      return answer.t === 'error' ? answer.code : answer.t
    }
    expect(await host('203.0.113.1')).toBe('hosted')
    expect(await host('203.0.113.1')).toBe('E_SERVER_BUSY')
    for (let line = 2; line <= 16; line += 1) expect(await host(`203.0.113.${line}`)).toBe('hosted')
    expect(await host('203.0.113.17')).toBe('E_SERVER_BUSY')
    expect(await host('203.0.112.1')).toBe('hosted')
  })
})

describe('behind a proxy', () => {
  it('refuses clients without a valid address, and reports a proxy that names none', async () => {
    const server = await startTestServer(roomy)
    expect(await server.refusedWith(from('unknown'))).toBe(400)
    await server.connect()
    expect(server.log).toContainEqual({ event: 'unnamed-client' })
  })

  it('reports no unnamed client for requests that are refused anyway', async () => {
    const server = await startTestServer(roomy)
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, '1']))
    // Node drops the proxy's header after this many.
    const headers = { ...many, 'x-forwarded-for': '203.0.113.7' }
    expect(await server.refusedWith({ headers })).toBe(431)
    expect(await server.refusedWith({ headers: { origin: 'https://a.example' } })).toBe(403)
    expect(server.log).not.toContainEqual({ event: 'unnamed-client' })
  })

  it('distinguishes clients whose addresses have ports', async () => {
    const server = await startTestServer({ ...roomy, maxWsConnectionsPerAddress: 1 })
    await server.connect(from('203.0.113.1:4000'))
    await server.connect(from('203.0.113.2:4000'))
    expect(await server.refusedWith(from('203.0.113.1:4001'))).toBe(429)
  })
})

describe('messages of one socket', () => {
  it('may be 60 at once, and one more closes it', async () => {
    const server = await startTestServer()
    const { joiner, hostId } = await server.pair()
    // The join was the first message.
    for (let sent = 1; sent < 61; sent += 1) joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    expect((await joiner.next('error')).code).toBe('E_RATE_LIMITED')
    expect(await joiner.closed).toBe(4006)
  })

  it('may be 20 per second in the long run', async () => {
    const server = await startTestServer()
    const { host, joiner, joinerId, hostId } = await server.pair()
    host.send({ t: 'grant', peer: joinerId })
    await joiner.next('pass')
    const relay = async (count: number) => {
      for (let sent = 0; sent < count; sent += 1)
        joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
      for (let sent = 0; sent < count; sent += 1) await host.next('relay')
    }
    await relay(59)
    for (let second = 0; second < 5; second += 1) {
      server.clock.advance(1000)
      await relay(20)
    }
    joiner.send({ t: 'relay', to: hostId, body: 'AA==' })
    expect(await joiner.closed).toBe(4006)
  })

  it('may be another 60 for a host with each receiver', async () => {
    const server = await startTestServer()
    const { host, joiner, joinerId } = await server.pair()
    for (let sent = 0; sent < 119; sent += 1) host.send({ t: 'relay', to: joinerId, body: 'AA==' })
    for (let sent = 0; sent < 119; sent += 1) await joiner.next('relay')
    host.send({ t: 'relay', to: joinerId, body: 'AA==' })
    expect(await host.closed).toBe(4006)
  })

  it('cut a socket whose client keeps sending after a close', async () => {
    const server = await startTestServer()
    const client = new RawClient(server.port)
    const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0])
    client.socket.write(upgradeRequest())
    // The clock stands still, and the client answers no close.
    for (let sent = 0; sent < 1200; sent += 1) client.socket.write(ping)
    expect(statusOf(await client.ended)).toBe(101)
  })
})
