/** 전송 연결의 문구. */
import { formatBytes, formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const connectionText: Translation<Catalogue['connection']> = {
  title: '연결과 기록',
  log: '기록',
  protocol: '프로토콜',
  protocolOf: ({ family, transport }) =>
    `${transport === 'udp' ? 'UDP' : 'TCP'}, IPv${family.toString()}`,
  address: '주소',
  relay: '릴레이',
  buffers: '소켓 버퍼',
  buffersOf: ({ receive, send }) => `수신 ${formatBytes(receive)}, 송신 ${formatBytes(send)}`,
  roundTrip: '왕복 시간',
  lost: '잃은 패킷',
  late: '그중 늦게 도착함',
  pace: '최대 송신 속도',
  underWay: '전송 중',
  compressionSaved: '압축으로 줄인 양',
  datagrams: '패킷 크기',
  datagramsOf: (bytes) => `${formatCount(bytes)}바이트`,
  limits: {
    network: '네트워크',
    receiver: '상대 컴퓨터',
    memory: '전송 중인 데이터를 위한 메모리',
    peer: '상대 컴퓨터를 기다리는 시간',
    sender: '상대 컴퓨터나 네트워크',
    disk: '이 컴퓨터의 디스크',
    application: '아직 보낼 것이 없음',
    paused: '일시 정지',
    limit: '속도 제한',
    socket: '이 컴퓨터의 네트워크 어댑터',
    processor: '이 컴퓨터의 프로세서',
  },
  limitedPart: (what, percent) => `${what}(${percent})`,
  limitedBy: (parts) => `속도를 정하는 것: ${parts.join(', ')}.`,
  copyLog: '기록 복사',
  logAbout: '기록에는 파일과 사람의 이름, 주소가 들어 있어요. 코드와 키는 들어 있지 않아요.',
}
