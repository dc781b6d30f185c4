/** Real proxies on a test's internet: tinyproxy (HTTP) and microsocks (SOCKS 5). */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type Network, serverAddress } from './network'

/** Ports per proxy: without and with a password. */
const proxyPorts = { tinyproxy: [3128, 3129], microsocks: [1080, 1081] } as const

export const allProxyPorts: readonly number[] = Object.values(proxyPorts).flat()

export type ProxyProgram = keyof typeof proxyPorts

/** The accepted credentials. */
export const known = { user: 'dana', password: 'w0rd' }

const schemes = { tinyproxy: 'http', microsocks: 'socks5' } as const
const packages = { tinyproxy: 'tinyproxy-bin', microsocks: 'microsocks' } as const

/** The reason to skip tests of this proxy; `null` to run them. */
export function missingProxy(program: ProxyProgram): string | null {
  const folders = (process.env['PATH'] ?? '').split(':')
  if (folders.some((folder) => existsSync(join(folder, program)))) return null
  return `${program} is not installed (Debian: ${packages[program]})`
}

/** The `--proxy` option for it, with this password or without. */
export function proxyOption(program: ProxyProgram, password?: string): readonly string[] {
  const port = proxyPorts[program][password === undefined ? 0 : 1]
  const said = password === undefined ? '' : `${known.user}:${password}@`
  return ['--proxy', `${schemes[program]}://${said}${serverAddress}:${port}`]
}

/** Starts one proxy without and one with a password; they end with the network. */
export async function startProxies(
  network: Network,
  program: ProxyProgram,
  folder: string,
): Promise<void> {
  for (const [index, port] of proxyPorts[program].entries()) {
    const asks = index === 1
    const command =
      program === 'microsocks'
        ? microsocks(port, asks)
        : tinyproxy(join(folder, `tinyproxy-${port}.conf`), port, asks)
    await start(network, command, port)
  }
}

const microsocks = (port: number, asks: boolean): readonly string[] => [
  ...['microsocks', '-i', serverAddress, '-p', String(port)],
  ...(asks ? ['-u', known.user, '-P', known.password] : []),
]

function tinyproxy(file: string, port: number, asks: boolean): readonly string[] {
  const lines = [
    `Port ${port}`,
    `Listen ${serverAddress}`,
    'Timeout 600',
    'MaxClients 20',
    'LogLevel Error',
    ...(asks ? [`BasicAuth ${known.user} ${known.password}`] : []),
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  return ['tinyproxy', '-d', '-c', file]
}

async function start(network: Network, command: readonly string[], port: number): Promise<void> {
  const [program, ...args] = [...network.within('internet'), ...command]
  if (program === undefined) return
  const proxy = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [proxy.stdout, proxy.stderr]) {
    stream.on('data', (data: Buffer) => {
      log += data.toString()
    })
  }
  while (!network.listensAt(serverAddress, port, ['tcp'])) {
    if (proxy.exitCode !== null) throw new Error(`${command[0] ?? ''} has ended:\n${log}`)
    await after(20)
  }
}
