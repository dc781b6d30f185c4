/** Texts about codes and links where people enter and see them. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const codeText: Translation<Catalogue> = {
  codeField: {
    label: '코드가 있나요? 입력하거나 붙여 넣으세요.',
    name: '참여 코드',
    placeholder: '코드 입력',
    join: '참여',
    resumes: (title) => `이어서 받으려면 코드를 다시 입력하세요: ${title}`,
    startOver: '처음부터 받기',
    fromLink: '링크에서 가져온 코드예요. Enter를 누르면 참여해요.',
    fromLinkVia: (server) =>
      `${server} 서버를 사용하는 링크에서 가져온 코드예요. Enter를 누르면 참여해요.`,
    useServer: '사용',
    newServer:
      '두 컴퓨터가 서로를 찾도록 도와줄 뿐, 주고받는 내용은 읽을 수 없어요. 링크를 보낸 사람을 믿을 수 있을 때만 사용하세요.',
    newServerNearby:
      '인터넷이 아니라 내 네트워크나 이 컴퓨터에 있는 서버예요. 링크를 보낸 사람에게서 그렇게 들었을 때만 사용하세요.',
    wrongWord: (word) => `"${word}": 참여 코드에 쓰지 않는 단어예요.`,
    checkWord: '코드를 준 사람에게 확인해 보세요.',
    didYouMean: '혹시 이 단어인가요?',
    suggestions: '추천 단어',
  },

  joinLink: {
    open: 'QR 코드',
    title: '참여 링크',
    picture: '참여 링크의 QR 코드',
    about: 'Thruflux가 있는 다른 컴퓨터에서 이 코드가 입력된 상태로 열려요.',
    aboutServer: (server) =>
      `이 코드가 입력된 상태로 Thruflux가 열리고, ${server} 서버에서 상대를 찾아요.`,
    copy: '링크 복사',
    copyWeb: '웹 링크 복사',
    copyPage: '이 네트워크의 브라우저용 링크 복사',
    aboutWeb: (server) =>
      `아무 휴대폰으로 스캔하거나 웹 링크를 보내세요. Thruflux가 없어도 ${server} 서버를 통해 브라우저에서 열려요.`,
    aboutPage: '같은 네트워크의 휴대폰으로 스캔하면 Thruflux 없이 브라우저에서 열려요.',
  },
}
