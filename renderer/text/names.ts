/** How names and codes stand in a sentence of any language. */
import { language, languages } from '#shared/language'

/** Scripts written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The name in one piece: where it may run against the sentence, it would reorder the text around it. */
export const isolated = (name: string): string =>
  rightToLeft.test(name) || languages[language].direction === 'rtl' ? `\u2068${name}\u2069` : name

/** A path as it is written everywhere, from left to right: in other text its slashes would change places. */
export const isolatedPath = (path: string): string =>
  languages[language].direction === 'rtl' ? `\u2066${path}\u2069` : path

/** A code as a screen reader should read it, digit by digit: `4 8 2 1, apple, river, stone`. */
export const spelledCode = (code: string): string =>
  code
    .split('-')
    .map((part) => (/^\d+$/.test(part) ? [...part].join(' ') : part))
    .join(', ')
