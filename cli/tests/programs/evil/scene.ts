/** A sender and receivers that meet at an evil server, in a temporary folder. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { wordsOf } from '#shared/code/join-code'
import { type Ending, type Line, linesOf, Thru, type ThruOptions } from '../thru'
import { bytesOf, hashTree, type Tree, writeTree } from '../tree'
import { EvilServer, type SenderLine } from './evil-server'
import { tracesOf } from './traces'

/** The offer; its names and sizes are easy to find in plain text. */
export const offered: Tree = {
  'harvest/Jahresbericht 2024.pdf': bytesOf('report', 1_234_577),
  'harvest/Tagebuch.txt': 'Niemand ausser uns',
}

export const senderName = 'Wilhelmina-am-Rechner'
export const receiverName = 'Jonathan-unterwegs'

/** The evil server and its programs, from `start` to `end`. */
export class Scene {
  readonly server: EvilServer
  readonly #folder = mkdtempSync(join(tmpdir(), 'thru-evil-'))
  readonly #running: Thru[] = []
  readonly #codes: string[] = []
  #outs = 0

  static async start(): Promise<Scene> {
    return new Scene(await EvilServer.start())
  }

  private constructor(server: EvilServer) {
    this.server = server
    writeTree(this.at('src'), offered)
  }

  at(...parts: readonly string[]): string {
    return join(this.#folder, ...parts)
  }

  thru(args: readonly string[], options: ThruOptions = {}): Thru {
    const program = new Thru([...args, '--server-url', this.server.url], options)
    this.#running.push(program)
    return program
  }

  host(...options: readonly string[]): Promise<Sharing> {
    return this.hostOf(this.at('src', 'harvest'), ...options)
  }

  async hostOf(path: string, ...options: readonly string[]): Promise<Sharing> {
    const program = this.thru(['host', path, ...options, '--json', '--name', senderName])
    const [line, { code }] = await Promise.all([
      this.server.senders.next(),
      program.line('code') as Promise<Line & { readonly code: string }>,
    ])
    this.#codes.push(code)
    return { program, line, code }
  }

  /** A receiver and its target folder. */
  join(code: string, options: ThruOptions = {}): Receiving {
    this.#outs += 1
    const out = this.at(`dst ${this.#outs}`)
    const args = ['join', code, '--out', out, '--yes', '--json', '--name', receiverName]
    return { program: this.thru(args, options), out }
  }

  /** Expects all data byte for byte, which shows that earlier failures were caused by the attack. */
  async expectReceived({ program, out }: Receiving): Promise<void> {
    const { exitCode, stdout } = await program.ended
    expect(exitCode, stdout).toBe(0)
    expect(hashTree(out)).toEqual(hashTree(this.at('src')))
  }

  /** Expects one file of a receiver to match the offer. */
  expectSame({ out }: Receiving, name: string): void {
    expect(hashTree(out)[name]).toBe(hashTree(this.#folder)[name])
  }

  /** Expects this failure, nothing written, and nothing learned by the server. */
  async expectFailed({ program, out }: Receiving, exitCode: number, code: string): Promise<Ending> {
    const ending = await program.ended
    const error = linesOf(ending.stdout).find(({ type }) => type === 'error')
    expect([ending.exitCode, error?.['code']], ending.stdout).toEqual([exitCode, code])
    expect(existsSync(out)).toBe(false)
    this.expectNothingLearned()
    return ending
  }

  /** Expects none of the two sides' secrets in the server's messages. */
  expectNothingLearned(more: readonly string[] = []): void {
    expect(tracesOf([...this.#secrets(), ...more], this.server.frames)).toEqual([])
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map((program) => program.stop('SIGKILL')))
    await this.server.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #secrets(): readonly string[] {
    const words = this.#codes.map(wordsOf)
    const names = Object.keys(offered).flatMap((path) => path.split('/'))
    const sizes = Object.values(offered).map((content) => String(content?.length))
    const addresses = Object.values(networkInterfaces()).flatMap((found) =>
      (found ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
    )
    return [
      ...words,
      ...words.flatMap((text) => text.split('-')),
      ...names,
      ...sizes,
      ...addresses,
      ...['candidate:', 'typ host', senderName, receiverName],
    ]
  }
}

/** A running share. */
export type Sharing = { readonly program: Thru; readonly line: SenderLine; readonly code: string }

/** A running receive. */
export type Receiving = { readonly program: Thru; readonly out: string }
