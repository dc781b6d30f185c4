/** 전송 연결의 문구. */
import { formatBytes } from '#shared/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '..'

export const connectionText: Translation<Catalogue['connection']> = {
  title: '연결과 기록',
  protocol: '프로토콜',
  protocolOf: ({ family, transport }) =>
    `${transport === 'udp' ? 'UDP' : 'TCP'}, IPv${family.toString()}`,
  address: '주소',
  relay: '릴레이',
  buffers: '소켓 버퍼',
  buffersOf: ({ receive, send }) => `수신 ${formatBytes(receive)}, 송신 ${formatBytes(send)}`,
  copyLog: '기록 복사',
  logAbout: '기록에는 파일과 사람의 이름, 주소가 들어 있어요. 코드와 키는 들어 있지 않아요.',
}
