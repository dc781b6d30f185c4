/** A STUN and TURN server in the internet of a test: coturn. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type Network, serverAddress } from './network'

const port = 3478
const user = 'mina:secret'

/** The options of `thru` for its STUN part. */
export const stunOption: readonly string[] = ['--stun-server', `stun:${serverAddress}:${port}`]

/** The options of `thru` for its TURN part. */
export const turnOption = (transport: 'udp' | 'tcp' = 'udp'): readonly string[] => [
  '--turn-server',
  `turn:${user}@${serverAddress}:${port}${transport === 'tcp' ? '?transport=tcp' : ''}`,
]

/** Resolves when it listens, with these options more, to what reads its log; it ends with the network. */
export async function startTurnServer(
  network: Network,
  folder: string,
  more: readonly string[] = [],
): Promise<() => string> {
  const [program, ...args] = [
    ...network.within('internet'),
    'turnserver',
    '-n',
    `--listening-ip=${serverAddress}`,
    `--listening-port=${port}`,
    '--realm=test',
    '--lt-cred-mech',
    `--user=${user}`,
    '--no-tls',
    '--no-dtls',
    '--no-cli',
    '--log-file=stdout',
    `--pidfile=${join(folder, 'turnserver.pid')}`,
    `--userdb=${join(folder, 'turnserver.db')}`,
  ]
  const server = spawn(program, [...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (data: Buffer) => {
      log += data.toString()
    })
  }
  while (!network.listensAt(port)) {
    if (server.exitCode !== null) throw new Error(`turnserver has ended:\n${log}`)
    await after(20)
  }
  return () => log
}
