/** A real Redis for tests, on a port of this computer and in a folder of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const names = ['redis-server', 'valkey-server']

/** The program that tests start; `null` where there is none, and then they are skipped. */
export const redisProgram =
  names.find((name) => spawnSync(name, ['--version']).error === undefined) ?? null

/** Why such a test is skipped here; for its name. */
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

/** One Redis, which can be stopped, started again and asked. */
export class RedisServer {
  readonly port: number
  readonly #folder: string
  #child: ChildProcess | null = null
  #settings: readonly string[] = []

  private constructor(port: number) {
    this.port = port
    this.#folder = mkdtempSync(join(tmpdir(), 'thru-redis-'))
  }

  /** Starts one that ends with the test, or with `onEnd`. */
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

  /** Where nodes find it. */
  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it, with the settings of before if none are given. */
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

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null) return
    const ended = once(child, 'close')
    child.kill('SIGCONT')
    child.kill('SIGKILL')
    await ended
  }

  /** It hangs, and its connections stay open. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  /** It goes on. */
  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  /** What it answers to a command, as it is on the wire. */
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

/** A way to a port of this computer that can be cut, also without either end noticing. */
export class Cable {
  #targets: readonly number[]
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#carry(socket))
  #delayMs = 0
  #state: 'whole' | 'silent' | 'cut' = 'whole'

  private constructor(target: number) {
    this.#targets = [target]
  }

  /** One that is gone with the test. */
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

  /** From now on everything takes so long to get through, in each direction. */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  /** New connections lead to other ports, to one after the other. */
  lead(...targets: readonly number[]): void {
    this.#targets = targets
  }

  /** Nothing gets through, and no connection ends. */
  silence(): void {
    this.#state = 'silent'
    for (const socket of this.#sockets) socket.pause()
  }

  /** Ends every connection, and new ones at once. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Everything gets through again. */
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
