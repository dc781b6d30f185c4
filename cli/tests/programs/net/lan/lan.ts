/**
 * A home whose computers share one network, without a route to anywhere else:
 *
 * ```
 *   host ──┐
 *   join ──┼── bridge
 *  third ──┘
 * ```
 *
 * It consists of network namespaces that end with the test.
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
} from '../places'

/** A computer of the home. */
export type Computer = 'host' | 'join' | 'third'

/** The addresses that the network assigns; IPv6 ones are link-local. */
export type Addresses = 'both' | 'ipv6'

const computers: readonly Computer[] = ['host', 'join', 'third']

/** The IPv4 address of a computer on the common network. */
export const addressOn = (computer: Computer): string =>
  `192.168.77.${computers.indexOf(computer) + 1}`

/** The port of a signaling server on a computer of the home. */
export const serverPort = 8080

/** The namespace of the bridge or a computer, which no other network of this process uses. */
const placeOf = (name: Computer | 'bridge'): string => `lan-${name}`

/** A home with its computers. */
export class Lan {
  /** Throws a sentence about missing prerequisites. */
  static async make(addresses: Addresses): Promise<Lan> {
    demandTools()
    await removeAbandoned()
    const lan = new Lan()
    try {
      lan.#build(addresses)
      for (const computer of computers) await waitForLink(placeOf(computer), /fe80/, shown)
    } catch (reason) {
      await lan.remove()
      throw reason
    }
    return lan
  }

  private constructor() {}

  /** The prefix of a command that runs it on a computer. */
  within(computer: Computer): readonly string[] {
    return within(placeOf(computer))
  }

  /** Gives a computer another network, like a VPN, which precedes the common one and leads nowhere. */
  addOtherNetwork(computer: Computer): void {
    ip(
      placeOf(computer),
      'link add a0 type veth peer name a1',
      'address add 10.8.0.2/24 dev a0',
      'link set a0 up',
      'link set a1 up',
      'route add default dev a0',
    )
  }

  /** Blocks announcements from and to a computer, like a firewall. */
  blockMulticast(computer: Computer): void {
    const rules = ['input', 'output'].map(
      (hook) => `chain ${hook} { type filter hook ${hook} priority 0; udp dport 5353 drop; }`,
    )
    run(placeOf(computer), ['nft', '-f', '-'], `table inet thru {\n${rules.join('\n')}\n}\n`)
  }

  /** Connects two computers by an additional cable, whose network precedes the common one. */
  addCable(one: Computer, other: Computer): void {
    ip(placeOf(one), `link add a0 type veth peer name a0 ${peer(placeOf(other))}`)
    for (const [index, each] of [one, other].entries()) {
      ip(placeOf(each), `address add 192.168.66.${index + 1}/24 dev a0`, 'link set a0 up')
    }
  }

  /** Gives a computer a network of its own, with a router to the common one. */
  moveBehindRouter(computer: Computer): void {
    const router = placeOf('bridge')
    const link = `e${computers.indexOf(computer)}`
    ip(
      router,
      'address add 192.168.77.254/24 dev br0',
      `link set ${link} nomaster`,
      `address add 192.168.78.254/24 dev ${link}`,
    )
    setKernel(router, 'net/ipv4/ip_forward', 1)
    ip(
      placeOf(computer),
      'address flush dev e0',
      'address add 192.168.78.1/24 dev e0',
      'route add default via 192.168.78.254',
    )
    for (const other of computers.filter((each) => each !== computer)) {
      ip(placeOf(other), 'route add 192.168.78.0/24 via 192.168.77.254')
    }
  }

  /** Drops one in thirty packets of TCP towards a computer, except those of signaling. */
  loseTcp(computer: Computer): void {
    const rules = [
      `tcp dport ${serverPort} accept`,
      `tcp sport ${serverPort} accept`,
      'meta l4proto tcp numgen inc mod 30 == 0 drop',
    ]
    const chain = `chain input { type filter hook input priority 0; ${rules.join('; ')}; }`
    run(placeOf(computer), ['nft', '-f', '-'], `table inet losses {\n${chain}\n}\n`)
  }

  /**
   * Blocks a protocol towards a computer on one interface: `e0` of the common network or `a0` of a cable. Signaling still
   * works. Packets are dropped, or connections reset (`reset`, for TCP).
   */
  refuse(
    computer: Computer,
    protocol: 'tcp' | 'udp',
    link: 'e0' | 'a0' = 'e0',
    answer: 'drop' | 'reset' = 'drop',
  ): void {
    const verdict = answer === 'reset' ? 'reject with tcp reset' : 'drop'
    const rules = [
      `tcp dport ${serverPort} accept`,
      `tcp sport ${serverPort} accept`,
      `iifname "${link}" meta l4proto ${protocol} ${verdict}`,
    ]
    const chain = `chain input { type filter hook input priority 0; ${rules.join('; ')}; }`
    const table = `table inet ${link}_${protocol} {\n${chain}\n}\n`
    run(placeOf(computer), ['nft', '-f', '-'], table)
  }

  /** Ends `refuse`. */
  admit(computer: Computer, protocol: 'tcp' | 'udp', link: 'e0' | 'a0' = 'e0'): void {
    run(placeOf(computer), ['nft', 'delete', 'table', 'inet', `${link}_${protocol}`])
  }

  /** Replaces a computer's IPv4 address on the common network. */
  changeAddress(computer: Computer): void {
    ip(
      placeOf(computer),
      'address flush dev e0 scope global',
      `address add ${addressOn(computer)}7/24 dev e0`,
    )
  }

  /** Ends every running program in the home, then the home itself. */
  remove(): Promise<void> {
    return removePlaces((['bridge', ...computers] as const).map(placeOf))
  }

  #build(addresses: Addresses): void {
    const bridge = placeOf('bridge')
    for (const place of [bridge, ...computers.map(placeOf)]) {
      addPlace(place)
      setKernel(place, 'net/ipv6/conf/default/accept_dad', 0)
      ip(place, 'link set lo up')
    }
    ip(bridge, 'link add br0 type bridge', 'link set br0 up')
    for (const [index, computer] of computers.entries()) {
      const place = placeOf(computer)
      ip(
        bridge,
        `link add e${index} type veth peer name e0 ${peer(place)}`,
        `link set e${index} master br0`,
        `link set e${index} up`,
      )
      const four = addresses === 'both' ? [`address add ${addressOn(computer)}/24 dev e0`] : []
      ip(place, ...four, 'link set e0 up')
    }
  }
}

/** The kernel assigns the link-local address a moment after the link is up. */
const shown = ['-6', '-brief', 'address']
