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

/** For experts. */
const because = (detail: string): string => (detail === '' ? '' : ` [${detail}]`)

export const findings: FindingTexts = {
  engine: {
    works: () => say('The engine works.'),
    broken: ({ detail }) =>
      say("The engine can't be loaded.", `Install Thruflux again.${because(detail)}`),
  },
  settings: {
    fine: () => say('The file with the settings is fine, or there is none.'),
    broken: ({ detail }) =>
      say("Settings in the file can't be used.", `Correct them there.${because(detail)}`),
  },
  addresses: {
    both: () => say('This computer has IPv4, and IPv6 of the internet.'),
    four: () =>
      say(
        'This computer has IPv4, but no IPv6 of the internet, so some connections need a relay.',
        'Turn on IPv6 in the router if your provider has it.',
      ),
    six: () =>
      say(
        'This computer has IPv6 only, so anyone with IPv4 only needs a relay to reach it.',
        'Set a TURN server.',
      ),
    none: () => say("This computer isn't connected to a network.", 'Connect it.'),
  },
  proxy: {
    none: () => say('No proxy is used.'),
    works: ({ proxy }) => say(`The proxy ${proxy} answers, and lets you through to the server.`),
    unreachable: ({ proxy, detail }) =>
      say(
        `There's no answer from the proxy ${proxy}.`,
        `Check network.proxy in the settings, HTTPS_PROXY and ALL_PROXY, and that it runs.${because(detail)}`,
      ),
    password: ({ proxy, detail }) =>
      say(
        `The proxy ${proxy} answers, but doesn't take the user name and password.`,
        `Correct them where its address is set.${because(detail)}`,
      ),
    refused: ({ proxy, detail }) =>
      say(
        `The proxy ${proxy} answers, but doesn't connect you to the server.`,
        `Check the server's address, or ask whoever runs the proxy to allow it.${because(detail)}`,
      ),
  },
  server: {
    none: () =>
      say(
        'No signaling server is set: a code works on this computer and on your local network.',
        'Set one in the settings.',
      ),
    ready: ({ server }) => say(`The signaling server at ${server} answers.`),
    near: ({ server }) =>
      say(`The signaling server at ${server} answers. Only its own network reaches it.`),
    own: ({ server }) =>
      say(`The signaling server at ${server} answers. Only this computer reaches it there.`),
    insecure: ({ server }) =>
      say(
        `The signaling server at ${server} answers, without encryption.`,
        'Use an address with wss:// if there is one.',
      ),
    unreachable: ({ server, detail }) =>
      say(
        `The signaling server at ${server} can't be reached.`,
        `Check the address and your connection.${because(detail)}`,
      ),
    untrusted: ({ server, detail }) =>
      say(
        `The certificate of ${server} isn't trusted.`,
        `Check the address, the clock of this computer, and who is between.${because(detail)}`,
      ),
    password: ({ server }) =>
      say(
        `${server} is only for people who have its password.`,
        'Ask whoever runs it, and enter the password in the settings.',
      ),
    other: ({ server, detail }) =>
      say(
        `What answers at ${server} is no signaling server of Thruflux.`,
        `Check the address.${because(detail)}`,
      ),
    behind: ({ server }) =>
      say(
        `The signaling server at ${server} can't be reached without the proxy.`,
        'Correct the proxy first.',
      ),
    malformed: ({ detail }) =>
      say('The address of a server or a proxy makes no sense.', `Correct it.${because(detail)}`),
  },
  latency: {
    short: ({ ms }) => say(`The signaling server answers in ${formatRoundTrip(ms)}.`),
    long: ({ ms }) =>
      say(
        `The signaling server takes ${formatRoundTrip(ms)} to answer, so connecting takes a moment longer.`,
        'Use a server closer to you if there is one.',
      ),
  },
  clock: {
    right: () => say("This computer's clock agrees with the server's."),
    off: ({ seconds }) =>
      say(
        `This computer's clock is ${formatDuration(Math.abs(seconds) * 1000)} ${seconds > 0 ? 'ahead of' : 'behind'} the server's.`,
        'Let the system set its clock over the network.',
      ),
  },
  udp: {
    out: () => say('UDP gets out.'),
    blocked: () =>
      say(
        'No STUN server answers: UDP seems to be blocked, so every connection needs a relay over TCP.',
        'Allow UDP in the firewall, or set a TURN server over TCP.',
      ),
    unknown: () =>
      say(
        'Whether UDP gets out is unknown, because no STUN server is set.',
        'Set one in the settings.',
      ),
  },
  stun: {
    answers: ({ server, ms }) => say(`${server} answers in ${formatRoundTrip(ms)}.`),
    half: ({ server, ms, family }) =>
      say(
        `${server} answers in ${formatRoundTrip(ms)}, but not over IPv${family === 4 ? '6' : '4'}.`,
        `Check IPv${family === 4 ? '6' : '4'} in the router and at the server.`,
      ),
    silent: ({ server }) =>
      say(`${server} doesn't answer.`, 'Check its address, or use another one.'),
    nameless: ({ server }) =>
      say(`The name of ${server} has no address.`, 'Check its spelling, and your name server.'),
  },
  nat: {
    none: () => say('No router translates your addresses: others can reach you directly.'),
    easy: ({ filtering }) =>
      say(
        filtering === 'unknown'
          ? 'Your router keeps one port for all destinations, which direct connections need; whom it lets in is unknown, as no STUN server here can test it.'
          : filtering === 'endpoint'
            ? 'Your router keeps one port for all destinations and lets everyone in: direct connections work with everyone.'
            : filtering === 'address'
              ? 'Your router keeps one port for all destinations and lets in whoever was written to: direct connections work with everyone whose UDP gets out.'
              : 'Your router keeps one port for all destinations and lets in only answers: direct connections work unless the other router gives each destination its own port.',
      ),
    hard: () =>
      say(
        'Your router gives each destination its own port (a symmetric NAT), so direct connections over IPv4 fail with people behind strict routers.',
        'Turn on PCP or UPnP in the router, use IPv6, or set a TURN server.',
      ),
    unknown: () =>
      say(
        'How your router translates ports is unknown: that takes two STUN servers, or one with two addresses (RFC 5780).',
        'Set another STUN server.',
      ),
  },
  ipv6: {
    works: () => say('IPv6 reaches the internet: with others who have it, no port is translated.'),
    broken: () =>
      say(
        'This computer has IPv6 of the internet, but nothing answers over it.',
        'Check IPv6 in the router, or turn it off there.',
      ),
    none: () => say('This computer has no IPv6 of the internet.'),
    unknown: () =>
      say(
        'Whether IPv6 reaches the internet is unknown: no STUN server that is set has an IPv6 address.',
        'Set one that has.',
      ),
  },
  relay: {
    none: () =>
      say(
        'No TURN server is set: where no direct way exists, the signaling server may still offer one.',
      ),
    works: ({ server, transport, ms }) =>
      say(`The relay ${server} works over ${transport} and answers in ${formatRoundTrip(ms)}.`),
    fast: ({ server, transport, bytesPerSecond }) =>
      say(`The relay ${server} carries ${formatRate(bytesPerSecond)} over ${transport}.`),
    password: ({ server }) =>
      say(
        `The relay ${server} doesn't take the user name and password.`,
        'Correct them where it is set.',
      ),
    full: ({ server }) =>
      say(`The relay ${server} has no room at the moment.`, 'Try again later, or use another one.'),
    refused: ({ server, detail }) =>
      say(
        `The relay ${server} refuses to be used.`,
        `Ask whoever runs it, or use another one.${because(detail)}`,
      ),
    silent: ({ server, transport, detail }) =>
      say(
        `The relay ${server} doesn't answer over ${transport}.`,
        `Check its address, and whether the firewall lets ${transport} through.${because(detail)}`,
      ),
    nameless: ({ server }) =>
      say(
        `The name of the relay ${server} has no address.`,
        'Check its spelling, and your name server.',
      ),
  },
  mapping: {
    found: ({ protocols }) =>
      say(
        `The router opens ports when it is asked to (${formatList(protocols, 'and')}): the other side can connect directly, whatever router it has.`,
      ),
    nested: ({ protocols }) =>
      say(
        `The router opens ports when it is asked to (${formatList(protocols, 'and')}), but it is behind another router or the provider's NAT, which lets nobody in.`,
        'If connections are relayed, use IPv6, or let the outer router only pass the connection on (bridge mode).',
      ),
    none: () =>
      say(
        "The router doesn't open ports when it is asked to.",
        'Turn on PCP or UPnP in it if connections are relayed.',
      ),
    gateless: () => say('There is no router on this network that could open a port.'),
  },
  mtu: {
    full: ({ bytes }) =>
      say(`Datagrams of ${formatCount(bytes)} bytes get through: packets have their full size.`),
    small: ({ bytes }) =>
      say(
        `Datagrams of up to ${formatCount(bytes)} bytes get through, as behind a VPN or a tunnel; Thruflux adapts to that.`,
      ),
    tiny: () =>
      say(
        'Datagrams of 1,200 bytes are lost on the way, and Thruflux needs that size.',
        'Raise the MTU of the VPN or tunnel to 1,280 bytes or more.',
      ),
    unknown: () =>
      say('How large packets may be is unknown, because no STUN server answers to tell.'),
  },
  buffers: {
    enough: ({ receive, send }) =>
      say(
        `The system lets ${formatBytes(receive)} wait to be received and ${formatBytes(send)} to be sent: enough for fast lines.`,
      ),
    small: ({ receive, send, wanted }) =>
      say(
        `The system lets only ${formatBytes(receive)} wait to be received and ${formatBytes(send)} to be sent, which can slow down fast lines.`,
        `Raise its limits to ${formatBytes(wanted)}; on Linux: sysctl -w net.core.rmem_max=${wanted} net.core.wmem_max=${wanted}`,
      ),
    unknown: () => say("The system doesn't say how much may wait in a socket."),
  },
  firewall: {
    none: () => say('No firewall was found on this computer.'),
    seen: ({ names, allow }) =>
      say(
        `A firewall is on: ${formatList(names, 'and')}.`,
        `If something else here fails, let Thruflux through: ${allow}`,
      ),
    unknown: () => say("Whether a firewall is on can't be seen from here."),
  },
  lan: {
    heard: () => say('Others on your network can find what you share without a server.'),
    none: () => say('There is no local network to be found on.'),
    off: () => say('Being found on the local network is off.'),
    some: ({ interfaces }) =>
      say(
        `Others can find what you share, but not over ${formatList(interfaces, 'and')}: announcements are blocked there.`,
        'Allow mDNS (UDP port 5353) in the firewall.',
      ),
    blocked: () =>
      say(
        "Others on your network can't find what you share: announcements are blocked.",
        'Allow mDNS (UDP port 5353) in the firewall.',
      ),
  },
}
