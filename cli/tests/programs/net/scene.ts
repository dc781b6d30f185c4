/** A network with a signaling server, a temporary folder and the programs of a test. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Route } from '#shared/state/app-state'
import { type Ending, linesOf, Thru } from '../thru'
import { Network, serverAddress, type Side } from './network'
import { searchMbit, usualMbit } from './patience'
import { isRunning } from './places'
import type { Families } from './router-types'

/** A test's network and programs. Open it in a `beforeAll` that returns the function to close it. */
export class Scene {
  readonly network: Network
  readonly folder = mkdtempSync(join(tmpdir(), `thru-net-${process.pid}-`))
  readonly #running: Thru[] = []
  #server: Thru | null = null
  #trusted: string | null = null

  /** Throws a sentence about missing prerequisites. Without a server, each side has a new profile of its own. */
  static async open(
    families: Families = 'IPv4',
    behindCarrier: readonly Side[] = [],
    hasServer = true,
  ): Promise<Scene> {
    removeAbandoned()
    const scene = new Scene(await Network.make(families, behindCarrier))
    try {
      if (hasServer) await scene.#startServer()
      return scene
    } catch (reason) {
      await scene.close()
      throw reason
    }
  }

  private constructor(network: Network) {
    this.network = network
  }

  /** Makes later programs trust the authorities in this file. */
  trust(file: string): void {
    this.#trusted = file
  }

  /** Replaces the server by a new one without state, with these additional options. */
  async restartServer(options: readonly string[] = []): Promise<void> {
    await this.#server?.stop('SIGKILL')
    await this.#startServer(options)
  }

  /** Stops the server from answering, so that everything continues without it. */
  pauseServer(): void {
    this.#server?.signal('SIGSTOP')
  }

  /** Ends `pauseServer`. */
  resumeServer(): void {
    this.#server?.signal('SIGCONT')
  }

  at(...parts: readonly string[]): string {
    return join(this.folder, ...parts)
  }

