/** Reasons why two computers use a relay, in Korean. */
import type { RelayReason } from '#shared/state/app-state'
import type { Advice } from '#shared/state/network-check'

export const relayReasons: { readonly [reason in RelayReason]: Advice } = {
  'own-choice': {
    what: '중계만 쓰도록 설정해서 상대에게 내 주소가 보이지 않아요.',
    remedy: '직접 연결하려면 중계를 "필요할 때"로 바꾸세요.',
  },
  'their-choice': {
    what: '상대가 중계만 써서 나에게 상대의 주소가 보이지 않아요.',
    remedy: '상대만 바꿀 수 있어요.',
  },
  'own-udp': {
    what: '내 네트워크에서 UDP가 나가지 못해요.',
    remedy: '직접 연결하려면 방화벽에서 UDP를 허용하세요.',
  },
  'own-address': {
    what: '상대에게 내 인터넷 주소를 알려 줄 STUN 서버가 없었어요.',
    remedy: 'STUN 서버를 설정하거나 설정된 서버를 확인하세요.',
  },
  'their-address': {
    what: '연결할 수 있는 상대의 주소가 없어요. 상대 네트워크에서 UDP가 나가지 못하거나 STUN 서버가 없어요.',
    remedy: '상대에게 연결을 확인해 달라고 하세요.',
  },
  routers: {
    what: '두 공유기가 서로를 들여보내지 않아요. 적어도 한쪽이 목적지마다 다른 포트를 써요.',
    remedy: '가능하면 두 공유기에서 IPv6를 켜세요.',
  },
}
