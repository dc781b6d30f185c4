/** Texts of home, the list of transfers, and the buttons that share something new. */
import { formatBytes, formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const homeText: Translation<Catalogue> = {
  home: {
    title: '파일을 여기로 끌어다 놓으세요',
    about: '참여 코드가 바로 표시돼요. 코드를 입력한 사람은 이 컴퓨터에서 파일을 받을 수 있어요.',
    send: '보내기',
    receive: '받기',
    chooseFiles: '파일 선택',
    chooseFolder: '폴더 선택',
    sendText: '텍스트 보내기',
    request: '파일 요청',
    firstTime: '두 컴퓨터에서 Thruflux를 열고, 한쪽에서 공유한 뒤 다른 쪽에서 코드를 입력하세요.',
  },

  transfers: {
    title: '전송',
    dropMore: '파일을 더 끌어다 놓아도 돼요.',
    clearFinished: '끝난 전송 지우기',
    clearing: (count) => `끝난 전송 ${formatCount(count)}개를 목록에서 지우는 중`,
    filesStay: '파일은 그대로 남아요.',
  },

  drop: {
    title: '놓으면 공유해요',
    about: '참여 코드가 바로 표시돼요.',
    aboutItems: (count) => `항목 ${formatCount(count)}개. 참여 코드가 바로 표시돼요.`,
    orAdd: '열려 있는 공유 위에 놓으면 거기에 추가돼요.',
    outside: '새로 공유하려면 카드 밖에 놓기',
    addTo: (title) => `놓으면 이 공유에 추가: ${title}`,
  },

  meetingSheet: {
    title: '이 네트워크 밖의 컴퓨터와도 연결할까요?',
    about:
      'Thruflux는 다른 사람들이 운영하는 공개 만남 지점을 쓸 수 있어요. 만남 지점은 내 인터넷 주소와 연결한 시간을 보지만 파일이나 이름, 코드의 단어는 절대 볼 수 없어요. 내 컴퓨터의 주소는 Cloudflare 서비스가 알려 줘요.',
    later: '설정 > 네트워크에서 바꿀 수 있어요.',
    use: '사용하기',
    refuse: '이 네트워크만',
  },

  textSheet: {
    title: '텍스트 보내기',
    about: '받는 사람은 화면에서 읽고 저장할 수 있어요.',
    name: '텍스트',
    placeholder: '텍스트를 입력하거나 붙여 넣으세요',
    tooLong: ({ bytes, maxBytes }) =>
      `이 텍스트는 ${formatBytes(bytes)}예요. ${formatBytes(maxBytes)}까지 보낼 수 있으니 파일로 공유해 주세요.`,
    share: '공유',
    add: '추가',
  },
  pastedImage: {
    tooLarge: ({ bytes, maxBytes }) =>
      `이 이미지는 ${formatBytes(bytes)}예요. ${formatBytes(maxBytes)}까지 붙여 넣을 수 있으니 저장한 파일을 공유해 주세요.`,
  },
}
