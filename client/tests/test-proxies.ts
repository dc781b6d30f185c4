/** Proxies for tests, which resolve one extra name: `signal.test` is this computer. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { ProxyAddress } from '#shared/settings/proxy-url'
import { Journal } from './bare-server.ts'

/** The same server under the name that only proxies can resolve. */
export const behindProxy = (url: string): string => url.replace('127.0.0.1', 'signal.test')

/** The credentials that a test proxy requires, and its answer. */
export type ProxyRules = {
  readonly user?: string
  readonly password?: string
  /** The HTTP status, or the SOCKS reply; success by default. */
  readonly answer?: number
}

/** The certificate and key of a test's proxy or server. */
export type Certificate = { readonly key: Buffer; readonly cert: Buffer }

/** A running proxy, with the places requested of it. */
export type TestProxy = { readonly address: ProxyAddress; readonly places: Journal<string> }

/** Listens until the test ends, which cuts remaining sockets. */
async function listening(server: Server, scheme: ProxyAddress['scheme']): Promise<ProxyAddress> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { scheme, host: '127.0.0.1', port, user: '', password: '' }
}

/** A proxy that passes each socket to `onSocket`. */
export const oddProxy = (
  scheme: 'http' | 'socks5',
  onSocket: (socket: Socket) => void,
): Promise<ProxyAddress> => listening(createServer(onSocket), scheme)

/** A TLS proxy that refuses everything, with each client's requested server name and all of its data. */
export async function refusingTlsProxy(certificate: Certificate) {
  const [names, said] = [new Journal<string | false | null>(), new Journal<string>()]
  let text = ''
  const server = createTlsServer({ ...certificate }, (socket) => {
    names.add(socket.servername)
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString()
      socket.end('HTTP/1.1 403 Test\r\n\r\n')
    })
  })
  // Uses the socket below TLS, because a client that refuses the certificate may leave before TLS is established.
  server.on('connection', (socket: Socket) => socket.on('close', () => said.add(text)))
  return { address: await listening(server, 'https'), names, said }
}

function join(near: Socket, place: string): void {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(place) ?? []
  const far = connect(Number(port), host === 'signal.test' ? '127.0.0.1' : host)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
    one.pipe(other)
  }
}

/** An HTTP CONNECT proxy, with TLS if there is a certificate. */
export async function httpProxy(
  rules: ProxyRules = {},
  certificate?: Certificate,
): Promise<TestProxy> {
  const places = new Journal<string>()
  const server =
    certificate === undefined ? createHttpServer() : createHttpsServer({ ...certificate })
  const { user, password = '', answer = 200 } = rules
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    const isKnown = user === undefined || headers['proxy-authorization'] === basic
    const status = isKnown ? answer : 407
    socket.write(`HTTP/1.1 ${status} Test\r\nProxy-Agent: test\r\n\r\n`)
    places.add(url)
    if (status === 200) join(socket, url)
    else socket.end()
  })
  return {
    address: await listening(server, certificate === undefined ? 'http' : 'https'),
    places,
  }
}

/** A SOCKS 5 proxy (RFC 1928, RFC 1929); requires a password if there is a user. */
export async function socksProxy({
  user,
  password,
  answer = 0,
}: ProxyRules = {}): Promise<TestProxy> {
  const places = new Journal<string>()
  const address = await oddProxy('socks5', (socket) => {
    void serveSocks(socket)
  })
  const method = user === undefined ? 0 : 2
  async function serveSocks(socket: Socket): Promise<void> {
    const take = taker(socket)
    const [, count = 0] = await take(2)
    const isOffered = (await take(count)).includes(method)
    socket.write(Buffer.from([5, isOffered ? method : 0xff]))
    if (!isOffered) return void socket.end()
    if (user !== undefined) {
      const [, userBytes = 0] = await take(2)
      const name = (await take(userBytes)).toString()
      const word = (await take((await take(1))[0] ?? 0)).toString()
      const isKnown = name === user && word === password
      socket.write(Buffer.from([1, isKnown ? 0 : 1]))
      if (!isKnown) return void socket.end()
    }
    const [, , , kind] = await take(4)
    const host =
      kind === 1
        ? (await take(4)).join('.')
        : kind === 3
          ? (await take((await take(1))[0] ?? 0)).toString()
          : `[${(await take(16)).toString('hex')}]`
    const place = `${host}:${(await take(2)).readUInt16BE()}`
    places.add(place)
    const bound = 'proxy.test'
    socket.write(Buffer.from([5, answer, 0, 3, bound.length, ...Buffer.from(bound), 0x12, 0x34]))
    if (answer === 0) join(socket, place)
    else socket.end()
  }
  return { address, places }
}

/** Reads exact numbers of bytes; never resolves if the socket ends first. */
function taker(socket: Socket): (bytes: number) => Promise<Buffer> {
  return async (bytes) => {
    for (;;) {
      const taken = bytes === 0 ? Buffer.alloc(0) : (socket.read(bytes) as Buffer | null)
      if (taken !== null) return taken
      await new Promise((resolve) => socket.once('readable', resolve))
    }
  }
}
