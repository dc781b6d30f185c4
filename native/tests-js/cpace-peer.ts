/** The engine's CPace in its own process: native/tests/programs/cpace_peer.cc. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { buildDir, shippingPreset } from '../../scripts/native-build.mjs'
import type { CpaceInput, CpaceMessage } from './cpace.js'

const program = join(
  buildDir(shippingPreset),
  process.platform === 'win32' ? 'thru_cpace_peer.exe' : 'thru_cpace_peer',
)

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Holds one run at a time. */
export class CpacePeer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #answers: AsyncIterator<string>

  constructor() {
    this.#child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
    // If the process has ended, the missing answer shows it.
    this.#child.stdin.on('error', () => undefined)
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  /** Begins a run; returns its share. */
  async start({ secret, channel, session }: CpaceInput): Promise<Uint8Array> {
    const input = { secret: hex(secret), channel: hex(channel), session: hex(session) }
    const { share } = (await this.#ask({ start: input })) as { readonly share: string }
    return Buffer.from(share, 'hex')
  }

  /** Returns the key; `null` if the peer's share is refused. */
  async finish(
    role: 'initiator' | 'responder',
    { share, data }: CpaceMessage,
    own: Uint8Array,
  ): Promise<Uint8Array | null> {
    const finish = { role, share: hex(share), own: hex(own), peer: hex(data) }
    const { key } = (await this.#ask({ finish })) as { readonly key: string | null }
    return key === null ? null : Buffer.from(key, 'hex')
  }

  close(): void {
    this.#child.stdin.end()
  }

  async #ask(request: unknown): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    const answer = await this.#answers.next()
    if (answer.done === true) throw new Error(`${program} has ended`)
    return JSON.parse(answer.value)
  }
}
