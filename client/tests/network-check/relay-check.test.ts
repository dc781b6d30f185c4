import { createServer, type Server, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkRelays } from '#client/network-check/relays'
import { attributes, encodeStun, methods } from '#client/network-check/stun-message'
import { direct } from '#client/proxy/proxy-choice'
import { ManualClock } from '#client/testing/manual-clock'

/** A TURN server over TCP that passes each connection to `serve`; returns its line. */
async function relay(serve: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `turn:mina:w0rd@127.0.0.1:${port}?transport=tcp`
}

async function verdictOf(line: string, clock = new ManualClock()) {
  const [found, ...more] = await checkRelays([line], {
    ...{ clock, proxyFor: direct, lookUp: () => Promise.resolve([]) },
  })
  expect(more).toEqual([])
  expect(JSON.stringify(found)).not.toContain('w0rd')
  return found?.verdict
}

const refusing = (code: number) => (socket: Socket) => {
  socket.on('data', (bytes: Buffer) => {
    const error = Buffer.from([0, 0, Math.floor(code / 100), code % 100])
    socket.write(
      encodeStun('error', methods.allocate, bytes.subarray(8, 20), [
        [attributes.errorCode, error],
        [attributes.realm, Buffer.from('test')],
        [attributes.nonce, Buffer.from('1')],
      ]),
    )
  })
}

describe('a check of a relay', () => {
  it.each([
    ['repeatedly answers unauthorized', 401, 'password'],
    ['has no room', 486, 'full'],
    ['has no capacity', 508, 'full'],
    ['forbids it', 403, 'refused'],
  ])('reports one that %s', async (_what, code, verdict) => {
    expect(await verdictOf(await relay(refusing(code)))).toBe(verdict)
  })

  it('gives up one that sends nonsense, ends immediately or never stops', async () => {
    expect(await verdictOf(await relay((socket) => socket.end()))).toBe('silent')
    expect(await verdictOf(await relay((socket) => socket.end('220 ready\r\n'.repeat(9))))).toBe(
      'silent',
    )
    const endless = await relay((socket) => {
      // A message of the greatest length that never ends, followed by more.
      const head = Buffer.from('0101fffc2112a442', 'hex')
      const flood = (): void => {
        while (!socket.destroyed && socket.write(Buffer.concat([head, Buffer.alloc(60_000)])));
      }
      socket.on('drain', flood)
      flood()
    })
    expect(await verdictOf(endless)).toBe('silent')
  })

  it('waits no longer for a silent one than announced', async () => {
    const clock = new ManualClock()
    const found = verdictOf(await relay(() => undefined), clock)
    await clock.untilDelay(1500)
    clock.advance(1500)
    expect(await found).toBe('silent')
  })

  it('recognizes a closed port, and a name without an address', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await new Promise((resolve) => server.close(resolve))
    expect(await verdictOf(`turn:mina:w0rd@127.0.0.1:${port}?transport=tcp`)).toBe('silent')
    expect(await verdictOf('turn:mina:w0rd@nowhere.example')).toBe('nameless')
  })
})
