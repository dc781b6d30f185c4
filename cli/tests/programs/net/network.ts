/**
 * Two homes with the internet between them, in network namespaces that end with the test:
 *
 * ```
 *    host ─────── router ────────── internet ────────── router ─────── join
 * 100.64.11.2  100.64.11.1       198.18.3.1       100.64.12.1  100.64.12.2
 *               45.33.1.1  signaling, STUN and TURN  45.33.2.1
 * ```
 *
 * Homes can have a carrier's router between their own and the internet (CGNAT), with the address 198.18.5.1; their own then
 * have 100.64.1.1 and 100.64.2.1. The homes' addresses are of a carrier, too (RFC 6598): private ones that reach each other
 * are of one site, where TCP carries data alongside UDP. Every link is called `e…`, because ICE ignores interfaces named like
 * those of virtual machines.
 */
import {
  addPlace,
  demandTools,
  ip,
  peer,
  removeAbandoned,
  removePlaces,
  run,
  setKernel,
  waitForLink,
  within,
} from './places'
import { type Families, hasFamily, type RouterType, rulesOf } from './router-types'

/** Impairments of packets between the homes. */
const impairments = {
  'one in five is lost': 'numgen random mod 5 == 0 drop',
  'fifty of each five thousand are lost in a row': 'numgen inc mod 5000 < 50 drop',
  'one in a hundred has other bytes':
    'meta l4proto udp numgen random mod 100 == 0 @th,512,16 set 0',
  'none gets from host to join': 'iifname "e1" oifname "e2" drop',
  'none gets from join to host': 'iifname "e2" oifname "e1" drop',
  'none of IPv4 gets through': 'meta nfproto ipv4 drop',
  'none of IPv6 gets through': 'meta nfproto ipv6 drop',
  'each loses its ECN mark': 'ip ecn set not-ect; ip6 ecn set not-ect',
  'each is marked by ECN as if it had met a full queue': 'ip ecn set ce; ip6 ecn set ce',
} as const

/** One of those. */
export type Impairment = keyof typeof impairments

/** The host and the joiner, each in a separate home. */
export type Side = 'host' | 'join'

type Place = Side | `${Side}-router` | 'carrier' | 'internet'

/**
 * The behavior of a carrier's router towards packets between its homes: sends them back by their public address
 * (RFC 6888), drops them, or routes to each home's own network.
 */
export type CarrierKind = 'hairpin' | 'apart' | 'routes'

/** The common address of all servers on the internet, except additional relays. */
export const serverAddress = '198.18.3.1'

/** The address of additional servers on the internet. */
export const secondServerAddress = '198.18.3.2'

/** The address of a relay named by a signaling server: clients reject the addresses above as not public. */
export const namedRelayAddress = '45.33.3.1'

/** The corresponding IPv6 addresses, which the internet always has. */
export const addresses6 = {
  [serverAddress]: '2001:db8:3::1',
  [secondServerAddress]: '2001:db8:3::2',
  [namedRelayAddress]: '2001:db8:3::3',
} as const

/**
 * The public address of a home behind a translating router. It is a real public address, because routers without one
 * open no ports, and clients would reject it.
 */
export const routerAddress = { host: '45.33.1.1', join: '45.33.2.1' } as const

/** The public address of all homes behind the carrier. */
export const carrierAddress = '198.18.5.1'

/** The address of a home's computer. */
export const homeAddress = { host: '100.64.11.2', join: '100.64.12.2' } as const

/** An address of a home's network; its router's ends with 1. */
const inHome = (side: Side, host: number): string => homeAddress[side].replace(/\d+$/, String(host))

const sides: readonly Side[] = ['host', 'join']
const places: readonly Place[] = [
  'host',
  'host-router',
  'internet',
  'join-router',
  'join',
  'carrier',
]
const forwarding: readonly Place[] = ['host-router', 'internet', 'join-router', 'carrier']
/** The carrier's port ranges per home; routers keep ports if possible. */
const portsOf = { host: [20_000, 29_999], join: [30_000, 39_999] } as const

/** Two homes with the internet between them, as drawn above. */
export class Network {
  readonly #families: Families
  readonly #behindCarrier: readonly Side[]

