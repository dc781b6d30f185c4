/**
 * Two homes with the internet between them, made of network namespaces that end with the test:
 *
 * ```
 *   host ───── gate ────────── internet ────────── gate ───── join
 * 10.0.1.2   10.0.1.1         198.18.3.1         10.0.2.1   10.0.2.2
 *           198.18.1.1  signaling, STUN and TURN  198.18.2.1
 * ```
 *
 * Every link is called `e…`: interfaces with names like those of virtual machines are left out by
 * ICE.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'

/** Who hosts and who joins, each in a home of its own. */
export type Side = 'host' | 'join'

/**
 * What a home's gate does: nothing, translate addresses (with the port kept, or with a new one for
 * each target), or drop UDP.
 */
export type Gate = 'open' | 'port-restricted' | 'symmetric' | 'no-udp'

type Place = Side | `${Side}-gate` | 'internet'

/** The one address of everything that stands in the internet. */
export const serverAddress = '198.18.3.1'

/** The address by which a home behind a translating gate is seen outside. */
export const gateAddress = { host: '198.18.1.1', join: '198.18.2.1' } as const

/** The address of a home's computer. */
export const homeAddress = { host: '10.0.1.2', join: '10.0.2.2' } as const

const sides: readonly Side[] = ['host', 'join']
const places: readonly Place[] = ['host', 'host-gate', 'internet', 'join-gate', 'join']
/** Where the system keeps namespaces that have a name. */
export const namesFolder = '/run/netns'
const namePattern = /^thru-test-(\d+)-/
const nameOf = (place: Place): string => `thru-test-${process.pid}-${place}`

/** Two homes with the internet between them; see above. */
export class Network {
  /** Throws a sentence about what is missing on this computer. */
  static async make(): Promise<Network> {
    demandTools()
    await removeAbandoned()
    const network = new Network()
    try {
      network.#build()
      for (const side of sides) await waitForLink(side)
    } catch (reason) {
      await network.remove()
      throw reason
    }
    return network
  }

  private constructor() {}

  /** The command that runs what follows in a place. */
  within(place: Place): readonly string[] {
    return ['nsenter', inside(place)]
  }

  /** Replaces a home's gate; connections that the old one had let through may end. */
  setGate(side: Side, gate: Gate): void {
    replaceRules(`${side}-gate`, gateRules[gate])
  }

  /** Lets the homes reach each other, or only what stands in the internet. */
  setDirectPath(isOpen: boolean): void {
    replaceRules(
      'internet',
      isOpen ? '' : 'chain forward { type filter hook forward priority 0; policy drop; }',
    )
  }

  /** Limits what leaves the host's home, so that a transfer lasts long enough for a middle. */
  setSpeed(mbitPerSecond: number): void {
    const bucket = ['tbf', 'rate', `${mbitPerSecond}mbit`, 'burst', '128kb', 'latency', '50ms']
    run('host-gate', ['tc', 'qdisc', 'replace', 'dev', 'e1', 'root', ...bucket])
  }

  /** Lets only packets of so many bytes out of the host's computer, or out of its gate. */
  setLargestPacket(place: 'host' | 'host-gate', bytes: number): void {
    ip(place, `link set ${place === 'host' ? 'e0' : 'e1'} mtu ${bytes}`)
  }

  /** Takes a home's computer off the network, as its own system sees it at once. */
  disconnect(side: Side): void {
    ip(side, 'link set e0 down')
  }

  /** Ends `disconnect`; ready to send when it resolves. */
  async reconnect(side: Side): Promise<void> {
    ip(side, 'link set e0 up', defaultRoute(side))
    await waitForLink(side)
  }

  /** Gives a home's computer an IPv6 address that its system tries out for a minute before it can be used. */
  async tryAddress(side: Side): Promise<void> {
    setKernel(side, 'net/ipv6/conf/e0/accept_dad', 1)
    setKernel(side, 'net/ipv6/conf/e0/dad_transmits', 60)
    this.disconnect(side)
    await this.reconnect(side)
  }

  /** True while a home's computer has an address that can't be used yet. */
  isTryingAddress(side: Side): boolean {
    return run(side, ['ip', '-6', 'address', 'show', 'tentative']).length > 0
  }

  /** True once something in the internet takes UDP and TCP at a port. */
  listensAt(port: number): boolean {
    const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')} `
    const isTaken = (protocol: string): boolean =>
      run('internet', ['cat', `/proc/net/${protocol}`]).includes(hex)
    return isTaken('udp') && isTaken('tcp')
  }

  /** Ends every program that still runs in one of the places, then the places themselves. */
  remove(): Promise<void> {
    return removeNamespaces(places.map(nameOf))
  }

