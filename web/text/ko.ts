import { formatCount } from '#shared/format/format'
import type { WebText } from './catalogue'

export const korean: WebText = {
  title: 'Thruflux로 받기',
  heading: '누군가 파일을 공유했습니다',
  lead: '저장하기 전에 어떤 파일인지 먼저 볼 수 있습니다.',
  codeLabel: '코드',
  codeHint: '보낸 사람에게 받은 번호와 단어 세 개',
  receive: '이 브라우저에서 받기',
  openApp: 'Thruflux에서 열기',
  connecting: '보낸 사람에게 연결하는 중…',
  connectingHint: '몇 초 걸립니다.',
  awaitingApproval: '보낸 사람이 허락해야 합니다. 이 번호를 보낸 사람의 것과 비교하세요.',
  from: (sender) => `${sender} 님이 보냄`,
  fromUnnamed: '보낸 사람',
  safety: '안전 번호',
  files: (count) => `파일 ${formatCount(count)}개`,
  contents: '내용',
  more: (count) => `외 ${formatCount(count)}개`,
  accept: '받기',
  receiving: '받는 중',
  left: (time) => `${time} 남음`,
  pause: '일시 정지',
  resume: '계속',
  cancel: '취소',
  peerPaused: '보낸 사람이 일시 정지했습니다.',
  done: '모두 받았습니다',
  verified: '모든 파일을 확인했습니다. 이 페이지를 닫기 전에 필요한 파일을 저장하세요.',
  save: '저장',
  saveAs: (name) => `${name} 저장`,
  saveAll: '모두 ZIP 파일 하나로 저장',
  packing: '묶는 중…',
  problems: (count) => `파일 ${formatCount(count)}개를 받지 못했습니다.`,
  again: '다시 시도',
  memoryOnly: '이 브라우저는 파일을 메모리에 보관하므로 최대 256 MB까지 받을 수 있습니다.',
  tooLarge: '이 브라우저가 보관할 수 있는 크기를 넘습니다. 앱을 사용하세요.',
  oldBrowser:
    '이 브라우저는 너무 오래되어 파일을 받을 수 없습니다. 다른 브라우저나 앱을 사용하세요.',
  password: '이 서버의 비밀번호',
  passwordHint: (host) => `${host} 서버는 비밀번호를 아는 사람만 쓸 수 있습니다.`,
  passwordWrong: '서버가 이 비밀번호를 받아들이지 않습니다.',
  passwordRemedy: '비밀번호를 확인하거나 서버를 운영하는 사람에게 물어보세요.',
  throughServer: (rate, time) =>
    `서버는 최대 ${rate}로 전달하므로 적어도 ${time} 걸립니다. 앱이 보통 더 빠릅니다.`,
  beyondServer: (most) =>
    `서버는 브라우저에 최대 ${most}까지 전달합니다. 덜 선택하거나 앱을 사용하세요.`,
  trustServer: (host) =>
    `${host} 서버는 파일을 전달하지만 읽을 수 없습니다. 파일은 암호화되어 오고 확인됩니다. 이 페이지도 그 서버에서 왔으므로, 서버를 운영하는 사람은 페이지를 바꿀 수 있습니다. 앱은 이런 방법으로 바꿀 수 없습니다.`,
  trust:
    '이 페이지는 보낸 사람의 컴퓨터에서 왔습니다. 파일은 암호화되어 오고 확인되지만, 이 네트워크를 통제하는 사람은 페이지 자체를 바꿀 수 있습니다. 앱은 이런 방법으로 바꿀 수 없습니다.',
}
