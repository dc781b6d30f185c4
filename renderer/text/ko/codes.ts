/** Texts about codes and links where they are entered and shown. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '..'

export const codeText: Translation<Catalogue> = {
  codeField: {
    label: '코드가 있나요? 입력하거나 붙여 넣으세요.',
    name: '참여 코드',
    placeholder: '코드 입력',
    join: '참여',
    resumes: (title) => `이어서 받으려면 코드를 다시 입력하세요: ${title}`,
    startOver: '처음부터 받기',
    fromLink: '링크에서 가져온 코드예요. Enter를 누르면 참여해요.',
    wrongWord: (word) => `"${word}": 참여 코드에 쓰지 않는 단어예요.`,
    checkWord: '보내는 사람에게 확인해 보세요.',
    didYouMean: '혹시 이 단어인가요?',
    suggestions: '추천 단어',
  },

  joinLink: {
    open: 'QR 코드',
    title: '참여 링크',
    picture: '참여 링크의 QR 코드',
    about: '이 코드가 입력된 상태로 Thruflux가 열려요.',
    copy: '링크 복사',
  },
}
