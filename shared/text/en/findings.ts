/** The findings of network checks: what was found, and what to do about it. */
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatList,
  formatRate,
  formatRoundTrip,
} from '#shared/format/format'
import type { Advice, FindingTexts } from '#shared/state/network-check'

const say = (what: string, remedy = ''): Advice => ({ what, remedy })

/** A detail for experts. */
const because = (detail: string): string => (detail === '' ? '' : ` [${detail}]`)

export const findings: FindingTexts = {
  engine: {
    works: () => say('The engine works.'),
    broken: ({ detail }) =>
      say("The engine can't be loaded.", `Install Thruflux again.${because(detail)}`),
  },
  settings: {
    fine: () => say('The settings file has no errors.'),
    broken: ({ detail }) =>
      say('The settings file has errors.', `Correct them in the file.${because(detail)}`),
  },
  addresses: {
    both: () => say('This computer has IPv4 and public IPv6 addresses.'),
    four: () =>
      say(
        'This computer has IPv4 but no public IPv6 address, so some connections need a relay.',
        'Turn on IPv6 in the router if your provider offers it.',
      ),
    six: () =>
      say(
        'This computer has only IPv6, so people with only IPv4 need a relay to reach it.',
        'Add a relay.',
      ),
    none: () => say("This computer isn't connected to a network.", 'Connect it.'),
  },
  proxy: {
    none: () => say('No proxy is used.'),
    works: ({ proxy }) => say(`The proxy ${proxy} answers and connects you to the server.`),
    unreachable: ({ proxy, detail }) =>
      say(
        `There's no answer from the proxy ${proxy}.`,
        `Check that it is running, and its address in network.proxy, HTTPS_PROXY or ALL_PROXY.${because(detail)}`,
      ),
    password: ({ proxy, detail }) =>
      say(
        `The proxy ${proxy} answers, but rejects the user name and password.`,
        `Correct them where the proxy's address is set.${because(detail)}`,
      ),
    refused: ({ proxy, detail }) =>
      say(
        `The proxy ${proxy} answers, but won't connect you to the server.`,
        `Check the server's address, or ask whoever runs the proxy to allow it.${because(detail)}`,
      ),
  },
  server: {
    none: () =>
      say(
        'No server is set, so codes work only on this computer and your local network.',
        'Add one to reach others.',
      ),
    ready: ({ server }) => say(`The server at ${server} answers.`),
    near: ({ server }) =>
      say(`The server at ${server} answers, but only its own network can reach it.`),
    own: ({ server }) =>
      say(`The server at ${server} answers, but only this computer can reach it at that address.`),
    insecure: ({ server }) =>
      say(
        `The server at ${server} answers, but without encryption.`,
        'Use an address with wss:// if there is one.',
      ),
    unreachable: ({ server, detail }) =>
      say(
        `The server at ${server} can't be reached.`,
        `Check the address and your connection.${because(detail)}`,
      ),
    untrusted: ({ server, detail }) =>
      say(
        `The certificate of ${server} isn't trusted.`,
        `Check the address and this computer's clock. Something may be intercepting the connection.${because(detail)}`,
      ),
    password: ({ server }) =>
      say(
        `${server} is only for people who have its password.`,
        'Ask whoever runs it, and enter the password.',
      ),
    other: ({ server, detail }) =>
      say(`${server} isn't a Thruflux server.`, `Check the address.${because(detail)}`),
    behind: ({ server }) =>
      say(
        `The server at ${server} can't be reached without the proxy.`,
        'Correct the proxy first.',
      ),
    malformed: ({ detail }) =>
      say("The address of a server or proxy isn't valid.", `Correct it.${because(detail)}`),
  },
  meeting: {
    off: () =>
      say(
        "Public meeting points aren't used, so computers on other networks need a server.",
        'Allow them, or add a server.',
      ),
    ready: ({ ready, wanted }) => say(`${ready} of ${wanted} public meeting points work.`),
    refused: ({ server, detail }) =>
      say(
        `Public meeting points refuse this computer, the last one being ${server}.`,
        `Try again later, or choose others.${because(detail)}`,
      ),
    unreachable: ({ detail }) =>
      say('No public meeting point answers.', `Check this network.${because(detail)}`),
  },
  latency: {
    short: ({ ms }) => say(`The server answers in ${formatRoundTrip(ms)}.`),
    long: ({ ms }) =>
      say(
        `The server takes ${formatRoundTrip(ms)} to answer, so connecting takes a moment longer.`,
        'Use a server closer to you if there is one.',
      ),
  },
  congestion: {
    bbr: () => say('The server passes data on to browsers with BBR.'),
    other: ({ control }) =>
      say(
        `The server passes data on to browsers with ${control.toUpperCase()}, which is slow over networks that lose packets.`,
        'Ask whoever runs it to turn on BBR.',
      ),
  },
  clock: {
    right: () => say("This computer's clock agrees with the server's."),
    off: ({ seconds }) =>
      say(
        `This computer's clock is ${formatDuration(Math.abs(seconds) * 1000)} ${seconds > 0 ? 'ahead of' : 'behind'} the server's.`,
        "Turn on automatic time in the system's settings.",
      ),
  },
  udp: {
    out: () => say('Fast connections get through (UDP).'),
    blocked: () =>
      say(
        'No STUN server answers: UDP seems to be blocked, so every connection needs a relay over TCP.',
        'Allow UDP in the firewall, or add a relay over TCP.',
      ),
    unknown: () =>
      say(
        "It's unknown whether UDP gets through, because no STUN server is set.",
        'Add one to find out.',
      ),
  },
  stun: {
    answers: ({ server, ms }) => say(`${server} answers in ${formatRoundTrip(ms)}.`),
    half: ({ server, ms, family }) =>
      say(
        `${server} answers in ${formatRoundTrip(ms)}, but not over IPv${family === 4 ? '6' : '4'}.`,
        `Check IPv${family === 4 ? '6' : '4'} in the router and on the server.`,
      ),
    silent: ({ server }) =>
      say(`${server} doesn't answer.`, 'Check its address, or use another one.'),
    nameless: ({ server }) =>
      say(`The name of ${server} can't be resolved.`, 'Check its spelling, and your DNS server.'),
  },
  nat: {
    none: () => say('No router translates your addresses, so others can reach you directly.'),
    easy: ({ filtering }) =>
      say(
        filtering === 'unknown'
          ? "Your router uses one port for all destinations, as direct connections require. Its filtering couldn't be tested with these STUN servers."
          : filtering === 'endpoint'
            ? 'Your router uses one port for all destinations and lets everyone in, so direct connections work with everyone.'
            : filtering === 'address'
              ? 'Your router uses one port for all destinations and lets in any address you have contacted. Direct connections work with everyone whose UDP gets through.'
              : 'Your router uses one port for all destinations and lets in only replies. Direct connections work unless the other router uses a different port for each destination.',
      ),
    hard: () =>
      say(
        'Your router uses a different port for each destination (symmetric NAT), so direct IPv4 connections to people behind strict routers fail.',
        'Turn on PCP or UPnP in the router, use IPv6, or add a relay.',
      ),
    unknown: () =>
      say(
        "It's unknown how your router translates ports: testing it takes two STUN servers, or one with two addresses (RFC 5780).",
        'Add another STUN server.',
      ),
  },
  ipv6: {
    works: () => say('IPv6 reaches the internet, so connections over it need no port translation.'),
    broken: () =>
      say(
        'This computer has a public IPv6 address, but gets no answers over IPv6.',
        'Check IPv6 in the router, or turn it off there.',
      ),
    none: () => say('This computer has no public IPv6 address.'),
    unknown: () =>
      say(
        "It's unknown whether IPv6 reaches the internet, because none of your STUN servers has an IPv6 address.",
        'Add one with an IPv6 address.',
      ),
  },
  relay: {
    none: () =>
      say(
        "No relay is set. If a direct connection isn't possible, the server may still offer one.",
      ),
    works: ({ server, transport, ms }) =>
      say(`The relay ${server} works over ${transport} and answers in ${formatRoundTrip(ms)}.`),
    fast: ({ server, transport, bytesPerSecond }) =>
      say(`The relay ${server} carries ${formatRate(bytesPerSecond)} over ${transport}.`),
    password: ({ server }) =>
      say(
        `The relay ${server} rejects the user name and password.`,
        'Correct them where the relay is set.',
      ),
    full: ({ server }) =>
      say(`The relay ${server} is full at the moment.`, 'Try again later, or use another one.'),
    refused: ({ server, detail }) =>
      say(
        `The relay ${server} refused the request.`,
        `Ask whoever runs it, or use another one.${because(detail)}`,
      ),
    silent: ({ server, transport, detail }) =>
      say(
        `The relay ${server} doesn't answer over ${transport}.`,
        `Check its address, and that the firewall allows ${transport}.${because(detail)}`,
      ),
    nameless: ({ server }) =>
      say(
        `The name of the relay ${server} can't be resolved.`,
        'Check its spelling, and your DNS server.',
      ),
  },
  mapping: {
    found: ({ protocols }) =>
      say(
        `The router opens ports on request (${formatList(protocols, 'and')}), so the other side can connect directly, whatever router it has.`,
      ),
    nested: ({ protocols }) =>
      say(
        `The router opens ports on request (${formatList(protocols, 'and')}), but it is behind another router or the provider's NAT, which lets no one in.`,
        'If connections are relayed, use IPv6, or switch the outer router to bridge mode.',
      ),
    none: () =>
      say(
        "The router doesn't open ports on request.",
        'If connections are relayed, turn on PCP or UPnP in it.',
      ),
    gateless: () => say('This network has no router that could open a port.'),
  },
  mtu: {
    full: ({ bytes }) => say(`Packets of full size (${formatCount(bytes)} bytes) get through.`),
    small: ({ bytes }) =>
      say(
        `Packets of up to ${formatCount(bytes)} bytes get through, as is common with a VPN or tunnel. Thruflux adapts to that.`,
      ),
    tiny: () =>
      say(
        "Packets of 1,200 bytes don't get through, and Thruflux needs that size.",
        'Raise the MTU of the VPN or tunnel to 1,280 bytes or more.',
      ),
    unknown: () => say('The maximum packet size is unknown, because no STUN server answers.'),
  },
  buffers: {
    enough: ({ receive, send }) =>
      say(
        `The socket buffers (${formatBytes(receive)} in, ${formatBytes(send)} out) are large enough for fast connections.`,
      ),
    small: ({ receive, send, wanted }) =>
      say(
        `The socket buffers (${formatBytes(receive)} in, ${formatBytes(send)} out) are too small for fast connections.`,
        `Raise the system's limits to ${formatBytes(wanted)}. On Linux: sysctl -w net.core.rmem_max=${wanted} net.core.wmem_max=${wanted}`,
      ),
    unknown: () => say("The system doesn't report the size of its socket buffers."),
  },
  firewall: {
    none: () => say('No firewall was found on this computer.'),
    seen: ({ names, allow }) =>
      say(
        `A firewall is on: ${formatList(names, 'and')}.`,
        `If another check fails, let Thruflux through: ${allow}`,
      ),
    unknown: () => say("It's unknown whether a firewall is on."),
  },
  lan: {
    heard: () => say('Others on your network can find your shares without a server.'),
    none: () => say("This computer isn't on a local network."),
    off: () => say('Visibility on the local network is turned off.'),
    some: ({ interfaces }) =>
      say(
        `Others can find your shares, but not over ${formatList(interfaces, 'and')}: announcements are blocked there.`,
        'Allow mDNS (UDP port 5353) in the firewall.',
      ),
    blocked: () =>
      say(
        "Others on your network can't find your shares: announcements are blocked.",
        'Allow mDNS (UDP port 5353) in the firewall.',
      ),
  },
}
