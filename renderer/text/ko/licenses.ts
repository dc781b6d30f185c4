/** Texts of the sheet with licenses, and of the link to it. */
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'

export const licensesText: Translation<Catalogue> = {
  licenses: {
    title: '라이선스',
    about:
      'Thruflux는 MIT 라이선스를 따르는 자유 소프트웨어이고, 다른 사람들의 저작물도 들어 있어요.',
    show: '라이선스 보기',
  },
}
