/** Texts of an offer and of the choices before it is received. */
import { formatBytes, formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { subject } from './person'

export const previewText: Translation<Catalogue['preview']> = {
  title: ({ name, files }) => `${subject(name)} 파일 ${formatCount(files)}개를 보내려고 해요`,
  titleOfText: ({ name, texts }) =>
    texts === 1
      ? `${subject(name)} 텍스트를 보냈어요`
      : `${subject(name)} 텍스트 ${formatCount(texts)}개를 보냈어요`,
  verifiedByCode: '코드로 확인됨',
  verifiedByNumber: '비교한 번호로 확인됨',
  verifiedByContact: '연락처에 있는 사람, 신원 확인됨',

  choose: '받을 항목 선택',
  filesWanted: ({ files, totalFiles }) =>
    `파일 ${formatCount(totalFiles)}개 중 ${formatCount(files)}개`,
  showMore: (count) => `${formatCount(count)}개 더 보기`,
  differs: '여기에 다른 버전이 있음',
  rename: {
    action: '이름 바꾸기 (F2)',
    label: (item) => `${item}의 새 이름`,
    problems: {
      empty: '이름을 입력하세요.',
      separator: '이름에는 슬래시를 쓸 수 없어요.',
      dots: '다른 이름을 고르세요.',
      long: '더 짧은 이름을 고르세요.',
      taken: '다른 항목이 이 이름을 쓰고 있어요.',
    },
  },
  previousSelection: '지난번에 선택한 항목을 받아요.',
  chooseAgain: '다시 선택',
  tooManySelections: '따로 선택한 항목이 너무 많아요. 폴더를 통째로 선택해 주세요.',

  saveTo: '저장 위치',
  checking: '폴더 확인 중',
  needed: (bytes) => `${formatBytes(bytes)} 필요`,
  freeAfter: (bytes) => `받은 뒤 ${formatBytes(bytes)} 남음`,
  short: (bytes) => `먼저 ${formatBytes(bytes)}를 비워 주세요`,
  alreadyReceived: (bytes) => `${formatBytes(bytes)} 이미 받음`,
  cautions: {
    home: '홈 폴더이거나 그보다 위에 있는 폴더예요. 따로 폴더를 만들어 쓰는 게 더 안전해요.',
    'start-up': '이 폴더나 그 안에 있는 폴더의 프로그램은 로그인할 때 시작돼요.',
    programs: '이 폴더의 프로그램이 실행돼요.',
    settings: '프로그램들이 이 폴더에서 설정을 읽어요.',
    'hidden-names':
      '점으로 시작하는 이름이 있어요. 이런 파일은 숨겨지고, 이 파일대로 동작하는 프로그램도 있어요.',
  },

  existing: (files) => `파일 ${formatCount(files)}개가 이미 있음`,
  identical: ({ files, bytes }) =>
    `${formatCount(files)}개는 같은 파일로 보임 (${formatBytes(bytes)})`,
  skipped: '건너뜀',
  different: (files) => `${formatCount(files)}개는 다른 파일`,
  updated: ({ files, bytes }) =>
    `파일 ${formatCount(files)}개를 업데이트해요 (최대 ${formatBytes(bytes)})`,
  policy: '다른 파일이 이미 있으면',
  follow: '바뀐 파일 계속 받기',
  followAbout: '이 파일을 직접 고치면 보낸 사람의 파일로 바뀌어요.',
  deletions: '보낸 사람이 지운 파일 치우기',
  deletionsAbout: '.thru-removed 폴더로 옮겨요. 직접 고친 파일은 남아요.',
  policies: {
    'update-unchanged': '고치지 않은 파일만 업데이트',
    'keep-both': '둘 다 유지',
    replace: '바꾸기',
    update: '바뀐 부분만 바꾸기',
    'replace-older': '오래된 파일만 바꾸기',
    skip: '건너뛰기',
  },
  each: {
    open: '파일마다 정하기',
    title: '파일마다 어떻게 할지 정하세요',
    here: ({ bytes, date }) => `내 파일 ${formatBytes(bytes)}, ${date}`,
    offered: ({ bytes, date }) => `새 파일 ${formatBytes(bytes)}, ${date}`,
    newer: '더 새로움',
    decided: (files) => `${formatCount(files)}개는 따로 정함`,
    unlisted: (files) => `목록에 없는 파일 ${formatCount(files)}개는 전체에 대한 선택을 따라요.`,
  },
  changedNames: (count) => `이름 ${formatCount(count)}개가 바뀌어요`,
  tooLarge: (count) => `이 디스크에 담기에 너무 큰 파일 ${formatCount(count)}개`,

  moreOptions: '추가 옵션',
  options: {
    verify: '저장한 뒤 파일 다시 확인',
    compareContent: '파일 내용 비교 (느림)',
    keepTimes: '원래 파일 시간 유지',
    makeEmptyFolders: '빈 폴더 만들기',
    portableNames: '모든 시스템에서 쓸 수 있는 이름 사용',
  },

  nothingYet: '받기를 누르기 전에는 아무것도 저장하지 않아요.',
  decline: '거절',
  later: '나중에',
  show: '보기',
  receive: (bytes) => `${formatBytes(bytes)} 받기`,
}