  #build(): void {
    for (const place of places) {
      addNamespace(nameOf(place))
      ip(place, 'link set lo up')
      // Else IPv6 link-local addresses, which lead nowhere here, come a second late.
      setKernel(place, 'net/ipv6/conf/default/accept_dad', 0)
    }
    // The rest of the world takes every packet and never answers: "no route" is no answer either.
    ip(
      'internet',
      'link add e0 arp off type veth peer name e3',
      `address add ${serverAddress}/24 dev e0`,
      'link set e3 up',
      'link set e0 up',
      'route add default dev e0',
    )
    for (const [index, side] of sides.entries()) this.#buildHome(side, index + 1)
    for (const place of ['host-gate', 'internet', 'join-gate'] as const) {
      setKernel(place, 'net/ipv4/ip_forward', 1)
    }
  }

  #buildHome(side: Side, number: number): void {
    const gate: Place = `${side}-gate`
    const uplink = `e${number}`
    ip(side, `link add e0 type veth peer name e0 netns ${nameOf(gate)}`)
    ip('internet', `link add ${uplink} type veth peer name e1 netns ${nameOf(gate)}`)
    ip(
      gate,
      `address add 10.0.${number}.1/24 dev e0`,
      `address add ${gateAddress[side]}/24 dev e1`,
      'link set e0 up',
      'link set e1 up',
      `route add default via 198.18.${number}.254`,
    )
    ip(
      'internet',
      `address add 198.18.${number}.254/24 dev ${uplink}`,
      `link set ${uplink} up`,
      `route add 10.0.${number}.0/24 via ${gateAddress[side]}`,
    )
    ip(side, `address add ${homeAddress[side]}/24 dev e0`, 'link set e0 up', defaultRoute(side))
  }
}

const defaultRoute = (side: Side): string =>
  `route add default via ${side === 'host' ? '10.0.1.1' : '10.0.2.1'}`

/** A translating gate takes in only answers; what it drops leaves no trace that costs a port. */
const translating = (how: string): string => `
  chain input { type filter hook input priority 0; iifname "e1" drop; }
  chain forward { type filter hook forward priority 0; iifname "e1" ct state new drop; }
  chain postrouting { type nat hook postrouting priority 100; oifname "e1" ${how}; }`

const gateRules: { readonly [gate in Gate]: string } = {
  open: '',
  'port-restricted': translating('masquerade'),
  symmetric: translating('masquerade random,fully-random'),
  'no-udp': `
    chain forward { type filter hook forward priority 0; meta l4proto udp drop; }`,
}

function replaceRules(place: Place, chains: string): void {
  run(place, ['nft', '-f', '-'], `flush ruleset\ntable ip thru {${chains}\n}\n`)
}

function setKernel(place: Place, setting: string, value: number): void {
  run(place, ['tee', `/proc/sys/${setting}`], String(value))
}

/** What a program says that runs in a place. */
const run = (place: Place, command: readonly string[], input = ''): string =>
  execFileSync('nsenter', [inside(place), ...command], { input, encoding: 'utf8' })

/** `ip netns exec` also gives mounts of their own, which fails where the root is not a mount, as in a chroot. */
const inside = (place: Place): string => `--net=${namesFolder}/${nameOf(place)}`

function ip(place: Place, ...commands: readonly string[]): void {
  run(place, ['ip', '-batch', '-'], `${commands.join('\n')}\n`)
}

/** The kernel reports a moment later that a link is up, and ICE uses no other. */
async function waitForLink(side: Side): Promise<void> {
  const show = ['ip', '-brief', 'link', 'show', 'dev', 'e0']
  for (let tries = 0; tries < 200; tries += 1) {
    if (/\sUP\s/.test(run(side, show))) return
    await after(20)
  }
  throw new Error(`the link of ${side} does not come up`)
}

/** Throws a sentence about what these tests need and this computer lacks. */
export function demandTools(): void {
  const isRoot = process.getuid?.() === 0
  const folders = (process.env['PATH'] ?? '').split(':')
  const missing = ['ip', 'tc', 'nft', 'nsenter', 'turnserver'].filter(
    (tool) => !folders.some((folder) => existsSync(`${folder}/${tool}`)),
  )
  if (isRoot && missing.length === 0) return
  throw new Error(`${needs}; ${isRoot ? `missing: ${missing.join(', ')}` : 'this is not root'}.`)
}

const needs =
  'These tests make network namespaces: they need Linux, root, and the programs ip and tc ' +
  '(iproute2), nft (nftables), nsenter (util-linux) and turnserver (coturn)'

/** Throws a sentence when this computer doesn't allow that. */
export function addNamespace(name: string): void {
  const { status, stderr } = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${needs}; "ip netns add" says: ${stderr.trim()}.`)
}

/** False also for a process that has ended and that nobody asked about yet. */
export function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Removes what tests left behind that were killed. */
export async function removeAbandoned(): Promise<void> {
  const names = existsSync(namesFolder) ? readdirSync(namesFolder) : []
  await removeNamespaces(
    names.filter((name) => {
      const pid = namePattern.exec(name)?.[1]
      return pid !== undefined && (Number(pid) === process.pid || !isRunning(pid))
    }),
  )
}

/** Ends every program in them, then themselves; those that are not there are passed over. */
export async function removeNamespaces(names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => existsSync(`${namesFolder}/${each}`))) {
    const programs = (): readonly number[] =>
      execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line !== '')
        .map(Number)
    for (const pid of programs()) kill(pid)
    for (let tries = 0; tries < 200 && programs().length > 0; tries += 1) await after(20)
    execFileSync('ip', ['netns', 'delete', name])
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
