/** Texts of a share: its code, its contents, and its receivers. */
import { formatBytes, formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { spelledCode } from '../names'
import { person, subject } from './person'

export const shareText: Translation<Catalogue> = {
  reach: {
    anywhere: (server) => `${server} 서버에 연결되는 모든 네트워크에서 코드를 쓸 수 있어요.`,
    met: '공개 만남 지점에서 찾을 수 있어요.',
    noServer: {
      network:
        '이 네트워크에서만 코드를 쓸 수 있어요. 다른 곳에 있는 사람에게 보내려면 서버를 추가하세요.',
      computer: '이 컴퓨터에서만 코드를 쓸 수 있어요. 다른 사람에게 보내려면 서버를 추가하세요.',
    },
    addServer: '서버 추가',
  },

  nextShare: {
    button: '옵션',
    changed: (choices) => `옵션 (${formatCount(choices)})`,
    title: '다음 공유에만',
    exclude: '제외할 것',
    excludeExample: 'drafts, *.tmp',
    alsoExcluded: (patterns) => `설정에 따라 ${patterns}도 제외해요`,
    gitignore: '.gitignore 파일이 제외하는 것은 공유하지 않기',
    reset: '설정대로',
  },

  share: {
    stopping: '공유를 멈추는 중',
    again: '다시 공유',
    stop: '공유 중지',
    more: '더 보기',
    codeHint: '참여 코드예요. 소리 내어 읽어 주거나 눌러서 복사하세요.',
    requestedNow: '방금 요청함',
    requestedAgo: (age: string) => `${age} 전에 요청함`,
    requestHint: '이 코드를 입력한 사람은 누구나 나에게 파일을 보낼 수 있어요.',
    requestWaiting: '누군가 파일을 보내기를 기다리는 중',
    requestAbout: '저장하기 전에 어떤 파일인지 먼저 볼 수 있어요.',
    requestEnded: '파일을 더 받지 않음',
    stopRequest: '요청 중지',
    answering: (code: string) => `${code}에 보내는 중`,
    answerAbout: '받을지는 상대방이 결정해요.',
    codeLabel: '참여 코드',
    codeName: (code) => `참여 코드 ${spelledCode(code)}. 복사`,
    copyCode: '코드 복사',
    newCode: '새 코드',
    chooseWords: '단어 고르기…',
    ownWords: '새 코드의 단어',
    ownWordsExample: 'apple-kayak-onion',
    ownWordsAbout:
      '직접 고른 단어는 무작위 단어보다 맞히기 쉬워요. 그래도 Thruflux가 틀린 횟수를 세고, 너무 많으면 코드를 잠가요.',
    opening: '코드를 받는 중',
    add: '추가',
    addFiles: '파일',
    addFolder: '폴더',
    addText: '텍스트',
    contents: '공유 중인 항목',
    showContents: '항목',
    remove: (name) => `${name} 제거`,
    unsendable: (count) => `보낼 수 없는 항목 ${formatCount(count)}개`,
    followed: (count) => `공유 밖의 내용을 보내는 링크 ${formatCount(count)}개`,

    counting: '파일을 세는 중',
    stillCounting: '아직 세는 중',
    sharedAgo: (duration) => `${duration} 전부터 공유 중`,
    sharedNow: '방금 공유함',
    resumedNow: '방금 다시 시작함',
    resumedAgo: (duration) => `${duration} 전에 다시 시작함`,
    excluded: (entries) => `항목 ${formatCount(entries)}개 제외`,
    textsGone: (count) => `텍스트 ${formatCount(count)}개는 더 이상 공유되지 않음`,
    noNewReceivers: '새로 받을 수 없음',

    preparing: '준비 중',
    codeFollows: '서버가 응답하면 코드가 표시돼요.',
    waiting: '누군가 코드를 입력하기를 기다리는 중',
    moreCanJoin: '나중에 다른 사람도 같은 코드로 참여할 수 있어요.',
    reconnecting: '서버에 다시 연결하는 중',
    reconnectingAbout: '진행 중인 전송은 계속돼요. 새로 참여하려면 기다려야 해요.',
    transfersContinue: '진행 중인 전송은 계속됨',
    newPeopleWait: '새로 참여하려면 기다려야 함',

    people: (count) => `${formatCount(count)}명`,
    peopleFinished: ({ finished, people }) => {
      if (finished === 0) return '다 받은 사람 없음'
      return finished === people
        ? `${formatCount(people)}명 다 받음`
        : `${formatCount(people)}명 중 ${formatCount(finished)}명 다 받음`
    },
    noOneJoined: '참여한 사람 없음',

    oneReceiver: '한 명만 받기',
    oneReceiverAbout: '누군가 참여하면 코드를 더 이상 쓸 수 없어요.',
    approve: '받기 전에 물어보기',
    approveAbout: '허락하기 전에는 아무것도 보이지 않아요.',
    watch: '최신 상태로 유지',
    watchAbout:
      '원하는 받는 사람은 여기서 파일이 바뀌면 다시 받아요. 반대 방향으로는 보내지 않아요.',
    expires: '코드 만료',
    expiresIn: (duration) => `${duration} 남았어요. 진행 중인 전송은 계속돼요.`,
    unchanged: '그대로',
    lives: { '10min': '지금부터 10분', '1h': '지금부터 1시간', '24h': '지금부터 24시간' },
    codeEndsIn: (duration) => `코드 만료까지 ${duration}`,

    maxReceivers: '받을 수 있는 최대 인원',
    acceptNew: '새로 받는 사람 허용',
    acceptNewAbout: '이미 연결된 사람에게는 영향이 없어요.',
  },

  receivers: {
    title: '받는 사람',
    count: (count) => `받는 사람 ${formatCount(count)}명`,
    totalSpeed: (rate) => `합계 ${rate}`,
    ends: (count) => `${formatCount(count)}번 참여`,
    disconnect: (name) => `${person(name)} 연결 끊기`,
    files: ({ name, isOpen }) => `${person(name)} 파일 ${isOpen ? '숨기기' : '보기'}`,
    asks: ({ name, title }) => `${subject(name)} 받기를 요청했어요: ${title}`,
    compareSafety: '누구인지 확실하지 않으면 목소리로 비교하세요',
    safety: (number) => `안전 번호 ${number}`,
    letIn: '허락',
    refuse: '거절',
    inBrowser: '브라우저에서',
    reviewing: '파일을 살펴보는 중',
    resumesWhenBack: '다시 연결되면 이어서 보냄',
    via: (relay) => `${relay} 경유`,
    amountIn: ({ bytes, duration }) => `${duration} 동안 ${formatBytes(bytes)}`,
  },
}
