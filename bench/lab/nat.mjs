// Routers that translate addresses, between a side and the emulated path. The router has the side's place and its public
// address; the side itself moves into a home behind it.
import { execFileSync } from 'node:child_process'

/** The last octets of a router and of the computer behind it. */
const routerHost = 1
const homeHost = 2

/** What a router does with packets that nobody behind it asked for, so that they leave no trace in its table. */
const dropsUnasked =
  'chain input { type filter hook input priority 0; iifname "e0" meta l4proto { tcp, udp } drop; }'

const translates = (how) =>
  `chain out { type nat hook postrouting priority 100; oifname "e0" ${how}; }`

/** Mapping and filtering of each kind, by RFC 4787. */
const kinds = {
  /** Everything that arrives goes to the one computer behind it. */
  'full-cone': ({ inside, outside }) => [
    `chain in { type nat hook prerouting priority -100; iifname "e0" dnat to ${inside}; }`,
    translates(`snat to ${outside}`),
  ],
  /** The same port for all destinations; only those that were written to may answer. */
  'port-restricted': () => [translates('masquerade'), dropsUnasked],
  /** Another port for each destination. */
  symmetric: () => [translates('masquerade random,fully-random'), dropsUnasked],
  'no-udp': () => [
    translates('masquerade'),
    dropsUnasked,
    'chain through { type filter hook forward priority 0; meta l4proto udp drop; }',
  ],
}

export const natKinds = Object.keys(kinds)

/** The rules of a router for nft. */
export const natRules = (kind, addresses) =>
  `table ip translation {\n${kinds[kind](addresses).join('\n')}\n}\n`

const ip = (place, ...commands) =>
  execFileSync('ip', ['-n', place, '-batch', '-'], { input: `${commands.join('\n')}\n` })

/** Moves what runs at `place` into `home`, a place that is already there; its address behind the router. */
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
  run(['nft', '-f', '-'], natRules(kind, { inside: at(homeHost), outside }))
  return at(homeHost)
}
