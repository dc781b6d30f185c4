import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { greeted, type TestClient } from '../wire/test-server.ts'

/** The built server in its own process. */
export class ServerProcess {
  readonly port: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  /** Starts a server with these flags and variables, which ends with the test. */
  static async start(
    flags: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ServerProcess> {
    const server = resolve('out/signaling/server.cjs')
    const child = spawn(
      process.execPath,
      [server, '--host', '127.0.0.1', '--port', '0', ...flags],
      {
        env: { ...process.env, ...variables },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    for await (const line of createInterface(child.stdout)) {
      const { event, port } = JSON.parse(line) as { event?: string; port?: number }
      if (event === 'listening') {
        child.stdout.resume()
        return new ServerProcess(child, port ?? 0)
      }
    }
    throw new Error('the server ended')
  }

  connect(): Promise<TestClient> {
    return greeted(new WebSocket(`ws://127.0.0.1:${this.port}/v1`))
  }

  /** Ends it like a supervisor; returns its exit status. */
  async end(): Promise<number | null> {
    const ended = once(this.#child, 'close') as Promise<[number | null]>
    this.#child.kill('SIGTERM')
    const [status] = await ended
    return status
  }

  /** Ends it like a power failure. */
  async kill(): Promise<void> {
    const ended = once(this.#child, 'close')
    this.#child.kill('SIGKILL')
    await ended
  }
}
