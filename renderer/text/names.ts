/** Names and codes as parts of a sentence in any language. */
import { language, languages } from '#shared/language'

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Isolates a name that runs against the sentence's direction, which would reorder the text around it. */
export const isolated = (name: string): string =>
  rightToLeft.test(name) || languages[language].direction === 'rtl' ? `\u2068${name}\u2069` : name

/** Keeps a path left to right: in right-to-left text its components would change places. */
export const isolatedPath = (path: string): string =>
  languages[language].direction === 'rtl' ? `\u2066${path}\u2069` : path

/** A code for screen readers, digit by digit: `4 8 2 1, apple, river, stone`. */
export const spelledCode = (code: string): string =>
  code
    .split('-')
    .map((part) => (/^\d+$/.test(part) ? [...part].join(' ') : part))
    .join(', ')
