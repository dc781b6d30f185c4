/** 전송 중인 파일의 문구. */
import { formatCount } from '#shared/format/format'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const filesText: Translation<Catalogue['files']> = {
  title: '파일',
  filters: {
    all: '전체',
    active: '진행 중',
    waiting: '대기',
    done: '완료',
    skipped: '건너뜀',
    problem: '문제',
  },
  states: {
    waiting: '대기',
    active: '진행 중',
    received: '받음',
    saved: '저장됨',
    sent: '보냄',
    present: '이미 있음',
    skipped: '건너뜀',
    failed: '문제',
  },
  search: '파일 검색',
  none: {
    all: '아직 파일이 없어요.',
    active: '지금 전송 중인 파일이 없어요.',
    waiting: '대기 중인 파일이 없어요.',
    done: '아직 완료된 파일이 없어요.',
    skipped: '건너뛴 파일이 없어요.',
    problem: '문제가 없어요.',
  },
  noMatch: (query: string) => `“${query}”와 일치하는 파일이 없어요.`,
  first: '먼저 받기',
  firstOf: (name: string) => `${name} 먼저 받기`,
  skip: '건너뛰기',
  skipOf: (name: string) => `${name} 건너뛰기`,
  want: '다시 받기',
  wantOf: (name: string) => `${name} 다시 받기`,
  selected: (count: number) => `파일 ${formatCount(count)}개 선택됨`,
  clear: '선택 해제',
  maxSelected: (count: number) => `한 번에 최대 ${formatCount(count)}개까지 선택할 수 있어요.`,
}
