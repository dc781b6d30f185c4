/** Texts that belong to no single screen: actions, keys, the top bar, routes, announcements. */
import { formatBytesOf, formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { isolated, spelledCode } from '../names'
import { person, subject } from './person'

export const appText: Translation<Catalogue> = {
  person: (name) => (name === '' ? '누군가' : isolated(name)),

  actions: {
    cancel: '취소',
    change: '변경',
    close: '닫기',
    collapse: '접기',
    copied: '복사됨',
    copy: '복사',
    copyFailed: '복사하지 못했어요. 직접 선택해서 복사해 주세요.',
    delete: '삭제',
    done: '완료',
    expand: '펼치기',
    open: '열기',
    pause: '일시정지',
    pauseAll: '모두 일시정지',
    resume: '계속',
    save: '저장',
    showFile: '파일 보기',
    showFolder: '폴더에서 보기',
    tryAgain: '다시 시도',
    undo: '실행 취소',
  },

  remedies: {
    'network-settings': '네트워크 설정',
    'enter-code': '코드 입력',
    'choose-files': '파일 선택',
    'choose-folder': '변경',
    'try-again': '다시 시도',
    restart: 'Thruflux 다시 시작',
    'copy-report': '보고서 복사',
  },

  lists: {
    files: (count) => `파일 ${formatCount(count)}개`,
    more: (count) => `외 ${formatCount(count)}개`,
    leftOutBySender: (count) => `보내는 사람이 제외한 항목 ${formatCount(count)}개`,
  },

  progress: {
    filesOf: ({ files, totalFiles }) =>
      `파일 ${formatCount(totalFiles)}개 중 ${formatCount(files)}개`,
    percent: (percent) => `${formatCount(percent)}퍼센트`,
    timeLeft: (duration) => `${duration} 남음`,
    received: ({ bytes, totalBytes }) => `${formatBytesOf(bytes, totalBytes)} 받음`,
    underASecond: '1초 미만',
    tryingDirect: '직접 연결 시도 중',
    resumesWithSpace: '공간이 생기면 자동으로 계속',
    resumesWithThem: '상대가 계속하면 다시 시작',
    notFinished: '끝나지 않음',
  },

  error: {
    details: '자세히',
    rows: { error: '오류', about: '대상', detail: '내용' },
  },

  safety: {
    title: '안전 번호',
    about: '전화로 번호를 맞춰 보세요. 서로 다르면 누군가 연결을 가로채고 있는 거예요.',
  },

  speed: {
    title: '속도 제한',
    upload: '업로드',
    download: '다운로드',
    none: '제한 없음',
    custom: '직접 입력',
    customUpload: '업로드 속도(MB/s)',
    customDownload: '다운로드 속도(MB/s)',
    unit: 'MB/s',
    about: '모든 전송을 합한 속도에 적용돼요.',
  },

  route: {
    local: '로컬 네트워크',
    direct: '직접 연결',
    directIpv6: '직접 연결, IPv6',
    directTcp: '직접 연결, TCP',
    relayed: '중계',
    relayedTcp: '중계, TCP',
    serverRelay: '서버 경유',
    localWhy: '로컬 네트워크로 연결됐어요.',
    directWhy: (remote) => `${remote}에 직접 연결됐어요.`,
    directTcpWhy: (remote) => `UDP가 통과하지 못해서 TCP로 ${remote}에 직접 연결됐어요.`,
    relayWhy: (relay) =>
      `직접 연결할 수 없어서 ${relay}에서 암호화된 데이터를 중계해요. 중계 서버는 내용을 읽을 수 없어요.`,
    relayOf: (relay) =>
      `${relay}에서 암호화된 데이터를 중계해요. 중계 서버는 내용을 읽을 수 없어요.`,
    serverRelayOf: (server) =>
      `다른 길이 없어서 두 컴퓨터를 이어 준 ${server} 서버에서 암호화된 데이터를 중계해요. 서버는 내용을 읽을 수 없어요. 속도는 느려요.`,
  },

  server: {
    idle: '준비됨',
    embedded: '이 컴퓨터에서 준비됨',
    network: '이 네트워크에서 준비됨',
    networkBlocked: '이 네트워크에서 찾을 수 없음',
    connected: (host) => `${host}에 연결됨`,
    insecure: (host) => `${host}에 연결됨, 암호화 안 됨`,
    unreachable: (host) => `${host}에서 응답이 없음`,
    untrusted: (host) => `${host}의 인증서를 신뢰할 수 없음`,
    closed: (host) => `${host}에 비밀번호가 필요함`,
    idleWhy: '공유하거나 코드를 입력하면 연결돼요.',
    embeddedWhy:
      '설정된 서버가 없어서 코드는 이 컴퓨터에서만 쓸 수 있어요. 설정의 네트워크에서 추가하세요.',
    networkWhy: '같은 네트워크의 컴퓨터는 코드로 공유를 찾을 수 있어요. 서버는 필요 없어요.',
    noNetworkWhy: '이 컴퓨터가 로컬 네트워크에 연결되어 있지 않아요. 연결하거나 서버를 사용하세요.',
    portWhy:
      '다른 프로그램이 이 네트워크에서 Thruflux에 필요한 포트를 쓰고 있어요. 그 프로그램을 닫거나 서버를 사용하세요.',
    multicastWhy: (url) =>
      `방화벽 등이 알림을 막고 있어요. Thruflux를 허용하거나, 코드 대신 참여 링크를 보내세요. 링크에는 이 컴퓨터의 주소 ${url}이(가) 들어 있어요.`,
    connectedWhy: (host) =>
      `${host} 서버가 두 컴퓨터를 서로 찾아 줘요. 파일이나 파일 이름은 볼 수 없어요.`,
    insecureWhy: (host) =>
      `${host} 서버와의 연결이 암호화되지 않았어요. 같은 네트워크의 다른 사람이 누가 누구와 연결하는지 보거나, 중계를 쓰거나, 연결을 방해할 수 있어요. 파일은 계속 보호돼요. wss://로 시작하는 주소가 있으면 그 주소를 사용하세요.`,
  },

  announcement: {
    codeReady: (code) => `참여 코드는 ${spelledCode(code)}이에요.`,
    codeEntered: '누군가 코드를 입력했어요.',
    connected: (name) => `${subject(name)} 연결됐어요.`,
    receiverFinished: (name) => `${subject(name)} 다 받았어요.`,
    offered: '누군가 파일을 보내려고 해요. 받을지 선택하세요.',
    offeredText: '누군가 텍스트를 보내려고 해요. 볼지 선택하세요.',
    about: (name, words) => `${name}: ${words}`,
    received: ({ title, percent }) => `${title}: ${percent.toString()}퍼센트 받음`,
    sent: ({ name, percent }) => `${person(name)}: ${percent.toString()}퍼센트 보냄`,
    codeEnds: ({ title, duration }) => `${title} 코드가 ${duration} 뒤에 만료돼요.`,
    invited: '누군가 파일을 보내려고 해요.',
    contactRequested: '누군가 나를 연락처에 추가하려고 해요.',
  },
}
