// Routers between a home and the internet, for this laboratory and for the tests. Over IPv4 they translate addresses;
// over IPv6 they are firewalls like those of home routers.
import { execFileSync } from 'node:child_process'

/** The last octets of a router and of the computer behind it. */
const routerHost = 1
const homeHost = 2

/**
 * @typedef {'full-cone' | 'address-restricted' | 'port-restricted' | 'symmetric' | 'no-udp' | 'only-443'} NatKind
 */

/**
 * @typedef {{ uplink: string, inside: string, outside: string }} Wiring `uplink` is the router's external interface,
 *   `outside` its IPv4 address there, `inside` the IPv4 address of the one computer behind it.
 */

const unasked = ({ uplink }) => `iifname "${uplink}" ct state new drop`

/** Accepts packets that the router's own mappings forward, from any sender. */
const mapped = ({ uplink }) => `iifname "${uplink}" ct status dnat accept`

/** Filtering rules for forwarded packets by RFC 4787 section 5 and RFC 6092; `ip` is the family's name in rules. */
const filters = {
  'full-cone': () => [],
  /** Any port of an address contacted in the last two minutes may reply. */
  'address-restricted': ({ uplink, ip }) => [
    `oifname "${uplink}" update @asked { ${ip} daddr }`,
    `iifname "${uplink}" ct state new ${ip} saddr != @asked drop`,
  ],
  'port-restricted': (wiring) => [unasked(wiring)],
  symmetric: (wiring) => [unasked(wiring)],
  'no-udp': (wiring) => [unasked(wiring), 'meta l4proto udp drop'],
  'only-443': (wiring) => [
    unasked(wiring),
    `oifname "${wiring.uplink}" meta l4proto != tcp drop`,
    `oifname "${wiring.uplink}" tcp dport != 443 drop`,
  ],
}

const takesIn = ({ uplink, inside }, whom) =>
  `chain in { type nat hook prerouting priority -100; iifname "${uplink}" ${whom} dnat to ${inside}; }`

const translates = ({ uplink }, how) =>
  `chain out { type nat hook postrouting priority 100; oifname "${uplink}" ${how}; }`

/** Mapping of each kind over IPv4, by RFC 4787 section 4. */
const mappings = {
  /** All incoming packets reach the one computer behind the router. */
  'full-cone': (wiring) => [
    takesIn(wiring, 'meta l4proto { tcp, udp }'),
    translates(wiring, `snat to ${wiring.outside}`),
  ],
  'address-restricted': (wiring) => [
    takesIn(wiring, 'ip saddr @asked'),
    translates(wiring, `snat to ${wiring.outside}`),
  ],
  /** The same port for all destinations. */
  'port-restricted': (wiring) => [translates(wiring, 'masquerade')],
  /** Another port for each destination. */
  symmetric: (wiring) => [translates(wiring, 'masquerade random,fully-random')],
  'no-udp': (wiring) => [translates(wiring, 'masquerade')],
  'only-443': (wiring) => [translates(wiring, 'masquerade')],
}

/** @type {NatKind[]} */
export const natKinds = Object.keys(filters)

/** The kinds of NAT, and "open" for a home without one. @type {('open' | NatKind)[]} */
export const routerTypes = ['open', ...natKinds]

const letsNoUdpOut = (kind) => kind === 'no-udp' || kind === 'only-443'
/**
 * True if incoming TCP is allowed. IPv4 maps no ports inward; over IPv6, UDP checks have already contacted each caller.
 */
const letsTcpIn = (kind, family) =>
  kind === 'open' || (family === 6 && ['full-cone', 'address-restricted'].includes(kind))
/** True if outgoing TCP is allowed to any port. */
const letsTcpOut = (kind) => kind !== 'only-443'
const wantsKnownPort = (kind) => kind === 'symmetric' || kind === 'port-restricted'

/**
 * Returns true if two computers behind such routers can connect without a relay. A side with a new port for each
 * destination can't reach one that accepts only known ports. Without UDP, one side must be reachable over TCP.
 * @param {'open' | NatKind} one
 * @param {'open' | NatKind} other
 * @param {4 | 6} [family]
 * @returns {boolean}
 */
export function canBeDirect(one, other, family = 4) {
  const both = [one, other]
  if (both.some(letsNoUdpOut)) {
    const calls = (from, to) => letsTcpOut(from) && letsTcpIn(to, family)
    return calls(one, other) || calls(other, one)
  }
  return family === 6 || !both.includes('symmetric') || !both.every(wantsKnownPort)
}

const tableOf = (family, parts) => `table ${family} router {\n${parts.join('\n')}\n}\n`

/** The set of contacted addresses, then the chain for forwarded packets. */
const forwards = (ip, statements) => [
  `set asked { type ${ip === 'ip' ? 'ipv4' : 'ipv6'}_addr; flags dynamic,timeout; timeout 120s; size 4096; }`,
  ['chain through { type filter hook forward priority 0', ...statements, '}'].join('; '),
]

/**
 * Returns a router's nft rules.
 * @param {NatKind} kind
 * @param {Wiring} wiring
 * @returns {string}
 */
export function natRules(kind, wiring) {
  // Drops unsolicited packets, so that they leave no entry in the router's table.
  const drops = `chain input { type filter hook input priority 0; iifname "${wiring.uplink}" meta l4proto { tcp, udp } drop; }`
  // Private home addresses aren't reachable from outside.
  const hides = `chain hidden { type filter hook prerouting priority -300; iifname "${wiring.uplink}" ip daddr != ${wiring.outside} drop; }`
  const forwarded = forwards('ip', [mapped(wiring), ...filters[kind]({ ...wiring, ip: 'ip' })])
  return tableOf('ip', [...forwarded, hides, drops, ...mappings[kind](wiring)])
}

/**
 * Returns the nft rules over IPv6, without translation.
 * @param {NatKind} kind
 * @param {{ uplink: string }} wiring
 * @returns {string}
 */
export const firewallRules = (kind, wiring) =>
  tableOf('ip6', forwards('ip6', filters[kind]({ ...wiring, ip: 'ip6' })))

const ip = (place, ...commands) =>
  execFileSync('ip', ['-n', place, '-batch', '-'], { input: `${commands.join('\n')}\n` })

/** Puts the existing namespace `home` behind a router at `place` and returns its address there. */
export function putBehindNat({ place, home, kind, network, outside }) {
  const at = (host) => `10.77.${network}.${host}`
  ip(
    place,
    `link add inside type veth peer name e0 netns ${home}`,
    `address add ${at(routerHost)}/24 dev inside`,
    'link set inside up',
  )
  ip(
    home,
    `address add ${at(homeHost)}/24 dev e0`,
    'link set e0 up',
    `route add default via ${at(routerHost)}`,
  )
  const within = ['netns', 'exec', place]
  const run = (argv, input) => execFileSync('ip', [...within, ...argv], { input, stdio: 'pipe' })
  run(['tee', '/proc/sys/net/ipv4/ip_forward'], '1')
  run(['nft', '-f', '-'], natRules(kind, { uplink: 'e0', inside: at(homeHost), outside }))
  return at(homeHost)
}
