/** 전송 속도 그래프의 문구. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const graphText: Translation<Catalogue['graph']> = {
  title: '속도',
  spans: { minute: '최근 1분', whole: '전체' },
  ago: (duration: string) => `${duration} 전`,
  ends: { now: '지금', still: '일시 중지 시점' },
  nothing: '아직 전송된 데이터가 없어요.',
  describe: {
    minute: ({ average, least, most }) =>
      `최근 1분 속도: 평균 ${average}, 최저 ${least}, 최고 ${most}.`,
    whole: ({ average, least, most }) =>
      `전체 전송 속도: 평균 ${average}, 최저 ${least}, 최고 ${most}.`,
  },
}