  /** Creates a folder and mounts a tmpfs with these options there. */
  disk(name: string, options: string): string {
    const folder = this.at(name)
    mkdirSync(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
    return folder
  }

  host(paths: readonly string[], options: readonly string[] = []): Thru {
    return this.#run('host', [
      'host',
      ...paths,
      ...this.#always(options),
      '--name',
      'Mina',
      ...options,
    ])
  }

  join(code: string, out: string, options: readonly string[] = []): Thru {
    const how = ['--out', out, '--yes', '--name', 'Jonas', ...options]
    return this.#run('join', ['join', code, ...this.#always(options), ...how])
  }

  /** Resumes the receive that was interrupted last. */
  resume(): Thru {
    return this.#run('join', ['resume', '1', ...this.#always([]), '--yes'])
  }

  doctor(side: Side, options: readonly string[] = []): Thru {
    return this.#run(side, ['doctor', ...this.#always(options), '--no-lan', ...options])
  }

  /** Starts a host and resolves once it has a code. */
  async hostWithCode(
    paths: readonly string[],
    options: readonly string[] = [],
  ): Promise<{ readonly sender: Thru; readonly code: string }> {
    const sender = this.host(paths, options)
    return { sender, code: String((await sender.line('code'))['code']) }
  }

  /** Runs a whole transfer of `paths`; the sender is stopped once it reports the end. */
  async transfer(
    paths: readonly string[],
    out: string,
    options: readonly string[] = [],
    joinOptions: readonly string[] = options,
  ): Promise<{ readonly sent: Ending; readonly received: Ending }> {
    const { sender, code } = await this.hostWithCode(paths, options)
    const received = await this.join(code, out, joinOptions).ended
    await sender.line(received.exitCode === 0 ? 'done' : 'error')
    return { sent: await sender.stop(), received }
  }

  /**
   * Runs a whole transfer that stays slow until each side has printed its pattern. A busy computer may find the best
   * route only during the transfer, so `paths` must be large enough to last until then.
   */
  async transferUntil(
    patterns: readonly [sent: RegExp, received: RegExp],
    paths: readonly string[],
    out: string,
    options: readonly string[] = [],
    joinOptions: readonly string[] = options,
  ): Promise<{ readonly sent: Ending; readonly received: Ending }> {
    this.network.setSpeed(searchMbit)
    const { sender, code } = await this.hostWithCode(paths, options)
    const receiver = this.join(code, out, joinOptions)
    await Promise.all([sender.match(patterns[0]), receiver.match(patterns[1])])
    this.network.setSpeed(usualMbit)
    const received = await receiver.ended
    await sender.line(received.exitCode === 0 ? 'done' : 'error')
    return { sent: await sender.stop(), received }
  }

  /** Ends the programs that a test left running, except the server. */
  async stopPrograms(): Promise<void> {
    const programs = this.#running.splice(0)
    await Promise.all(programs.map((program) => program.stop('SIGKILL')))
  }

  /** Ends everything that was started here and removes its files. */
  async close(): Promise<void> {
    await this.network.remove()
    removeFolder(this.folder)
  }

  async #startServer(options: readonly string[] = []): Promise<void> {
    // All shares of a test come from the same address.
    const limits = ['THRU_SESSION_CREATES_BURST=1000', 'THRU_WS_CONNECTIONS_BURST=1000']
    const at = ['--host', this.network.reach(serverAddress), '--port', String(serverPort)]
    this.#server = this.#run('internet', ['serve', ...at, ...options], limits)
    await this.#server.match(/ws:\S+/)
  }

  /** Options of every program. A server that a test names replaces the scene's, which would come first. */
  #always(options: readonly string[]): readonly string[] {
    if (options.includes('--server-url') || this.#server === null) return ['--json']
    const host = this.network.reach(serverAddress)
    const place = host.includes(':') ? `[${host}]` : host
    return ['--json', '--server-url', `ws://${place}:${serverPort}`]
  }

  #run(
    place: 'host' | 'join' | 'internet',
    args: readonly string[],
    outer: readonly string[] = [],
  ): Thru {
    const setting = `NODE_OPTIONS=--require="${peakMemory}"`
    const trust = this.#trusted === null ? [] : [`NODE_EXTRA_CA_CERTS=${this.#trusted}`]
    const profile =
      this.#server === null
        ? ['STATE', 'CONFIG'].map((kind) => `XDG_${kind}_HOME=${this.at(`${place}-profile`)}`)
        : []
    const within = [...this.network.within(place), 'env', setting, ...profile, ...trust, ...outer]
    const program = new Thru(args, { within })
    if (place !== 'internet') this.#running.push(program)
    return program
  }
}

/** Removes folders of killed tests. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^thru-net-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isRunning(pid)) removeFolder(join(tmpdir(), name))
  }
}

function removeFolder(folder: string): void {
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const [, escaped = ''] = line.split(' ')
    const place = escaped.replace(/\\(\d{3})/g, (_, octal) =>
      String.fromCharCode(parseInt(String(octal), 8)),
    )
    if (place.startsWith(`${folder}/`)) execFileSync('umount', [place])
  }
  rmSync(folder, { recursive: true, force: true })
}

/** A port that strict firewalls allow. */
const serverPort = 443
const peakMemory = fileURLToPath(new URL('peak-memory.cjs', import.meta.url))

/** The peak memory of an ended program, in MiB. */
export function peakMiB({ stderr }: Ending): number {
  const [, kib] = /^peak memory: (\d+) KiB$/m.exec(stderr) ?? []
  if (kib === undefined) throw new Error(`no peak memory in:\n${stderr}`)
  return Number(kib) / 1024
}

/** Matches the line that a side prints once it uses a route of this kind. */
export const routeOfKind = (kind: string): RegExp => new RegExp(`"route":\\{"kind":"${kind}"`)

/** The routes that an ended program has reported, in order. */
export const routesOf = ({ stdout }: Ending): readonly Route[] =>
  linesOf(stdout).flatMap(({ route }) => (route === undefined ? [] : [route as Route]))
