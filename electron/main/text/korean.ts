/** The main process in Korean. */
import { formatCount, formatRate } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { MainText } from './catalogue'

const transfers = (count: number): string => `전송 ${formatCount(count)}개`

const someone = '누군가'

/** After 님 the particles don't depend on the name's last sound. */
const subject = (name: string): string => (name === someone ? '누군가가' : `${name}님이`)

export const korean: Translation<MainText> = {
  dialogs: {
    share: '공유',
    saveHere: '여기에 저장',
    unnamedText: '텍스트',
    pastedImage: ({ date, time }) => `붙여넣은 이미지 ${date} ${time}`,
  },
  tray: {
    idle: '전송 없음',
    moving: ({ count, upload, download }) =>
      [
        transfers(count),
        ...(upload > 0 ? [`↑ ${formatRate(upload)}`] : []),
        ...(download > 0 ? [`↓ ${formatRate(download)}`] : []),
      ].join(' · '),
    still: (count) => `${transfers(count)} · 일시정지됨`,
    tooltip: (status) => `Thruflux · ${status}`,
    open: 'Thruflux 열기',
    shareFiles: '파일 공유…',
    pauseAll: '모두 일시정지',
    resumeAll: '모두 계속',
    quit: 'Thruflux 종료',
  },
  menu: {
    file: '파일',
    edit: '편집',
    view: '보기',
    window: '윈도우',
    help: '도움말',
    shareFolder: '폴더 공유…',
    enterCode: '코드 입력',
    closeWindow: '창 닫기',
    shortcuts: '키보드 단축키',
    copyReport: '문제 보고서 복사',
    licenses: '라이선스',
    about: 'Thruflux 정보',
  },
  notices: {
    someone,
    separator: ' · ',
    joined: (name) => `${subject(name)} 공유에 참여했어요`,
    manyJoined: (count) => `${formatCount(count)}명이 공유에 참여했어요`,
    asks: (name) => `${subject(name)} 받기를 요청했어요`,
    manyAsk: (count) => `${formatCount(count)}명이 받기를 요청했어요`,
    theyHaveAll: (name) => `${subject(name)} 다 받았어요`,
    theyFinished: (name) => `${subject(name)} 받기를 마쳤어요`,
    manyFinished: (count) => `${formatCount(count)}명이 받기를 마쳤어요`,
    received: (title) => `받음: ${title}`,
    nothingNew: (title) => `새것 없음: ${title}`,
    receivedAbout: ({ from, amount }) =>
      `${from === someone ? someone : `${from}님`}에게서 ${amount}`,
    manyReceived: (count) => `${transfers(count)} 완료`,
    offered: (name) => `${subject(name)} 파일을 보내려고 해요`,
    offeredText: (name) => `${subject(name)} 텍스트를 보내려고 해요`,
    manyOffered: (count) => `받을지 선택할 전송이 ${formatCount(count)}개 있어요`,
    theyFailed: (name) =>
      `${name === someone ? '상대' : `${name}님`}에게 보내던 전송이 중간에 끝났어요`,
    shareFailed: '공유가 끝났어요',
    failed: '전송하지 못했어요',
    interrupted: '전송이 중단됐어요',
    failedAbout: ({ title, what }) => `${title} · ${what}`,
    manyFailed: (count) => `${transfers(count)}가 중간에 끝났어요`,
  },
  closing: {
    staysInTray: 'Thruflux는 트레이에서 계속 실행돼요',
    staysInTrayAbout:
      '공유에 계속 참여할 수 있고 전송도 이어져요. 트레이 아이콘을 누르면 창이 다시 열려요. 설정에서 바꿀 수 있어요.',
    keepRunning: '계속 실행',
    noTray: 'Thruflux를 넣어 둘 트레이가 없어요',
    noTrayAbout:
      '공유와 전송을 계속하려면 창을 최소화하세요. 종료하면 공유가 끝나고, 중단된 받기는 나중에 이어서 받을 수 있어요.',
    minimize: '최소화',
    running: (count) => `${transfers(count)}가 진행 중이에요`,
    interrupted: '받던 파일은 나중에 이어서 받을 수 있어요. 공유는 연결된 모든 사람에게서 끝나요.',
    suspended:
      '받던 파일은 나중에 이어서 받을 수 있어요. 공유는 다음에 시작하면 돌아오고, 받는 사람도 다시 연결돼요.',
    quit: '종료',
    cancel: '취소',
  },
}
