/** The way in which each language writes sizes and units; `Intl` writes all other numbers. */
import type { Language } from '#shared/language'

export type Figures = {
  /** The decimal separator. */
  readonly point: '.' | ','
  /** Follows a percentage. */
  readonly percent: string
  /** Units from bytes upward, in steps of a thousand. */
  readonly units: readonly [string, string, string, string, string, string]
  /** Turns a size into a speed when appended. */
  readonly perSecond: string
  /** `38.4 of 61.9 GB`. */
  readonly partOf: (part: string, whole: string) => string
  /** Suffixes of days, hours, minutes and seconds, with a space where needed. */
  readonly duration: {
    readonly d: string
    readonly h: string
    readonly min: string
    readonly s: string
  }
}

const decimal = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

const common = {
  point: '.',
  percent: '%',
  units: decimal,
  perSecond: '/s',
  duration: { d: ' d', h: ' h', min: ' min', s: ' s' },
} as const

const english: Figures = { ...common, partOf: (part, whole) => `${part} of ${whole}` }

export const figures: { readonly [language in Language]: Figures } = {
  en: english,
  'en-XA': english,
  ko: {
    ...common,
    partOf: (part, whole) => `${whole} 중 ${part}`,
    duration: { d: '일', h: '시간', min: '분', s: '초' },
  },
  de: {
    ...common,
    point: ',',
    percent: '\u00a0%',
    partOf: (part, whole) => `${part} von ${whole}`,
    duration: { d: ' Tg.', h: ' Std.', min: ' Min.', s: ' Sek.' },
  },
  es: { ...common, point: ',', percent: '\u00a0%', partOf: (part, whole) => `${part} de ${whole}` },
  fr: {
    ...common,
    point: ',',
    percent: '\u00a0%',
    units: ['o', 'ko', 'Mo', 'Go', 'To', 'Po'],
    partOf: (part, whole) => `${part} sur ${whole}`,
    duration: { ...common.duration, d: ' j' },
  },
  it: {
    ...common,
    point: ',',
    partOf: (part, whole) => `${part} di ${whole}`,
    duration: { ...common.duration, d: ' g' },
  },
  'pt-BR': { ...common, point: ',', partOf: (part, whole) => `${part} de ${whole}` },
  ar: {
    ...common,
    percent: '\u200e%\u200e',
    partOf: (part, whole) => `${part} من ${whole}`,
    duration: { d: ' ي', h: ' س', min: ' د', s: ' ث' },
  },
  ja: {
    ...common,
    partOf: (part, whole) => `${whole} 中 ${part}`,
    duration: { d: '日', h: '時間', min: '分', s: '秒' },
  },
  'zh-Hans': {
    ...common,
    partOf: (part, whole) => `${part}/${whole}`,
    duration: { d: ' 天', h: ' 小时', min: ' 分', s: ' 秒' },
  },
}
