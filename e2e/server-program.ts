/** The signaling server as a separate program, on a free port of this computer. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { repository } from './build-stage'

/** Runs until `stop`. */
export class ServerProgram {
  readonly #program: ChildProcess
  /** `http://127.0.0.1:PORT`. */
  readonly page: string

  private constructor(program: ChildProcess, port: number) {
    this.#program = program
    this.page = `http://127.0.0.1:${port}`
  }

  /** Resolves once it listens. */
  static async start(...args: readonly string[]): Promise<ServerProgram> {
    const command = [join(repository, 'out/signaling/server.cjs'), '--port', '0']
    const program = spawn(process.execPath, [...command, '--host', '127.0.0.1', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface(program.stdout)) {
      const said = JSON.parse(line) as { readonly event?: string; readonly port?: number }
      if (said.event === 'listening') return new ServerProgram(program, said.port ?? 0)
    }
    throw new Error('the server has ended')
  }

  async stop(): Promise<void> {
    const ended = once(this.#program, 'exit')
    this.#program.kill()
    await ended
  }
}
