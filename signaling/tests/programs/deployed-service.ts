/**
 * The service of `signaling/deploy/compose.yaml`, with the system's programs in a separate network: two nodes, Redis,
 * Caddy with a test authority, and coturn, from the same files.
 */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { hasNetworkNamespaces, NetworkNamespace } from './network-namespace.ts'

/** The folder of the files. */
export const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))

const server = resolve('out/signaling/server.cjs')

const needed = [
  ['redis-server', '--version'],
  ['caddy', 'version'],
  ['turnserver', '--version'],
  ['sqlite3', '-version'],
  ['openssl', 'version'],
  ['curl', '--version'],
] as const

/** True if this computer can't run it. */
export const isUndeployable = (): boolean =>
  !hasNetworkNamespaces() ||
  needed.some(([program, arg]) => spawnSync(program, [arg]).error !== undefined)

/** Separate addresses for the service and the relay, so that both can use port 443. */
const addresses = { service: '203.0.113.5', relay: '203.0.113.6' }
export const names = { service: 'meet.test', relay: 'relay.test' }

/** The relay's port for TLS. */
export const relayTlsPort = 443

/** The value of a variable of the nodes in compose.yaml. */
export function variable(name: string): string {
  const compose = readFileSync(join(deploy, 'compose.yaml'), 'utf8')
  const value = new RegExp(`^ +${name}: (.*)$`, 'm').exec(compose)?.[1] ?? ''
  return value
    .replace(/\$\{RELAY_NAME[^}]*\}/g, names.relay)
    .replace(/\$\{RELAY_TLS_PORT[^}]*\}/g, String(relayTlsPort))
}

type Node = { readonly child: ChildProcess; readonly log: string[] }

/** The service, running until `close`. */
export class DeployedService {
  readonly network: NetworkNamespace
  readonly folder: string
  /** The certificate of the authority that Caddy uses. */
  readonly authority: string
  readonly #secrets: string
  #redisUrl = ''
  readonly #nodes = new Map<number, Node>()
  #relay: ChildProcess | null = null

  private constructor(network: NetworkNamespace, folder: string) {
    this.network = network
    this.folder = folder
    this.authority = join(folder, 'caddy/caddy/pki/authorities/local/root.crt')
    this.#secrets = join(folder, 'turn-secret')
  }

  static async open(): Promise<DeployedService> {
    const folder = mkdtempSync(join(tmpdir(), 'thru-deploy-'))
    mkdirSync(join(folder, 'caddy'))
    const hosts = join(folder, 'hosts')
    writeFileSync(
      hosts,
      `127.0.0.1 localhost\n${addresses.service} ${names.service}\n${addresses.relay} ${names.relay}\n`,
    )
    const network = await NetworkNamespace.open(Object.values(addresses), hosts)
    const service = new DeployedService(network, folder)
    await service.#start()
    return service
  }

  async #start(): Promise<void> {
    const { folder } = this
    writeFileSync(this.#secrets, 'the-secret-of-this-test\n')
    copyFileSync(join(deploy, 'prepare.sh'), join(folder, 'prepare.sh'))
    spawnSync('sh', [join(folder, 'prepare.sh'), names.service, names.relay])
    const [, url = ''] = /^REDIS_URL=(.*)$/m.exec(readFileSync(join(folder, '.env'), 'utf8')) ?? []
    this.#redisUrl = url.replace('@redis:', '@127.0.0.1:')
    const settings = join(deploy, 'kubernetes/redis.conf')
    const password = ['--include', join(folder, 'secrets/redis-password')]
    const here = ['--bind', '127.0.0.1', '--dir', folder]
    await this.#run('redis-server', [settings, ...password, ...here], {}, [
      'Ready to accept connections',
    ])
    await this.startNode(1)
    await this.startNode(2)
    const caddyfile = join(deploy, 'caddy/Caddyfile')
    await this.#run(
      'caddy',
      ['run', '--config', caddyfile, '--adapter', 'caddyfile'],
      {
        HOME: folder,
        XDG_DATA_HOME: join(folder, 'caddy'),
        XDG_CONFIG_HOME: join(folder, 'caddy'),
        THRU_NAME: names.service,
        RELAY_NAME: names.relay,
        THRU_NODE_1: '127.0.0.1:8081',
        THRU_NODE_2: '127.0.0.1:8082',
        CADDY_OPTIONS: `local_certs\nskip_install_trust\ndefault_bind ${addresses.service}`,
      },
      [
        `"certificate obtained successfully","identifier":"${names.service}"`,
        `"certificate obtained successfully","identifier":"${names.relay}"`,
      ],
    )
    const relay = await this.#run(
      join(deploy, 'coturn/start.sh'),
      [],
      {
        RELAY_NAME: names.relay,
        RELAY_SECRETS: this.#secrets,
        RELAY_CERTIFICATES: join(folder, 'caddy/caddy/certificates'),
        RELAY_STATE: join(folder, 'relay'),
        RELAY_LISTEN: addresses.relay,
        RELAY_TLS_PORT: String(relayTlsPort),
        RELAY_ACCOUNT: 'root',
        RELAY_LOOK: '0.1',
      },
      // The last line of coturn before it serves.
      ['Keep UID'],
    )
    this.#relay = relay.child
  }

  /** Starts the node with this number; resolves when it listens. */
  async startNode(number: number): Promise<void> {
    const port = 8080 + number
    const settings = readFileSync(join(deploy, 'settings.toml'), 'utf8')
      .replace('/run/secrets/turn-secret', this.#secrets)
      .replace('172.31.241.0/24', '127.0.0.0/8')
      .replace('0.0.0.0:9464', `127.0.0.1:${9470 + number}`)
      .replace('port = 8080', `port = ${port}`)
    const file = join(this.folder, `${number}.toml`)
    writeFileSync(file, settings)
    const env = {
      REDIS_URL: this.#redisUrl,
      THRU_TURN_URL: variable('THRU_TURN_URL'),
      THRU_NODE_NAME: `signaling-${number}`,
      THRU_SERVER_RELAYS: '4',
    }
    const args = [server, '--config', file]
    const node = await this.#run(process.execPath, args, env, ['"event":"listening"'])
    this.#nodes.set(number, node)
  }

  /** Ends the node with this number like a supervisor; returns its exit status and its log. */
  async endNode(number: number): Promise<{ readonly status: number | null; readonly log: string }> {
    const node = this.#nodes.get(number)
    if (node === undefined) throw new Error('no such node')
    const ended = once(node.child, 'exit') as Promise<[number | null]>
    node.child.kill('SIGTERM')
    const [status] = await ended
    return { status, log: node.log.join('\n') }
  }

  async close(): Promise<void> {
    if (this.#relay !== null) {
      const ended = once(this.#relay, 'exit')
      this.#relay.kill()
      await ended
    }
    await this.network.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Starts a program; resolves once its output has a line for each of `signs`. */
  async #run(
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    signs: readonly string[],
  ): Promise<Node> {
    const child = this.network.spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const missing = new Set(signs)
    const log: string[] = []
    await new Promise<void>((done, fail) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream === null) continue
        createInterface(stream).on('line', (line) => {
          log.push(line)
          for (const sign of missing) if (line.includes(sign)) missing.delete(sign)
          if (missing.size === 0) done()
        })
      }
      child.once('exit', () => fail(new Error(`${program} has ended:\n${log.join('\n')}`)))
    })
    return { child, log }
  }
}
