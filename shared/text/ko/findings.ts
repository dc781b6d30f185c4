/** The findings of network checks in Korean. Foreign names precede a colon, so that no particle depends on them. */
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
    works: () => say('엔진이 작동해요.'),
    broken: ({ detail }) =>
      say('엔진을 불러올 수 없어요.', `Thruflux를 다시 설치하세요.${because(detail)}`),
  },
  settings: {
    fine: () => say('설정 파일에 문제가 없거나 설정 파일이 없어요.'),
    broken: ({ detail }) =>
      say('설정 파일에 쓸 수 없는 설정이 있어요.', `파일에서 고치세요.${because(detail)}`),
  },
  addresses: {
    both: () => say('이 컴퓨터에 IPv4와 인터넷 IPv6 주소가 있어요.'),
    four: () =>
      say(
        '이 컴퓨터에 IPv4는 있지만 인터넷 IPv6 주소가 없어서 일부 연결에는 중계가 필요해요.',
        '통신사가 지원하면 공유기에서 IPv6를 켜세요.',
      ),
    six: () =>
      say(
        '이 컴퓨터에는 IPv6만 있어서 IPv4만 쓰는 사람과는 중계가 필요해요.',
        '중계 서버를 설정하세요.',
      ),
    none: () => say('이 컴퓨터가 네트워크에 연결되어 있지 않아요.', '네트워크에 연결하세요.'),
  },
  proxy: {
    none: () => say('프록시를 쓰지 않아요.'),
    works: ({ proxy }) => say(`프록시 ${proxy}: 응답하고 서버까지 연결해 줘요.`),
    unreachable: ({ proxy, detail }) =>
      say(
        `프록시 ${proxy}: 응답이 없어요.`,
        `설정의 network.proxy, HTTPS_PROXY, ALL_PROXY와 프록시가 실행 중인지 확인하세요.${because(detail)}`,
      ),
    password: ({ proxy, detail }) =>
      say(
        `프록시 ${proxy}: 사용자 이름과 비밀번호를 받아들이지 않아요.`,
        `프록시 주소를 설정한 곳에서 고치세요.${because(detail)}`,
      ),
    refused: ({ proxy, detail }) =>
      say(
        `프록시 ${proxy}: 서버에 연결해 주지 않아요.`,
        `서버 주소를 확인하거나 프록시 관리자에게 허용을 요청하세요.${because(detail)}`,
      ),
  },
  server: {
    none: () =>
      say(
        '설정된 서버가 없어요. 코드는 이 컴퓨터와 로컬 네트워크에서만 통해요.',
        '다른 네트워크와 연결하려면 서버를 추가하세요.',
      ),
    ready: ({ server }) => say(`서버 ${server}: 응답해요.`),
    near: ({ server }) =>
      say(`서버 ${server}: 응답해요. 그 서버가 있는 네트워크에서만 연결할 수 있어요.`),
    own: ({ server }) =>
      say(`서버 ${server}: 응답해요. 이 주소로는 이 컴퓨터에서만 연결할 수 있어요.`),
    insecure: ({ server }) =>
      say(`서버 ${server}: 응답하지만 암호화되지 않아요.`, '가능하면 wss:// 주소를 쓰세요.'),
    unreachable: ({ server, detail }) =>
      say(
        `서버 ${server}: 연결할 수 없어요.`,
        `주소와 인터넷 연결을 확인하세요.${because(detail)}`,
      ),
    untrusted: ({ server, detail }) =>
      say(
        `서버 ${server}: 인증서를 믿을 수 없어요.`,
        `주소와 이 컴퓨터의 시계, 그리고 중간에 누가 있는지 확인하세요.${because(detail)}`,
      ),
    password: ({ server }) =>
      say(
        `서버 ${server}: 비밀번호를 아는 사람만 쓸 수 있어요.`,
        '서버 관리자에게 비밀번호를 물어보고 설정에서 입력하세요.',
      ),
    other: ({ server, detail }) =>
      say(
        `${server}: 응답은 있지만 Thruflux 서버가 아니에요.`,
        `주소를 확인하세요.${because(detail)}`,
      ),
    behind: ({ server }) =>
      say(`서버 ${server}: 프록시 없이는 연결할 수 없어요.`, '먼저 프록시 설정을 고치세요.'),
    malformed: ({ detail }) =>
      say('서버나 프록시의 주소가 올바르지 않아요.', `주소를 고치세요.${because(detail)}`),
  },
  meeting: {
    off: () =>
      say(
        '공개 만남 지점을 쓰지 않아서 다른 네트워크의 컴퓨터와는 서버가 필요해요.',
        '설정 > 네트워크나 --meeting으로 허용하세요.',
      ),
    ready: ({ ready, wanted }) => say(`공개 만남 지점 ${wanted}곳 중 ${ready}곳을 쓸 수 있어요.`),
    refused: ({ server, detail }) =>
      say(
        `공개 만남 지점이 이 컴퓨터를 거부해요. 마지막은 ${server}였어요.`,
        `나중에 다시 해 보거나 다른 곳을 지정하세요.${because(detail)}`,
      ),
    unreachable: ({ detail }) =>
      say('응답하는 공개 만남 지점이 없어요.', `이 네트워크를 확인하세요.${because(detail)}`),
  },
  latency: {
    short: ({ ms }) => say(`서버가 ${formatRoundTrip(ms)} 만에 응답해요.`),
    long: ({ ms }) =>
      say(
        `서버가 응답하는 데 ${formatRoundTrip(ms)} 걸려서 연결이 조금 늦어져요.`,
        '가능하면 더 가까운 서버를 쓰세요.',
      ),
  },
  congestion: {
    bbr: () => say('서버가 브라우저에 BBR로 데이터를 전달해요.'),
    other: ({ control }) =>
      say(
        `서버가 브라우저에 ${control.toUpperCase()}로 데이터를 전달해서, 패킷이 손실되는 네트워크에서는 느려요.`,
        '서버를 운영하는 사람에게 BBR을 켜 달라고 하세요.',
      ),
  },
  clock: {
    right: () => say('이 컴퓨터의 시계가 서버와 맞아요.'),
    off: ({ seconds }) =>
      say(
        `이 컴퓨터의 시계가 서버보다 ${formatDuration(Math.abs(seconds) * 1000)} ${seconds > 0 ? '빨라요' : '느려요'}.`,
        '시스템에서 시간을 자동으로 맞추도록 설정하세요.',
      ),
  },
  udp: {
    out: () => say('빠른 연결(UDP)이 밖으로 나가요.'),
    blocked: () =>
      say(
        '응답하는 STUN 서버가 없어요. UDP가 막힌 것 같아서 모든 연결에 TCP 중계가 필요해요.',
        '방화벽에서 UDP를 허용하거나 TCP 중계 서버를 설정하세요.',
      ),
    unknown: () =>
      say('설정된 STUN 서버가 없어서 UDP가 나가는지 알 수 없어요.', '알아보려면 추가하세요.'),
  },
  stun: {
    answers: ({ server, ms }) => say(`${server}: ${formatRoundTrip(ms)} 만에 응답해요.`),
    half: ({ server, ms, family }) =>
      say(
        `${server}: ${formatRoundTrip(ms)} 만에 응답하지만 IPv${family === 4 ? '6' : '4'}로는 응답이 없어요.`,
        `공유기와 서버의 IPv${family === 4 ? '6' : '4'}를 확인하세요.`,
      ),
    silent: ({ server }) =>
      say(`${server}: 응답이 없어요.`, '주소를 확인하거나 다른 서버를 쓰세요.'),
    nameless: ({ server }) =>
      say(`${server}: 이름의 주소를 찾을 수 없어요.`, '철자와 네임 서버를 확인하세요.'),
  },
  nat: {
    none: () => say('주소를 바꾸는 공유기가 없어서 다른 사람이 바로 연결할 수 있어요.'),
    easy: ({ filtering }) =>
      say(
        filtering === 'unknown'
          ? '공유기가 모든 목적지에 같은 포트를 써서 직접 연결하기 좋아요. 누구를 들여보내는지는 확인할 수 있는 STUN 서버가 없어서 알 수 없어요.'
          : filtering === 'endpoint'
            ? '공유기가 모든 목적지에 같은 포트를 쓰고 누구나 들여보내요. 누구와도 직접 연결할 수 있어요.'
            : filtering === 'address'
              ? '공유기가 모든 목적지에 같은 포트를 쓰고 먼저 연락한 상대를 들여보내요. UDP가 되는 사람과는 누구와도 직접 연결할 수 있어요.'
              : '공유기가 모든 목적지에 같은 포트를 쓰고 응답만 들여보내요. 상대 공유기가 목적지마다 다른 포트를 쓰지 않으면 직접 연결할 수 있어요.',
      ),
    hard: () =>
      say(
        '공유기가 목적지마다 다른 포트를 써서(대칭형 NAT) 엄격한 공유기를 쓰는 사람과는 IPv4로 직접 연결할 수 없어요.',
        '공유기에서 PCP나 UPnP를 켜거나, IPv6를 쓰거나, 중계 서버를 설정하세요.',
      ),
    unknown: () =>
      say(
        '공유기가 포트를 어떻게 바꾸는지 알 수 없어요. STUN 서버가 두 개이거나 주소가 두 개인 서버(RFC 5780)가 있어야 해요.',
        'STUN 서버를 하나 더 설정하세요.',
      ),
  },
  ipv6: {
    works: () => say('IPv6가 인터넷에 연결돼요. IPv6가 있는 사람과는 포트가 바뀌지 않아요.'),
    broken: () =>
      say(
        '이 컴퓨터에 인터넷 IPv6 주소가 있지만 응답이 없어요.',
        '공유기의 IPv6를 확인하거나 끄세요.',
      ),
    none: () => say('이 컴퓨터에는 인터넷 IPv6 주소가 없어요.'),
    unknown: () =>
      say(
        '설정된 STUN 서버 중에 IPv6 주소가 있는 서버가 없어서 IPv6가 되는지 알 수 없어요.',
        'IPv6 주소가 있는 서버를 설정하세요.',
      ),
  },
  relay: {
    none: () => say('설정된 중계 서버가 없어요. 직접 연결할 수 없으면 서버가 알려 줄 수도 있어요.'),
    works: ({ server, transport, ms }) =>
      say(`중계 서버 ${server}: ${transport}로 쓸 수 있고 ${formatRoundTrip(ms)} 만에 응답해요.`),
    fast: ({ server, transport, bytesPerSecond }) =>
      say(`중계 서버 ${server}: ${transport}로 ${formatRate(bytesPerSecond)} 전달해요.`),
    password: ({ server }) =>
      say(
        `중계 서버 ${server}: 사용자 이름과 비밀번호를 받아들이지 않아요.`,
        '설정한 곳에서 고치세요.',
      ),
    full: ({ server }) =>
      say(
        `중계 서버 ${server}: 지금은 자리가 없어요.`,
        '나중에 다시 해 보거나 다른 서버를 쓰세요.',
      ),
    refused: ({ server, detail }) =>
      say(
        `중계 서버 ${server}: 사용을 거절해요.`,
        `관리자에게 물어보거나 다른 서버를 쓰세요.${because(detail)}`,
      ),
    silent: ({ server, transport, detail }) =>
      say(
        `중계 서버 ${server}: ${transport}로 응답이 없어요.`,
        `주소와 방화벽의 ${transport} 허용을 확인하세요.${because(detail)}`,
      ),
    nameless: ({ server }) =>
      say(`중계 서버 ${server}: 이름의 주소를 찾을 수 없어요.`, '철자와 네임 서버를 확인하세요.'),
  },
  mapping: {
    found: ({ protocols }) =>
      say(
        `공유기가 요청하면 포트를 열어 줘요(${formatList(protocols, 'and')}). 상대 공유기가 어떤 것이든 직접 연결할 수 있어요.`,
      ),
    nested: ({ protocols }) =>
      say(
        `공유기가 요청하면 포트를 열어 주지만(${formatList(protocols, 'and')}), 다른 공유기나 통신사 NAT 뒤에 있어서 밖에서 들어올 수 없어요.`,
        '연결이 중계되면 IPv6를 쓰거나 바깥쪽 공유기를 브리지 모드로 바꾸세요.',
      ),
    none: () =>
      say(
        '공유기가 요청해도 포트를 열어 주지 않아요.',
        '연결이 중계되면 공유기에서 PCP나 UPnP를 켜세요.',
      ),
    gateless: () => say('이 네트워크에는 포트를 열 수 있는 공유기가 없어요.'),
  },
  mtu: {
    full: ({ bytes }) =>
      say(`${formatCount(bytes)}바이트 데이터그램이 지나가요. 패킷 크기에 문제가 없어요.`),
    small: ({ bytes }) =>
      say(
        `VPN이나 터널처럼 ${formatCount(bytes)}바이트까지의 데이터그램이 지나가요. Thruflux가 여기에 맞춰요.`,
      ),
    tiny: () =>
      say(
        'Thruflux에 필요한 1,200바이트 데이터그램이 중간에 사라져요.',
        'VPN이나 터널의 MTU를 1,280바이트 이상으로 올리세요.',
      ),
    unknown: () => say('응답하는 STUN 서버가 없어서 패킷이 얼마나 클 수 있는지 알 수 없어요.'),
  },
  buffers: {
    enough: ({ receive, send }) =>
      say(
        `시스템이 받기 ${formatBytes(receive)}, 보내기 ${formatBytes(send)} 버퍼를 줘요. 빠른 회선에 충분해요.`,
      ),
    small: ({ receive, send, wanted }) =>
      say(
        `시스템이 받기 ${formatBytes(receive)}, 보내기 ${formatBytes(send)} 버퍼만 줘서 빠른 회선이 느려질 수 있어요.`,
        `한도를 ${formatBytes(wanted)}로 올리세요. Linux: sysctl -w net.core.rmem_max=${wanted} net.core.wmem_max=${wanted}`,
      ),
    unknown: () => say('시스템이 소켓 버퍼 크기를 알려 주지 않아요.'),
  },
  firewall: {
    none: () => say('이 컴퓨터에서 방화벽을 찾지 못했어요.'),
    seen: ({ names, allow }) =>
      say(
        `방화벽이 켜져 있어요: ${formatList(names, 'and')}.`,
        `여기서 다른 것이 안 되면 Thruflux를 허용하세요: ${allow}`,
      ),
    unknown: () => say('방화벽이 켜져 있는지 여기서는 알 수 없어요.'),
  },
  lan: {
    heard: () => say('같은 네트워크의 다른 사람이 서버 없이 공유를 찾을 수 있어요.'),
    none: () => say('연결된 로컬 네트워크가 없어요.'),
    off: () => say('로컬 네트워크에서 보이기가 꺼져 있어요.'),
    some: ({ interfaces }) =>
      say(
        `다른 사람이 공유를 찾을 수 있지만 ${formatList(interfaces, 'and')}에서는 알림이 막혀 있어요.`,
        '방화벽에서 mDNS(UDP 포트 5353)를 허용하세요.',
      ),
    blocked: () =>
      say(
        '알림이 막혀 있어서 같은 네트워크의 다른 사람이 공유를 찾을 수 없어요.',
        '방화벽에서 mDNS(UDP 포트 5353)를 허용하세요.',
      ),
  },
}
