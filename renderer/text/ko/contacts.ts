/** Texts about contacts: the list, sending to them, and their requests. */
import { formatBytes, formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { object, subject } from './person'

export const contactsText: Translation<Catalogue['contacts']> = {
  title: '연락처',
  about: '코드 없이 서로 보낼 수 있어요.',
  empty: '전송 중에 사람을 추가하세요. 그러면 코드 없이 서로 보낼 수 있어요.',
  reachable: 'Thruflux가 열려 있으면 나에게 보낼 수 있어요.',
  retrying: '지금은 나에게 연결할 수 없어요. 다시 시도하고 있어요.',
  asks: '받기 전에 물어봐요',
  savesTo: ({ directory, maxBytes }) => `${formatBytes(maxBytes)}까지 자동으로 저장: ${directory}`,
  seenToday: '오늘 접속함',
  seenYesterday: '어제 접속함',
  seenDays: (days) => `${formatCount(days)}일 전에 접속함`,
  neverSeen: '접속한 적 없음',

  people: '바로 보내기',
  sendFiles: '파일 보내기',
  sendFilesTo: (name) => `${name}에게 파일 보내기`,
  dropTo: (name) => `놓으면 ${name}에게 보내요`,

  edit: (name) => `${name} 편집`,
  name: '이름',
  groups: '그룹',
  groupsAbout: '여러 그룹은 쉼표로 구분하세요. 그룹 전체에 한 번에 보낼 수 있어요.',
  members: (count) => `연락처 ${formatCount(count)}개`,
  auto: '묻지 않고 받기',
  autoAbout: '이 연락처가 보낸 파일을 한 폴더에 저장해요. 원래 있던 파일은 절대 바꾸지 않아요.',
  folder: '폴더',
  remove: '연락처에서 제거',
  removeQuestion: (name) => `${object(name)} 제거할까요? 다시 주고받으려면 코드가 필요해요.`,
  removeNow: '제거',

  send: '연락처로 보내기',
  sendTitle: (title) => `연락처로 보내기: ${title}`,
  search: '연락처 검색',
  noneFound: '일치하는 연락처가 없어요.',
  noCode: '받는 사람은 코드가 필요 없어요.',
  otherServer: (host) => `다른 서버 사용, ${host}`,
  sendTo: (count) => `${formatCount(count)}명에게 보내기`,
  sendToNone: '보내기',

  sentTo: '보낸 연락처',
  invited: {
    notifying: '알리는 중',
    away: '오프라인',
    notified: '알림 보냄',
    joined: '연결됨',
    elsewhere: '다른 서버 사용',
    removed: '이 연락처가 나를 제거함',
  },
  needsCode: '이제 코드가 필요해요',
  notifiedLater: '온라인이 되면 알려요',
  noAnswer: '아직 응답 없음',

  invites: (name) => `${subject(name)} 파일을 보내려고 해요`,
  view: '보기',
  notNow: '나중에',
  unnamedOffer: '연락처가 보냄',

  add: '연락처에 추가',
  addName: (name) => `${object(name)} 연락처에 추가`,
  requests: (name) => `${subject(name)} 나를 연락처에 추가하려고 해요`,
  requestAbout: '추가하면 코드 없이 서로 보낼 수 있어요. 언제든지 서로를 제거할 수 있어요.',
  accept: '추가',
  decline: '거절',
  requestSent: '요청 보냄',
  isContact: '연락처',
}
