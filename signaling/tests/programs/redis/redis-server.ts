/** A real Redis for tests, on a free port and in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const names = ['redis-server', 'valkey-server']

/** The Redis program; without one, its tests are skipped and this is `null`. */
export const redisProgram =
  names.find((name) => spawnSync(name, ['--version']).error === undefined) ?? null

/** The reason for skipping a test, for its name. */
export const redisMissing =
  redisProgram === null ? ' (skipped: redis-server is not installed, Debian: redis-server)' : ''

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A Redis that tests can stop, start again and query. */
export class RedisServer {
  readonly port: number
  readonly #folder: string
  #child: ChildProcess | null = null
  #settings: readonly string[] = []

  private constructor(port: number) {
    this.port = port
    this.#folder = mkdtempSync(join(tmpdir(), 'thru-redis-'))
  }

  /** Starts a Redis that ends with the test, or with `onEnd`. */
  static async start(
    settings: readonly string[] = [],
    onEnd: (end: () => Promise<void>) => void = onTestFinished,
  ): Promise<RedisServer> {
    const redis = new RedisServer(await freePort())
    onEnd(async () => {
      await redis.kill()
      rmSync(redis.#folder, { recursive: true, force: true })
    })
    await redis.begin(settings)
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it, with the previous settings unless others are given. */
  async begin(settings: readonly string[] = this.#settings): Promise<void> {
    this.#settings = settings
    const child = spawn(
      redisProgram ?? '',
      [
        ...['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder],
        ...['--save', '', '--daemonize', 'no', '--protected-mode', 'no', ...settings],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    this.#child = child
    const lines = createInterface(child.stdout)
    for await (const line of lines) if (/Ready to accept connections/.test(line)) break
    child.stdout.resume()
  }

  /** Ends it like a power failure. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null) return
    const ended = once(child, 'close')
    child.kill('SIGCONT')
    child.kill('SIGKILL')
    await ended
  }

  /** Makes it hang, with its connections open. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  /** The raw response to a command. */
  async ask(...words: readonly string[]): Promise<string> {
    const socket = connect(this.port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (data: string) => (answer += data))
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
    const quit = '*1\r\n$4\r\nQUIT\r\n'
    socket.write(`*${words.length}\r\n${parts.join('')}${quit}`)
    await once(socket, 'close')
    return answer.replace(/\+OK\r\n$/, '')
  }
}

/** A connection to a port of this computer that can be cut, also without notice to either end. */
export class Cable {
  #targets: readonly number[]
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#carry(socket))
  #delayMs = 0
  #state: 'whole' | 'silent' | 'cut' = 'whole'

  private constructor(target: number) {
    this.#targets = [target]
  }

  /** A cable that ends with the test. */
  static async to(target: number): Promise<Cable> {
    const cable = new Cable(target)
    cable.#server.listen(0, '127.0.0.1')
    await once(cable.#server, 'listening')
    onTestFinished(() => {
      cable.cut()
      cable.#server.close()
    })
    return cable
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Delays everything by `ms` in each direction. */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  /** Makes new connections lead to these ports, in turn. */
  lead(...targets: readonly number[]): void {
    this.#targets = targets
  }

  /** Blocks all data, with connections open. */
  silence(): void {
    this.#state = 'silent'
    for (const socket of this.#sockets) socket.pause()
  }

  /** Ends every connection, including new ones. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Restores all connections. */
  mend(): void {
    this.#state = 'whole'
    for (const socket of this.#sockets) socket.resume()
  }

  #carry(socket: Socket): void {
    if (this.#state === 'cut') {
      socket.destroy()
      return
    }
    const [target = 0, ...others] = this.#targets
    this.#targets = [...others, target]
    const other = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (data) => {
        if (this.#delayMs === 0) to.write(data)
        else setTimeout(() => to.write(data), this.#delayMs)
      })
      from.on('error', () => from.destroy())
      from.once('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#state === 'silent') from.pause()
    }
  }
}
