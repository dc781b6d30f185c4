/** The configuration for coturn in this repository, with coturn itself. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#signaling/clock'
import { TurnService } from '#signaling/socket/turn-service'
import { answers, TurnClient } from './turn-client'

const configuration = fileURLToPath(new URL('../../deploy/coturn/turnserver.conf', import.meta.url))
const turnSecret = 'north-wind-and-the-sun'
const service = new TurnService(
  { turnUrls: ['turn:127.0.0.1'], turnSecret, turnTtl: 600 },
  systemClock,
)

const folder = mkdtempSync(join(tmpdir(), 'thru-coturn-'))
const servers: ChildProcess[] = []
const clients: TurnClient[] = []

async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}

/** Starts a relay on this computer; returns its port once it is ready. */
async function startRelay(...options: readonly string[]): Promise<number> {
  const port = await freePort()
  const server = spawn('turnserver', [
    ...options,
    `--listening-port=${port}`,
    '--listening-ip=127.0.0.1',
    '--relay-ip=127.0.0.1',
    '--relay-ip=::1',
    '--realm=test',
    `--static-auth-secret=${turnSecret}`,
    '--no-tls',
    '--no-dtls',
    '--log-file=stdout',
    '--simple-log',
    `--pidfile=${join(folder, `${port}.pid`)}`,
    `--userdb=${join(folder, `${port}.db`)}`,
  ])
  servers.push(server)
  let log = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (data: Buffer) => (log += data.toString()))
  }
  const ended = new Promise<never>((_resolve, reject) => {
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`turnserver has ended:\n${log}`)))
  })
  ended.catch(() => undefined)
  await Promise.race([answers(port), ended])
  return port
}

const clientOf = (port: number, address = '203.0.113.7'): TurnClient => {
  const client = new TurnClient(port, service.issue(address))
  clients.push(client)
  return client
}

afterAll(async () => {
  for (const client of clients) client.close()
  const running = servers.filter(({ exitCode }) => exitCode === null)
  const ended = running.map((server) => once(server, 'exit'))
  for (const server of running) server.kill()
  // They keep files open in the folder.
  await Promise.all(ended)
  rmSync(folder, { recursive: true, force: true })
})

describe('a relay with the configuration of Thruflux', () => {
  let port = 0

  beforeAll(async () => {
    port = await startRelay('-c', configuration)
  })

  it('TURN-02: refuses an expired credential', async () => {
    const anHourAgo = { ...systemClock, wallTime: () => systemClock.wallTime() - 3_600_000 }
    const before = new TurnService(
      { turnUrls: ['turn:127.0.0.1'], turnSecret, turnTtl: 600 },
      anHourAgo,
    )
    const client = new TurnClient(port, before.issue('203.0.113.7'))
    clients.push(client)
    expect(await client.allocate(4)).toBe(401)
  })

  it('TURN-02: refuses a forged password', async () => {
    const client = new TurnClient(port, { ...service.issue('203.0.113.7'), credential: 'mine' })
    clients.push(client)
    expect(await client.allocate(4)).toBe(401)
  })
})

it('TURN-03: counts the quota per address, whatever the credentials', async () => {
  const port = await startRelay('-c', configuration, '--user-quota=2')
  for (const expected of [0, 0, 486]) {
    expect(await clientOf(port).allocate(4)).toBe(expected)
  }
  expect(await clientOf(port, '203.0.113.8').allocate(4)).toBe(0)
})

/** The size of the send buffer of a new connection between coturn and a client. */
async function sendBuffer(port: number): Promise<number> {
  const client = connect(port, '127.0.0.1')
  try {
    await once(client, 'connect')
    // A refresh without an allocation: after the answer, coturn has set up the connection.
    client.write(Buffer.from(`000400002112a442${'00'.repeat(12)}`, 'hex'))
    await once(client, 'data')
    const listed = execFileSync('ss', ['-tmnH', 'sport', '=', `:${port}`], { encoding: 'utf8' })
    return Number(/tb(\d+)/.exec(listed)?.[1])
  } finally {
    client.destroy()
  }
}

/** The smallest receive buffer of the relay's UDP sockets, one of which relays. */
async function leastDatagramBuffer(port: number): Promise<number> {
  expect(await clientOf(port).allocate(4)).toBe(0)
  const listed = execFileSync('ss', ['-uamnpOH'], { encoding: 'utf8' }).split('\n')
  const own = listed.filter((line) => line.includes(`pid=${servers.at(-1)?.pid},`))
  return Math.min(...own.map((line) => Number(/rb(\d+)/.exec(line)?.[1])))
}

it('has larger buffers for TCP and UDP with the preloaded library', async () => {
  const library = join(folder, 'socket-buffers.so')
  const source = fileURLToPath(new URL('../../deploy/coturn/socket-buffers.c', import.meta.url))
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source])
  // The kernel doubles the value for its own overhead.
  const ofCoturn = 2 * 64 * 1024
  const without = await startRelay('-c', configuration)
  expect(await sendBuffer(without)).toBe(ofCoturn)
  expect(await leastDatagramBuffer(without)).toBe(ofCoturn)
  vi.stubEnv('LD_PRELOAD', library)
  onTestFinished(() => void vi.unstubAllEnvs())
  const withLibrary = await startRelay('-c', configuration)
  vi.unstubAllEnvs()
  expect(await sendBuffer(withLibrary)).not.toBe(ofCoturn)
  expect(await leastDatagramBuffer(withLibrary)).toBeGreaterThan(ofCoturn)
})

const settingOf = (name: string): number =>
  Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(readFileSync(configuration, 'utf8'))?.[1])

/** The results of `count` allocation requests, one after another. */
async function answersTo(port: number, address: string, count: number): Promise<number[]> {
  const codes: number[] = []
  while (codes.length < count) codes.push(await clientOf(port, address).allocate(4))
  return codes
}

it('TURN-03: has room for others when one address has used up its quota', async () => {
  const most = settingOf('user-quota')
  expect(most * 50).toBeLessThan(settingOf('total-quota'))
  const port = await startRelay('-c', configuration)
  const places = Array<number>(most).fill(0)
  expect(await answersTo(port, '203.0.113.7', most + 1)).toEqual([...places, 486])
  expect(await answersTo(port, '203.0.113.8', most + 1)).toEqual([...places, 486])
  expect(await answersTo(port, '203.0.113.9', 1)).toEqual([0])
})

it('has exactly as many allocations as the quota', async () => {
  const port = await startRelay('-c', configuration, '--total-quota=80')
  for (const [address, count] of [
    ['203.0.113.7', 60],
    ['203.0.113.8', 20],
  ] as const) {
    expect(await answersTo(port, address, count)).toEqual(Array<number>(count).fill(0))
  }
  expect(await answersTo(port, '203.0.113.9', 1)).toEqual([486])
})
