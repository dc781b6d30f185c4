import { expect, it } from 'vitest'
import { readBeginning } from '#signaling/socket/proxy-protocol'
import { RawClient, startTestServer, statusOf, upgradeRequest } from './test-server.ts'

const signature = '0d0a0d0a000d0a515549540a'

/** A header from its command, its family with protocol, and the body after the length. */
const header = (command: number, family: number, body: string): Buffer => {
  const bytes = Buffer.from(body, 'hex')
  const head = Buffer.from([0x20 | command, family, bytes.length >> 8, bytes.length & 0xff])
  return Buffer.concat([Buffer.from(signature, 'hex'), head, bytes])
}

/** A header from 203.0.113.N to 10.0.0.1:8080. */
const from4 = (last: string): Buffer => header(1, 0x11, `cb0071${last}0a000001d4311f90`)
const from6 = header(1, 0x21, `20010db8000000000000000000000001${'0'.repeat(32)}d4311f90`)
const ofItself = header(0, 0, '')

it('reads the source of a connection', () => {
  expect(readBeginning(from4('07'))).toEqual({ is: 'header', length: 28, source: '203.0.113.7' })
  expect(readBeginning(from6)).toMatchObject({ source: '2001:db8:0:0:0:0:0:1' })
  expect(readBeginning(ofItself)).toEqual({ is: 'header', length: 16, source: null })
  const withDetails = header(1, 0x11, 'cb0071070a000001d4311f9004000400000000')
  expect(readBeginning(Buffer.concat([withDetails, Buffer.from('GET')]))).toMatchObject({
    length: 35,
    source: '203.0.113.7',
  })
})

it('waits for the whole header, and accepts nothing else', () => {
  const whole = from4('07')
  for (let length = 0; length < whole.length; length += 1) {
    expect(readBeginning(whole.subarray(0, length)).is).toBe('incomplete')
  }
  for (const bytes of [
    Buffer.from('GET / HTTP/1.1\r\n'),
    Buffer.from('PROXY TCP4 203.0.113.7 10.0.0.1 1 2\r\n'),
    header(2, 0x11, 'cb0071070a000001d4311f90'),
    header(1, 0x12, 'cb0071070a000001d4311f90'),
    header(1, 0x11, 'cb00'),
    header(1, 0x31, '00'.repeat(216)),
    header(1, 0x11, '00'.repeat(3000)),
    Buffer.concat([Buffer.from(signature, 'hex'), Buffer.from([0x11, 0x11, 0, 0])]),
  ]) {
    expect(readBeginning(bytes).is).toBe('wrong')
  }
})

const behind = {
  host: '127.0.0.1',
  trustProxy: ['127.0.0.0/8'],
  proxyProtocol: true,
  maxWsConnectionsPerAddress: 1,
}

/** The status of an upgrade behind a header, in the same packet or a later one. */
async function upgradeBehind(port: number, bytes: Buffer, isSplit = false): Promise<number> {
  const raw = new RawClient(port)
  await raw.connected
  raw.socket.setNoDelay(true)
  const answered = new Promise<string>((resolve) =>
    raw.socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1'))),
  )
  const request = Buffer.from(upgradeRequest())
  if (isSplit) {
    raw.socket.write(bytes.subarray(0, 5))
    await new Promise((resolve) => setImmediate(resolve))
    raw.socket.write(bytes.subarray(5))
    await new Promise((resolve) => setImmediate(resolve))
    raw.socket.write(request)
  } else raw.socket.write(Buffer.concat([bytes, request]))
  return statusOf(await answered)
}

it.each([false, true])(
  'counts sockets by the addresses that a proxy names, split: %s',
  async (isSplit) => {
    const server = await startTestServer(behind)
    expect(await upgradeBehind(server.port, from4('07'), isSplit)).toBe(101)
    expect(await upgradeBehind(server.port, from4('08'), isSplit)).toBe(101)
    expect(await upgradeBehind(server.port, from4('07'), isSplit)).toBe(429)
    expect(await upgradeBehind(server.port, from6, isSplit)).toBe(101)
  },
)

it('counts silent connections by the addresses that a proxy names', async () => {
  const server = await startTestServer(behind)
  const silent = [new RawClient(server.port), new RawClient(server.port)]
  for (const { socket } of silent) socket.write(from4('07'))
  // The clock stands still, so no timeout ends both.
  expect(await Promise.race(silent.map(({ ended }) => ended))).toBe('')
  expect(silent.filter(({ socket }) => socket.destroyed)).toHaveLength(1)
  expect(await upgradeBehind(server.port, from4('08'))).toBe(101)
  server.clock.advance(5000)
  await Promise.all(silent.map(({ ended }) => ended))
  expect(await upgradeBehind(server.port, from4('07'))).toBe(101)
})

it("cuts off a trusted proxy that doesn't name its client", async () => {
  const server = await startTestServer(behind)
  const raw = new RawClient(server.port)
  expect(await raw.ask('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('')
})

it("answers a proxy's own health checks", async () => {
  const server = await startTestServer(behind)
  const raw = new RawClient(server.port)
  const request = Buffer.concat([ofItself, Buffer.from('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')])
  expect(statusOf(await raw.ask(request.toString('latin1')))).toBe(200)
})

it('believes only trusted proxies', async () => {
  const server = await startTestServer({ ...behind, trustProxy: ['10.0.0.0/8'] })
  const raw = new RawClient(server.port)
  const request = Buffer.concat([from4('07'), Buffer.from(upgradeRequest())])
  expect(statusOf(await raw.ask(request.toString('latin1')))).toBe(400)
})
