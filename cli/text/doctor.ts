/** Sentences of `doctor`: what it is like, and what to do about it. */

const because = (detail: string): string => (detail === '' ? '' : ` [${detail}]`)

/** See above. */
export const doctorText = {
  marks: { ok: 'ok  ', warning: 'note', failed: 'FAIL', unknown: '-   ' },
  late: 'no answer in time',
  engine: {
    ok: 'The engine works.',
    bad: (detail: string) =>
      `The engine can't be loaded. Install Thruflux again.${because(detail)}`,
  },
  settings: {
    ok: 'The file with the settings is fine, or there is none.',
    bad: (detail: string) =>
      `Settings in the file can't be used. See "thru config".${because(detail)}`,
  },
  addresses: (four: boolean, six: boolean) =>
    four && six
      ? 'This computer has IPv4, and IPv6 of the internet.'
      : four
        ? 'This computer has IPv4. Without IPv6 some connections need a relay.'
        : six
          ? 'This computer has IPv6 alone. Whoever has only IPv4 needs a relay to reach it.'
          : "This computer isn't connected to a network. Connect it.",
  server: {
    none: 'No signaling server is set: a code works on this computer and on your local network. Set one with --server-url or in the settings.',
    ready: (url: string) => `The signaling server at ${url} answers.`,
    insecure: (url: string) =>
      `The signaling server at ${url} answers, without encryption. Use an address with wss:// if there is one.`,
    unreachable: (url: string, detail: string) =>
      `The signaling server at ${url} can't be reached. Check the address and your connection.${because(detail)}`,
    untrusted: (url: string, detail: string) =>
      `The certificate of ${url} isn't trusted. Check the address, the clock of this computer, and who is between.${because(detail)}`,
    other: (url: string, detail: string) =>
      `What answers at ${url} is no signaling server of Thruflux. Check the address.${because(detail)}`,
    proxy: (url: string, detail: string) =>
      `The proxy on the way to ${url} can't be used. Check network.proxy in the settings, HTTPS_PROXY and ALL_PROXY.${because(detail)}`,
    malformed: (detail: string) =>
      `The address of a server or a proxy makes no sense. Correct it.${because(detail)}`,
  },
  stun: {
    none: 'No STUN server is set, so direct connections through the internet may fail, and whether UDP gets out is unknown.',
    ok: 'UDP gets out: each STUN server answers.',
    some: (servers: string) => `UDP gets out, but this STUN server doesn't answer: ${servers}`,
    blocked:
      'No STUN server answers: UDP seems to be blocked. Allow it in the firewall, or set a TURN server over TCP.',
  },
  relay: (count: number) =>
    count === 1
      ? 'A TURN server is set for when no direct way exists. It is asked only then.'
      : `${count.toString()} TURN servers are set for when no direct way exists. They are asked only then.`,
  lan: {
    ok: 'Others on your network can find what you share without a server.',
    none: 'There is no local network to be found on.',
    off: 'Being found on the local network is off.',
    some: (interfaces: string) =>
      `Others can find what you share, but not over ${interfaces}: announcements are blocked there.`,
    blocked:
      "Others on your network can't find what you share: announcements are blocked. Allow mDNS (UDP port 5353) in the firewall.",
  },
  summary: (reach: 'everywhere' | 'network' | 'internet' | 'nowhere') =>
    ({
      everywhere: 'You can reach others through the internet and on your network.',
      internet: 'You can reach others through the server, but not on your network without it.',
      network: 'You can reach others on your network, but not through the internet.',
      nowhere: "You can't reach others from here. Begin with the first line that failed.",
    })[reach],
} as const
