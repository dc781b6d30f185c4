/** Texts of the sheet that lists all keys. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const shortcutsText: Translation<Catalogue> = {
  shortcuts: {
    title: '키보드 단축키',
    groups: { share: '공유', receive: '받기', transfers: '전송', window: '창' },
    effects: {
      chooseFiles: '파일 선택',
      chooseFolder: '폴더 선택',
      paste: '코드, 텍스트 또는 파일 붙여넣기',
      copyCode: '열려 있는 공유의 코드 복사',
      codeField: '코드 입력란으로 이동',
      complete: '코드의 단어 완성',
      accept: '참여하거나 받기',
      later: '나중에 답하거나 열려 있는 것 닫기',
      tick: '받을 파일이나 폴더 선택',
      rename: '받을 항목의 이름 바꾸기',
      pause: '선택한 전송 일시정지 또는 계속',
      remove: '끝난 전송 제거',
      find: '기록이나 전송의 파일에서 검색',
      nextRegion: '창의 다음 부분으로 이동',
      previousRegion: '창의 이전 부분으로 이동',
      transfers: '전송으로 이동',
      history: '기록으로 이동',
      settings: '설정으로 이동',
      contacts: '연락처로 이동',
      shortcuts: '이 목록 보기',
      closeWindow: '창 닫기',
      quit: 'Thruflux 종료',
    },
  },
}
