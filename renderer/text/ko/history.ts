/** Texts of the history. */
import { formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const historyText: Translation<Catalogue['history']> = {
  title: '기록',
  search: '이름 또는 사람',
  filterName: '보기',
  filters: { all: '전체', received: '받음', sent: '보냄', problems: '문제' },
  today: '오늘',
  yesterday: '어제',
  nobody: '알 수 없는 사람',
  outcomes: { done: '확인됨', interrupted: '중단됨', cancelled: '중지됨', failed: '실패' },
  nothingNew: '새것 없음',
  problems: (count) => `문제 ${formatCount(count)}개`,
  gone: '옮겨졌거나 삭제됨',
  sendAgain: '다시 보내기',
  show: '폴더에서 보기',
  resume: '이어받기',
  remove: '기록에서 제거',
  more: '더 보기',
  removing: (title) => `${title} 기록을 지우는 중`,
  clearing: '기록을 모두 지우는 중',
  clear: '기록 지우기',
  clearAbout: '파일은 그대로 남아요.',
  empty: '아직 아무것도 없어요',
  emptyAbout: '보내고 받은 것이 이 컴퓨터에만 기록돼요.',
  off: '기록이 꺼져 있어요. 설정의 일반에서 켤 수 있어요.',
  nothingFound: '찾는 것이 없어요. 다른 단어나 필터를 써 보세요.',
}
