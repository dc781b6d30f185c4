/** The texts of the server's web pages, in the languages of `pageLanguages`. */
import type { Language } from '#shared/language'

/** The app's complete languages. */
export const pageLanguages = ['en', 'ko'] as const satisfies readonly Language[]

/** One of them. */
export type PageLanguage = (typeof pageLanguages)[number]

/** The texts of the page at `/`; keys are placeholders in `resources/web/home.html`. */
export type HomeText = {
  readonly title: string
  readonly running: string
  readonly heading: string
  readonly lead: string
  readonly addressLabel: string
  /** Replaces an address that the request doesn't contain. */
  readonly addressUnknown: string
  /** Shown by a server with passwords. */
  readonly password: string
  readonly get: string
  readonly receiveHeading: string
  readonly receive: string
  readonly sendHeading: string
  readonly send: string
  readonly terminalHeading: string
  readonly terminal: string
  readonly facts: string
  readonly codesLabel: string
  readonly codes: (hours: number) => string
  readonly receiversLabel: string
  readonly receivers: (most: number) => string
  readonly relayLabel: string
  readonly relay: string
  readonly noRelay: string
  readonly privacyLabel: string
  readonly privacy: string
  readonly footer: string
}

export const homeTexts: { readonly [language in PageLanguage]: HomeText } = {
  en: {
    title: 'Thruflux signaling server',
    running: 'Running',
    heading: 'Files go straight from one computer to the other',
    lead: 'This Thruflux signaling server introduces the two to each other. It can’t read the files or the words of a code.',
    addressLabel: 'Address of this server, for the app and the command',
    addressUnknown: 'The address of this page, with wss: instead of https:',
    password: 'It is only for people who have its password: enter it with the address.',
    get: 'Get Thruflux',
    receiveHeading: 'Did you get a code or a link?',
    receive:
      'Click the link, then “Open in Thruflux” on the page that opens. Or open Thruflux and enter the code. You see what is offered before anything is saved.',
    sendHeading: 'Send something',
    send: 'Enter the address above in Thruflux under Settings > Network, then drop files on the window. Anyone who enters the code receives them.',
    terminalHeading: 'In a terminal',
    terminal: 'Share and receive without a window, for example in scripts:',
    facts: 'About this server',
    codesLabel: 'A code lasts',
    codes: (hours) =>
      hours >= 1 ? `up to ${hours} ${hours === 1 ? 'hour' : 'hours'}` : 'less than an hour',
    receiversLabel: 'Receivers of one share',
    receivers: (most) => (most === 1 ? 'one' : `up to ${most.toLocaleString('en')}`),
    relayLabel: 'Without a direct connection',
    relay: 'a relay forwards encrypted data',
    noRelay: 'no relay here',
    privacyLabel: 'This server sees',
    privacy: 'a number, addresses and times',
    footer: 'Files, names and sizes are encrypted from one computer to the other.',
  },
  ko: {
    title: 'Thruflux 시그널링 서버',
    running: '작동 중',
    heading: '파일은 컴퓨터에서 컴퓨터로 바로 갑니다',
    lead: '이 Thruflux 시그널링 서버는 두 컴퓨터를 서로 이어 줍니다. 서버는 파일도, 코드의 단어도 읽을 수 없습니다.',
    addressLabel: '앱과 명령에 입력할 이 서버의 주소',
    addressUnknown: '이 페이지의 주소에서 https:를 wss:로 바꾼 것',
    password: '비밀번호를 아는 사람만 쓸 수 있습니다. 주소와 함께 비밀번호를 입력하세요.',
    get: 'Thruflux 받기',
    receiveHeading: '코드나 링크를 받으셨나요?',
    receive:
      '링크를 누르고, 열리는 페이지에서 “Thruflux에서 열기”를 누르세요. 또는 Thruflux를 열고 코드를 입력하세요. 저장하기 전에 무엇을 받는지 먼저 볼 수 있습니다.',
    sendHeading: '보내기',
    send: 'Thruflux의 설정 > 네트워크에 위의 주소를 입력하고, 창에 파일을 놓으세요. 코드를 입력하는 사람이 파일을 받습니다.',
    terminalHeading: '터미널에서',
    terminal: '창 없이도, 스크립트에서도 쓸 수 있습니다.',
    facts: '이 서버에 대하여',
    codesLabel: '코드 유효 시간',
    codes: (hours) => (hours >= 1 ? `최대 ${hours}시간` : '1시간 미만'),
    receiversLabel: '공유 하나를 받는 사람',
    receivers: (most) => (most === 1 ? '한 명' : `최대 ${most.toLocaleString('ko')}명`),
    relayLabel: '직접 연결할 수 없을 때',
    relay: '릴레이가 암호화된 데이터를 전달',
    noRelay: '릴레이 없음',
    privacyLabel: '이 서버가 아는 것',
    privacy: '번호, 주소, 시각',
    footer: '파일과 이름, 크기는 컴퓨터 사이에서 암호화됩니다.',
  },
}

/** The Korean version of each text in `resources/web/join.html`; a test checks that each occurs once. */
export const joinPageKorean: readonly (readonly [english: string, korean: string])[] = [
  ['<html lang="en">', '<html lang="ko">'],
  ['<title>Thruflux join link</title>', '<title>Thruflux 참여 링크</title>'],
  ['Someone gave you a code', '받은 코드로 연결합니다'],
  [
    'Thruflux shows you what it is about before anything is saved or sent.',
    '저장하거나 보내기 전에 어떤 내용인지 Thruflux가 먼저 보여 줍니다.',
  ],
  ['>Open in Thruflux<', '>Thruflux에서 열기<'],
  ['>Copy code<', '>코드 복사<'],
  ['data-copied="Copied"', 'data-copied="복사됨"'],
  ['data-failed="Select the code to copy it"', 'data-failed="코드를 선택해서 복사하세요"'],
  ['Nothing opens?', '아무것도 열리지 않나요?'],
  [
    'Install Thruflux on this computer and open this page again, or enter the code in the app.',
    '이 컴퓨터에 Thruflux를 설치한 뒤 이 페이지를 다시 열거나, 앱에 코드를 입력하세요.',
  ],
  [
    'In a terminal: run <code>thru join</code> and paste the address of this page.',
    '터미널에서는 <code>thru join</code>을 실행하고 이 페이지의 주소를 붙여 넣으세요.',
  ],
  ['This link has no join code', '이 링크에는 코드가 없습니다'],
  [
    'A part of it may have been lost. Ask whoever sent it for the code or a new link.',
    '링크의 일부가 없어졌을 수 있습니다. 링크를 보낸 사람에게 코드나 새 링크를 요청하세요.',
  ],
  ['Enter the code in Thruflux', 'Thruflux에 코드를 입력하세요'],
  [
    "It is at the end of this page's address, after <code>#c=</code>. This page needs JavaScript to show it, because it is never sent to the server.",
    '코드는 이 페이지 주소의 끝, <code>#c=</code> 뒤에 있습니다. 코드는 서버로 전송되지 않으므로, 이 페이지에 표시하려면 JavaScript가 필요합니다.',
  ],
]
