/** A STUN and TURN server on a test's internet: coturn. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { Certificate } from './authority'
import { addresses6, type Network, secondServerAddress, serverAddress } from './network'

const usualPort = 3478
const user = 'mina:secret'

type Listening = {
  readonly address: keyof typeof addresses6
  readonly port: number
  /** A port with a certificate accepts only TLS. */
  readonly tls?: Certificate
}

const usual: Listening = { address: serverAddress, port: usualPort }

/** The port that stays open if others are blocked. */
export const atOpenPort: Listening = { address: secondServerAddress, port: 443 }

const turnUrl = (place: string, transport: 'udp' | 'tcp', as: string = user): string =>
  `turn:${as}@${place}${transport === 'tcp' ? '?transport=tcp' : ''}`

/** `thru` options for the STUN server. */
export const stunOption: readonly string[] = ['--stun-server', `stun:${serverAddress}:${usualPort}`]

/** `thru` options for the TURN server, as its usual user or another, `NAME:PASSWORD`. */
export const turnOption = (transport: 'udp' | 'tcp' = 'udp', as?: string): readonly string[] => [
  '--turn-server',
  turnUrl(`${serverAddress}:${usualPort}`, transport, as),
]

/** `thru` options for TURN over TCP at the open port. */
export const openPortOption: readonly string[] = [
  '--turn-server',
  turnUrl(`${atOpenPort.address}:${atOpenPort.port}`, 'tcp'),
]

/** `thru` options for TURN over TLS at the open port. */
export const tlsOption: readonly string[] = [
  '--turn-server',
  `turns:${user}@${atOpenPort.address}:${atOpenPort.port}`,
]

/** All `thru` options for both servers, with addresses that the homes of this network can reach. */
export function iceOptions(network: Network): readonly string[] {
  const place = ({ address, port }: Listening): string => {
    const host = network.reach(address)
    return `${host.includes(':') ? `[${host}]` : host}:${port}`
  }
  return [
    '--stun-server',
    `stun:${place(usual)}`,
    ...[
      turnUrl(place(usual), 'udp'),
      turnUrl(place(usual), 'tcp'),
      turnUrl(place(atOpenPort), 'tcp'),
    ].flatMap((url) => ['--turn-server', url]),
  ]
}

/** A server with two addresses, as tests of NAT behavior need it (RFC 5780). */
export async function startTwofoldServer(network: Network, folder: string): Promise<void> {
  await startTurnServer(network, folder, [`--listening-ip=${secondServerAddress}`])
  while (!network.listensAt(secondServerAddress, usualPort + 1, ['udp'])) await after(20)
}

let latest: ChildProcess | null = null

/** Kills the last server, like a crash. */
export async function stopTurnServer(): Promise<void> {
  const server = latest
  latest = null
  if (server === null || server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}

/** Resolves with the server's log once it listens, with these additional options; it ends with the network. */
export async function startTurnServer(
  network: Network,
  folder: string,
  more: readonly string[] = [],
  { address, port, tls }: Listening = usual,
): Promise<() => string> {
  const ports =
    tls === undefined
      ? [`--listening-port=${port}`, '--no-tls']
      : [
          ...[`--tls-listening-port=${port}`, `--listening-port=${usualPort}`],
          ...[`--cert=${tls.certificate}`, `--pkey=${tls.key}`],
        ]
  const [program, ...args] = [
    ...network.within('internet'),
    'turnserver',
    '-n',
    // In this order: once it listens on the last address, it listens on all.
    `--listening-ip=${addresses6[address]}`,
    `--listening-ip=${address}`,
    ...ports,
    '--realm=test',
    '--lt-cred-mech',
    `--user=${user}`,
    '--no-dtls',
    '--no-cli',
    '--log-file=stdout',
    `--pidfile=${join(folder, `turnserver-${port}.pid`)}`,
    `--userdb=${join(folder, `turnserver-${port}.db`)}`,
  ]
  const server = spawn(program, [...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (data: Buffer) => {
      log += data.toString()
    })
  }
  latest = server
  while (!network.listensAt(address, port, tls === undefined ? ['udp', 'tcp'] : ['tcp'])) {
    if (server.exitCode !== null) throw new Error(`turnserver has ended:\n${log}`)
    await after(20)
  }
  return () => log
}
