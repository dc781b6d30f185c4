/**
 * A network for one test: a namespace with any addresses on its loopback. Programs run in it, and the test
 * has sockets in it. It disappears with the test process.
 */
import {
  type ChildProcess,
  execFileSync,
  spawn,
  type SpawnOptions,
  spawnSync,
} from 'node:child_process'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Datagrams } from './turn-client'

const door = fileURLToPath(new URL('./udp-door.cjs', import.meta.url))

/** True if this process may create such networks. */
export const hasNetworkNamespaces = (): boolean =>
  process.platform === 'linux' && spawnSync('unshare', ['--net', '--mount', 'true']).status === 0

/** A message from the process with the sockets. */
type Told = {
  readonly told: 'bound' | 'message' | 'error'
  readonly id: number
  readonly port?: number
  readonly data?: string
  readonly why?: string
}

/** The namespace, open until `close`. */
export class NetworkNamespace {
  /** A process that keeps the network alive until its standard input ends. */
  readonly #keeper: ChildProcess
  readonly #programs: ChildProcess[] = []
  #door: ChildProcess | null = null
  #sockets = 0
  readonly #heard = new Map<number, (told: Told) => void>()

  private constructor(keeper: ChildProcess) {
    this.#keeper = keeper
  }

  /** Opens a network with these addresses besides the loopback, and with the names of a file such as /etc/hosts. */
  static async open(
    addresses: readonly string[] = [],
    hosts = '/etc/hosts',
  ): Promise<NetworkNamespace> {
    // The line is printed inside the namespaces.
    const begin = 'mount --bind "$0" /etc/hosts && echo in; exec cat'
    const keeper = spawn('unshare', ['--net', '--mount', 'sh', '-c', begin, hosts], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(keeper.stdout, 'data')
    const network = new NetworkNamespace(keeper)
    const added = addresses.map((address) =>
      isIPv6(address)
        ? `addr add ${address}/128 dev lo nodad`
        : `addr add ${address}/32 dev lo scope global`,
    )
    network.run('ip', ['-batch', '-'], ['link set lo up', ...added, ''].join('\n'))
    return network
  }

  /** The prefix of a command that runs it inside. */
  get entrance(): readonly string[] {
    const spaces = ['net', 'mnt'].map((kind) => `/proc/${this.#keeper.pid ?? 0}/ns/${kind}`)
    const [net = '', mount = ''] = spaces
    return ['nsenter', `--net=${net}`, `--mount=${mount}`, `--wd=${process.cwd()}`]
  }

  run(program: string, args: readonly string[], input = ''): string {
    const [command, inside] = this.#inside(program, args)
    return execFileSync(command, inside, { input, encoding: 'utf8' })
  }

  /** Starts a program inside, which `close` ends. */
  spawn(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const [command, inside] = this.#inside(program, args)
    const child = spawn(command, inside, options)
    this.#programs.push(child)
    return child
  }

  /** A socket inside, at a free port unless one is given. `onMessage` receives its datagrams. */
  async socket(
    address: string,
    onMessage: (data: Buffer) => void,
    port = 0,
  ): Promise<Datagrams & { readonly port: number }> {
    const door = this.#openDoor()
    const id = (this.#sockets += 1)
    const bound = await new Promise<number>((resolve, reject) => {
      this.#heard.set(id, ({ told, port: at = 0, data = '', why = '' }) => {
        if (told === 'bound') resolve(at)
        else if (told === 'error') reject(new Error(`${address}: ${why}`))
        else onMessage(Buffer.from(data, 'base64'))
      })
      door.send({ ask: 'bind', id, family: isIPv6(address) ? 6 : 4, address, port })
    })
    return {
      port: bound,
      send: (data, to, where) => {
        door.send({ ask: 'send', id, address: where, port: to, data: data.toString('base64') })
      },
      close: () => undefined,
    }
  }

  /** Ends its programs, and the network with the last one. */
  async close(): Promise<void> {
    const running = [...this.#programs, this.#keeper].filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )
    const ended = running.map((program) => once(program, 'exit'))
    for (const program of running) program.kill('SIGTERM')
    await Promise.all(ended)
  }

  #openDoor(): ChildProcess {
    if (this.#door !== null) return this.#door
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
    this.#door = this.spawn(process.execPath, [door], { stdio: [...stdio] })
    this.#door.on('message', (told: Told) => this.#heard.get(told.id)?.(told))
    return this.#door
  }

  #inside(program: string, args: readonly string[]): [string, string[]] {
    const [command = '', ...place] = this.entrance
    return [command, [...place, program, ...args]]
  }
}
