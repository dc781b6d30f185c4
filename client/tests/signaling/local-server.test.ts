import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { localBounds, LocalServer, probe } from '#client/signaling/local-server'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function localServer(port: number): LocalServer {
  const server = new LocalServer(port)
  ends.push(() => server.close())
  return server
}

it('starts a server where there is none, and finds it the next time', async () => {
  const port = await freePort()
  const found = { ok: true, value: { url: `ws://127.0.0.1:${port}/v1`, embedded: true } }
  const first = localServer(port)
  expect(await first.locate()).toEqual(found)
  expect(await first.locate()).toEqual(found)
  expect(await localServer(port).locate()).toEqual(found)
})

it('lets several programs that start together share one server', async () => {
  const port = await freePort()
  const found = await Promise.all(Array.from({ length: 5 }, () => localServer(port).locate()))
  expect(found.map(({ ok }) => ok)).toEqual([true, true, true, true, true])
})

it('starts the server again when the program that owned it has ended', async () => {
  const port = await freePort()
  const owner = localServer(port)
  const other = localServer(port)
  await owner.locate()
  await other.locate()
  await owner.close()
  expect((await other.locate()).ok).toBe(true)
  expect((await localServer(port).locate()).ok).toBe(true)
})

it('refuses a port at which another program answers', async () => {
  const http = createServer((_request, response) => response.end('{"name":"something else"}'))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => http.close(() => resolve())))
  const { port } = http.address() as AddressInfo
  expect(await localServer(port).locate()).toMatchObject({
    ok: false,
    error: { code: 'E_SERVER_PROTOCOL', subject: `127.0.0.1:${port}` },
  })
})

it('refuses a port at which something speaks another protocol', async () => {
  const tcp = createTcpServer((socket) => socket.resume().end('220 smtp.example.org\r\n'))
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => tcp.close(() => resolve())))
  const { port } = tcp.address() as AddressInfo
  expect(await localServer(port).locate()).toMatchObject({
    ok: false,
    error: { code: 'E_SERVER_PROTOCOL' },
  })
})

it.skipIf(process.platform !== 'linux')('finds a computer that cannot reach itself', async () => {
  // TCP has no route to the broadcast address, as it has none to 127.0.0.1 without loopback.
  expect(await probe(41480, '255.255.255.255')).toBe('unreachable')
})

it('starts nothing once it is closed', async () => {
  const server = localServer(await freePort())
  await server.close()
  expect((await server.locate()).ok).toBe(false)
})

it('admits fewer shares than a public server', async () => {
  const server = localServer(await freePort())
  await server.locate()
  const host = (): Promise<Readonly<Record<string, unknown>>> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(server.url)
      ends.push(() => {
        socket.terminate()
        return Promise.resolve()
      })
      socket.on('error', reject)
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Readonly<Record<string, unknown>>
        if (message['t'] === 'welcome') socket.send('{"t":"host","v":1}')
        else resolve(message)
      })
    })
  const answers = await Promise.all(Array.from({ length: localBounds.maxSessions }, host))
  expect(new Set(answers.map(({ t }) => t))).toEqual(new Set(['hosted']))
  expect(await host()).toEqual({ t: 'error', code: 'E_SERVER_BUSY' })
})

it('is not blocked by a program that answers slowly and endlessly', async () => {
  const server = createTcpServer((socket) => {
    const drip = setInterval(() => socket.write('X'), 100)
    socket.on('close', () => clearInterval(drip)).on('error', () => undefined)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  expect(await localServer(port).locate()).toMatchObject({ error: { code: 'E_SERVER_PROTOCOL' } })
})
