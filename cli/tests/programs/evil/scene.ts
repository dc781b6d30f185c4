/** A sender and receivers that meet at an evil server, in a folder that ends with the test. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { wordsOf } from '#shared/code/join-code'
import { type Ending, type Line, linesOf, Thru, type ThruOptions } from '../thru'
import { bytesOf, hashTree, type Tree, writeTree } from '../tree'
import { EvilServer, type SenderLine } from './evil-server'
import { tracesOf } from './traces'

/** What is offered; each name and size is found again wherever it comes by in the clear. */
export const offered: Tree = {
  'harvest/Jahresbericht 2024.pdf': bytesOf('report', 1_234_577),
  'harvest/Tagebuch.txt': 'Niemand ausser uns',
}

/** How long programs may take to start where many run. */
export const startMs = 60_000

export const senderName = 'Wilhelmina-am-Rechner'
export const receiverName = 'Jonathan-unterwegs'

/** Begins with `start`, ends with `end`. */
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

  /** A share of `offered`. */
  host(...options: readonly string[]): Promise<Sharing> {
    return this.hostOf(this.at('src', 'harvest'), ...options)
  }

  /** A share of something else. */
  async hostOf(path: string, ...options: readonly string[]): Promise<Sharing> {
    const program = this.thru(['host', path, ...options, '--json', '--name', senderName])
    const [line, { code }] = await Promise.all([
      this.server.senders.next(),
      program.line('code') as Promise<Line & { readonly code: string }>,
    ])
    this.#codes.push(code)
    return { program, line, code }
  }

  /** A receiver, and the folder that it writes into. */
  join(code: string, options: ThruOptions = {}): Receiving {
    this.#outs += 1
    const out = this.at(`dst ${this.#outs}`)
    const args = ['join', code, '--out', out, '--yes', '--json', '--name', receiverName]
    return { program: this.thru(args, options), out }
  }

  /** The receiver gets all, byte for byte: so what went wrong before was the attack's doing. */
  async expectReceived({ program, out }: Receiving): Promise<void> {
    const { exitCode, stdout } = await program.ended
    expect(exitCode, stdout).toBe(0)
    expect(hashTree(out)).toEqual(hashTree(this.at('src')))
  }

  /** What a receiver has of one file is what is offered. */
  expectSame({ out }: Receiving, name: string): void {
    expect(hashTree(out)[name]).toBe(hashTree(this.#folder)[name])
  }

  /** The receiver ends so, with nothing written, and the server has learned nothing. */
  async expectFailed({ program, out }: Receiving, exitCode: number, code: string): Promise<Ending> {
    const ending = await program.ended
    const error = linesOf(ending.stdout).find(({ type }) => type === 'error')
    expect([ending.exitCode, error?.['code']], ending.stdout).toEqual([exitCode, code])
    expect(existsSync(out)).toBe(false)
    this.expectNothingLearned()
    return ending
  }

  /** Nothing that the two sides keep for themselves has come by the server. */
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
