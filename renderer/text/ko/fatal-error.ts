/** Texts of the page that replaces the window when a part of the program has failed. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const fatalErrorText: Translation<Catalogue> = {
  fatalError: {
    titles: {
      window: '창이 멈췄어요',
      program: 'Thruflux에 오류가 생겼어요',
      engine: 'Thruflux가 파일을 전송할 수 없어요',
    },
    abouts: {
      window:
        '다시 열었지만 또 멈췄어요. Thruflux를 다시 시작하세요. 받은 것은 남아 있고 이어서 받을 수 있어요.',
      program:
        '제대로 작동하지 않을 수 있어요. Thruflux를 다시 시작하세요. 받은 것은 남아 있고 이어서 받을 수 있어요.',
      engine: '엔진을 불러올 수 없었어요. Thruflux를 다시 설치한 다음 다시 시작하세요.',
    },
    restart: 'Thruflux 다시 시작',
    copyReport: '보고서 복사',
    reportAbout: '보고서에는 버전과 최근 오류가 있어요. 코드, 이름, 경로는 없어요.',
    crashed: '지난번에 Thruflux가 예기치 않게 종료됐어요. 중단된 받기는 이어서 할 수 있어요.',
  },
}
