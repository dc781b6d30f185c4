/** A router that opens ports on request, like home routers: miniupnpd at a home's router. */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { homeAddress, type Network, type Side } from './network'
import { run } from './places'

/** The rule set that miniupnpd extends, as created by Debian's nft_init.sh. */
const ruleset = `table inet filter {
  chain forward { type filter hook forward priority 0; jump miniupnpd; }
  chain miniupnpd { }
  chain prerouting { type nat hook prerouting priority -100; jump prerouting_miniupnpd; }
  chain postrouting { type nat hook postrouting priority 100; jump postrouting_miniupnpd; }
  chain prerouting_miniupnpd { }
  chain postrouting_miniupnpd { }
}
`

/** The reason to skip tests of the router; `null` to run them. */
export function missingRouter(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']
  if (folders.some((folder) => existsSync(join(folder, 'miniupnpd')))) return null
  return 'miniupnpd is not installed (Debian: miniupnpd-nftables)'
}

/** The router's home and protocols. */
export type RouterKind = {
  readonly side: Side
  readonly protocols: 'all' | 'PCP and NAT-PMP' | 'UPnP'
}

type Router = {
  /** The number of current mappings. */
  readonly mapped: () => number
  /** Ends the router; resolves with its log. */
  readonly stop: () => Promise<string>
}

/** Starts a router at a home's router; its rules last until the router is replaced. */
export async function startRouter(
  network: Network,
  folder: string,
  { side, protocols }: RouterKind,
): Promise<Router> {
  const node = `${side}-router` as const
  const subnet = homeAddress[side].replace(/\d+$/, '0/24')
  const file = join(folder, `miniupnpd-${side}.conf`)
  const lines = [
    'ext_ifname=e1',
    'listening_ip=e0',
    'ipv6_disable=yes',
    `enable_natpmp=${protocols === 'UPnP' ? 'no' : 'yes'}`,
    `enable_upnp=${protocols === 'PCP and NAT-PMP' ? 'no' : 'yes'}`,
    'secure_mode=yes',
    'uuid=00000000-0000-4000-8000-000000000001',
    `allow 1024-65535 ${subnet} 1024-65535`,
    'deny 0-65535 0.0.0.0/0 0-65535',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  run(node, ['nft', '-f', '-'], ruleset)
  const [program, ...args] = [
    ...network.within(node),
    ...['miniupnpd', '-d', '-f', file, '-P', join(folder, `miniupnpd-${side}.pid`)],
  ]
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin`
  const router = spawn(program ?? '', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path },
  })
  let log = ''
  for (const stream of [router.stdout, router.stderr]) {
    stream.on('data', (data: Buffer) => {
      log += data.toString()
    })
  }
  const ended = new Promise<void>((resolve) => {
    router.once('exit', () => resolve())
  })
  const listens = protocols === 'UPnP' ? /HTTP listening on/ : /Listening for NAT-PMP\/PCP/
  while (!listens.test(log)) {
    if (router.exitCode !== null) throw new Error(`miniupnpd has ended:\n${log}`)
    await after(20)
  }
  return {
    mapped: () =>
      run(node, ['nft', 'list', 'chain', 'inet', 'filter', 'prerouting_miniupnpd']).split('dnat')
        .length - 1,
    stop: async () => {
      router.kill()
      await ended
      return log
    },
  }
}
