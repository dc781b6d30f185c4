/** Clients with fake engines around one real signaling server on this computer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type Client, createClient } from '#client/client'
import type { ClientOptions } from '#client/client-options'
import { FakeEngine } from '#client/testing/fake-engine'
import { ManualClock } from '#client/testing/manual-clock'
import { folderOfFile } from '#client/testing/temporary-folder'
import type { Route } from '#shared/state/app-state'
import { type SignalingServer, startSignalingServer } from '#signaling/server'

export const directRoute: Route = {
  kind: 'direct',
  family: 4,
  transport: 'udp',
  remote: '203.0.113.7:5000',
  relay: '',
}

/** One client with its dependencies. */
export type Station = {
  readonly client: Client
  readonly engine: FakeEngine
  readonly clock: ManualClock
  readonly stateDir: string
}

/** Can start again after `end`, which closes everything it started. */
export class Rig {
  #server: SignalingServer | null = null
  readonly #clients: Client[] = []
  #folder = ''
  #port = 0
  #stations = 0

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`
  }

  /** Starts the server, on the same port again after `stopServer`; `more` holds further settings. */
  async startServer(more: Parameters<typeof startSignalingServer>[0] = {}): Promise<void> {
    const options = { host: '127.0.0.1', port: this.#port, trustLoopback: true, ...more }
    const started = await startSignalingServer(options)
    if (!started.ok) throw new Error(started.error.detail)
    this.#server = started.value
    this.#port = started.value.port
  }

  async stopServer(): Promise<void> {
    await this.#server?.close()
    this.#server = null
  }

  station(options: Partial<ClientOptions> = {}): Station {
    const engine = new FakeEngine()
    const clock = new ManualClock()
    if (this.#folder === '') this.#folder = mkdtempSync(join(tmpdir(), 'thru-rig-'))
    this.#stations += 1
    const stateDir = options.stateDir ?? join(this.#folder, `${this.#stations}`)
    const client = createClient({
      engine,
      clock,
      random: () => 0.5,
      downloads: '/downloads',
      serverUrl: this.url,
      name: 'Mina',
      visibleOnNetwork: false,
      ...options,
      stateDir,
    })
    if (!client.ok) throw new Error(client.error.detail)
    this.#clients.push(client.value)
    return { client: client.value, engine, clock, stateDir }
  }

  async end(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()))
    await this.stopServer()
    this.#port = 0
    if (this.#folder !== '') rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = ''
  }
}

/** A rig for a test file: its server runs during each test, and each test cleans up. */
export function rigWithServer(): Rig {
  const rig = new Rig()
  beforeEach(() => rig.startServer())
  afterEach(() => rig.end())
  return rig
}

/** A folder for a test file, with a file to share. */
export function folderWithFile(file = 'file'): string {
  const folder = folderOfFile()
  writeFileSync(join(folder, file), 'x')
  return folder
}