  /** Throws a sentence about missing prerequisites. A carrier supports only IPv4. */
  static async make(
    families: Families = 'IPv4',
    behindCarrier: readonly Side[] = [],
  ): Promise<Network> {
    demandTools()
    await removeAbandoned()
    const network = new Network(families, behindCarrier)
    try {
      network.#build()
      for (const side of sides) await waitUntilUp(side)
    } catch (reason) {
      await network.remove()
      throw reason
    }
    return network
  }

  private constructor(families: Families, behindCarrier: readonly Side[]) {
    this.#families = families
    this.#behindCarrier = behindCarrier
  }

  /** The prefix of a command that runs it in a place. */
  within(place: Place): readonly string[] {
    return within(place)
  }

  /** The address by which homes reach an internet address, without brackets. */
  reach(address: keyof typeof addresses6): string {
    return hasFamily(this.#families, 4) ? address : addresses6[address]
  }

  /** Replaces a home's router; connections through the old one may end. */
  setRouter(side: Side, router: RouterType): void {
    const [inside, outside] = [homeAddress[side], this.#outside(side)]
    replaceRules(
      `${side}-router`,
      rulesOf(router, this.#families, { uplink: 'e1', inside, outside }),
    )
  }

  /** Lets a home open TCP connections to these ports only, until `setRouter`. */
  allowTcp(side: Side, ports: readonly number[]): void {
    const elsewhere = `meta l4proto tcp ct direction original tcp dport != { ${ports.join()} } reject`
    const rules = `table inet ports {\nchain through { type filter hook forward priority 10; ${elsewhere}; }\n}\n`
    run(`${side}-router`, ['nft', '-f', '-'], `table inet ports\ndelete table inet ports\n${rules}`)
  }

  setCarrier(kind: CarrierKind): void {
    const from = kind === 'hairpin' ? '' : 'iifname "e0"'
    const takesIn = this.#behindCarrier.map(
      (side) =>
        `${from} ip daddr ${carrierAddress} udp dport ${portsOf[side].join('-')} dnat to ${this.#outside(side)}`,
    )
    const between = 'ip saddr 100.64.0.0/10 ip daddr 100.64.0.0/10'
    const rules = [
      `chain in { type nat hook prerouting priority -100; ${takesIn.join('; ')}; }`,
      'chain out { type nat hook postrouting priority 100; oifname "e0" masquerade;',
      `${between} ct status dnat snat to ${carrierAddress}; }`,
      'chain through { type filter hook forward priority 0;',
      kind === 'routes' ? '}' : 'iifname != "e0" oifname != "e0" ct status ! dnat drop; }',
    ]
    replaceRules('carrier', `table ip thru {\n${rules.join('\n')}\n}\n`)
  }

  /** Replaces a router by one that allows TCP only to these ports, and UDP only if `passesUdp`. */
  setPorts(side: Side, ports: readonly number[], passesUdp: boolean): void {
    const elsewhere = `ct direction original tcp dport != { ${ports.join()} } reject;`
    const others = passesUdp ? '' : 'meta l4proto != tcp drop;'
    const chain = `chain forward { type filter hook forward priority 0; ${others} ${elsewhere} }`
    replaceRules(`${side}-router`, `table inet thru {\n${chain}\n}\n`)
  }

  /** Opens or blocks the direct path between homes; servers on the internet stay reachable. */
  setDirectPath(isOpen: boolean): void {
    const drop = 'chain forward { type filter hook forward priority 0; policy drop; }'
    replaceRules('internet', isOpen ? '' : `table inet thru {\n${drop}\n}\n`)
  }

  /**
   * Returns a function that counts packets from home to home since now, until `setDirectPath` or `impair`. Drops these
   * packets if `isBlocked`.
   */
  countDirectPackets(isBlocked = false): (from: Side) => number {
    const counters = sides.map((side) => `counter from_${side} { }`)
    const rules = [
      `policy ${isBlocked ? 'drop' : 'accept'};`,
      'iifname "e1" oifname "e2" counter name from_host;',
      'iifname "e2" oifname "e1" counter name from_join;',
    ]
    const chain = `chain forward { type filter hook forward priority 0; ${rules.join(' ')} }`
    replaceRules('internet', `table inet thru {\n${[...counters, chain].join('\n')}\n}\n`)
    return (from) => {
      const [, packets] = /packets (\d+)/.exec(
        run('internet', ['nft', 'list', 'counter', 'inet', 'thru', `from_${from}`]),
      ) ?? ['', 'NaN']
      return Number(packets)
    }
  }

  /** Impairs the traffic from home to home, until `setDirectPath`. */
  impair(impairment: Impairment): void {
    const chain = `chain forward { type filter hook forward priority 0; ${impairments[impairment]}; }`
    replaceRules('internet', `table inet thru {\n${chain}\n}\n`)
  }

  /** Makes a home's router forget its connections. The router must be one that changes ports. */
  forgetMappings(side: Side): void {
    const outside = this.#outside(side)
    ip(
      `${side}-router`,
      `address del ${outside}/24 dev e1`,
      `address add ${outside}/24 dev e1`,
      `route add default via ${outside.replace(/\d+$/, '254')}`,
    )
  }

  /** Limits the uplink of the host's home, so that a test can interfere midway. */
  setSpeed(mbitPerSecond: number): void {
    const bucket = ['tbf', 'rate', `${mbitPerSecond}mbit`, 'burst', '128kb', 'latency', '50ms']
    run('host-router', ['tc', 'qdisc', 'replace', 'dev', 'e1', 'root', ...bucket])
  }

  /** Limits the size of packets from the host's computer or router. */
  setLargestPacket(place: 'host' | 'host-router', bytes: number): void {
    ip(place, `link set ${place === 'host' ? 'e0' : 'e1'} mtu ${bytes}`)
  }

  /** Disconnects a home's computer, which its system notices immediately. */
  disconnect(side: Side): void {
    ip(side, 'link set e0 down')
  }

  /** Ends `disconnect`; resolves once the computer can send. */
  async reconnect(side: Side): Promise<void> {
    ip(side, 'link set e0 up', defaultRoute(side))
    await waitUntilUp(side)
  }

  changeAddress(side: Side, host = 77): void {
    const next = inHome(side, host)
    ip(
      side,
      'address flush dev e0 scope global',
      `address add ${next}/24 dev e0`,
      defaultRoute(side),
    )
  }

  addAddress(side: Side): void {
    ip(side, `address add ${inHome(side, 78)}/24 dev e0`)
  }

  /** Ends `changeAddress` and `addAddress`. */
  restoreAddress(side: Side): void {
    ip(side, 'address flush dev e0 scope global')
    ip(side, `address add ${homeAddress[side]}/24 dev e0`, defaultRoute(side))
  }

  /** Adds an IPv6 address that stays tentative for a minute to a home's computer. */
  async tryAddress(side: Side): Promise<void> {
    setKernel(side, 'net/ipv6/conf/e0/accept_dad', 1)
    setKernel(side, 'net/ipv6/conf/e0/dad_transmits', 60)
    this.disconnect(side)
    await this.reconnect(side)
  }

  /** True while a home's computer has a tentative address. */
  isTryingAddress(side: Side): boolean {
    return run(side, ['ip', '-6', 'address', 'show', 'tentative']).length > 0
  }

  /** True once a server on the internet listens on a port of an IPv4 address. */
  listensAt(
    address: string,
    port: number,
    protocols: readonly ('udp' | 'tcp')[] = ['udp', 'tcp'],
  ): boolean {
    const hex = (number: number, digits: number): string =>
      number.toString(16).toUpperCase().padStart(digits, '0')
    const octets = address.split('.').map((octet) => hex(Number(octet), 2))
    const place = ` ${octets.reverse().join('')}:${hex(port, 4)} `
    return protocols.every((protocol) =>
      run('internet', ['cat', `/proc/net/${protocol}`]).includes(place),
    )
  }

  /** Ends every running program in these places, then the places themselves. */
  remove(): Promise<void> {
    return removePlaces(places)
  }

  #build(): void {
    const hasCarrier = this.#behindCarrier.length > 0
    const existing = places.filter((place) => hasCarrier || place !== 'carrier')
    for (const place of existing) {
      addPlace(place)
      ip(place, 'link set lo up')
      // Otherwise IPv6 addresses become usable a second late.
      setKernel(place, 'net/ipv6/conf/default/accept_dad', 0)
    }
    // The rest of the internet accepts every packet and never answers: "no route" would be an answer.
    const servers = Object.entries(addresses6)
    ip(
      'internet',
      'link add e0 arp off type veth peer name e3',
      ...servers.flatMap(([four, six]) => [
        `address add ${four}/24 dev e0`,
        `address add ${six}/64 dev e0`,
      ]),
      'link set e3 up',
      'link set e0 up',
      'route add default dev e0',
      'route add ::/0 dev e0',
    )
    if (hasCarrier) linkCarrier()
    for (const [index, side] of sides.entries()) {
      this.#linkHome(side, index + 1)
      if (hasFamily(this.#families, 4)) this.#addressHome(side, index + 1)
      if (hasFamily(this.#families, 6)) addressHome6(side, index + 1)
    }
    for (const place of existing.filter((each) => forwarding.includes(each))) {
      setKernel(place, 'net/ipv4/ip_forward', 1)
      setKernel(place, 'net/ipv6/conf/all/forwarding', 1)
    }
  }

  #linkHome(side: Side, number: number): void {
    const router: Place = `${side}-router`
    const uplink = `e${number}`
    ip(side, `link add e0 type veth peer name e0 ${peer(router)}`, 'link set e0 up')
    ip(
      this.#provider(side),
      `link add ${uplink} type veth peer name e1 ${peer(router)}`,
      `link set ${uplink} up`,
    )
    ip(router, 'link set e0 up', 'link set e1 up')
  }

  #addressHome(side: Side, number: number): void {
    const outside = this.#outside(side)
    const provider = outside.replace(/\d+$/, '254')
    ip(
      this.#provider(side),
      `address add ${provider}/24 dev e${number}`,
      `route add ${inHome(side, 0)}/24 via ${outside}`,
    )
    ip(
      `${side}-router`,
      `address add ${inHome(side, 1)}/24 dev e0`,
      `address add ${outside}/24 dev e1`,
      `route add default via ${provider}`,
    )
    ip(side, `address add ${homeAddress[side]}/24 dev e0`, defaultRoute(side))
    setKernel(side, 'net/ipv4/ip_local_port_range', portsOf[side].join(' '))
  }

  /** The place behind a router's uplink. */
  #provider(side: Side): Place {
    return this.#behindCarrier.includes(side) ? 'carrier' : 'internet'
  }

  /** The address of a router's uplink. */
  #outside(side: Side): string {
    if (!this.#behindCarrier.includes(side)) return routerAddress[side]
    return side === 'host' ? '100.64.1.1' : '100.64.2.1'
  }
}

function linkCarrier(): void {
  ip(
    'internet',
    `link add e5 type veth peer name e0 ${peer('carrier')}`,
    'link set e5 up',
    'address add 198.18.5.254/24 dev e5',
  )
  ip(
    'carrier',
    'link set e0 up',
    `address add ${carrierAddress}/24 dev e0`,
    'route add default via 198.18.5.254',
  )
}

/** The link between a router and the internet has the home's prefix with an f before its number. */
function addressHome6(side: Side, number: number): void {
  ip(
    'internet',
    `address add 2001:db8:f${number}::fe/64 dev e${number}`,
    `route add 2001:db8:${number}::/64 via 2001:db8:f${number}::1`,
  )
  ip(
    `${side}-router`,
    `address add 2001:db8:${number}::1/64 dev e0`,
    `address add 2001:db8:f${number}::1/64 dev e1`,
    `route add ::/0 via 2001:db8:f${number}::fe`,
  )
  ip(
    side,
    `address add 2001:db8:${number}::2/64 dev e0`,
    `route add ::/0 via 2001:db8:${number}::1`,
  )
}

const defaultRoute = (side: Side): string => `route add default via ${inHome(side, 1)}`

function replaceRules(place: Place, rules: string): void {
  run(place, ['nft', '-f', '-'], `flush ruleset\n${rules}`)
}

/** Waits for the kernel to report the link as up, because ICE ignores other links. */
const waitUntilUp = (side: Side): Promise<void> => waitForLink(side, /\sUP\s/, ['-brief', 'link'])
