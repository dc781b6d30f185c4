/** How names and codes stand in a sentence. */

/** Scripts written from right to left: unless isolated, they reorder the text around them. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** A person's or a computer's name in a sentence, or a word for someone whose name isn't known yet. */
export function person(name: string): string {
  if (name === '') return 'Someone'
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name
}

/** A code as a screen reader should read it, digit by digit: `4 8 2 1, apple, river, stone`. */
export const spelledCode = (code: string): string =>
  code
    .split('-')
    .map((part) => (/^\d+$/.test(part) ? [...part].join(' ') : part))
    .join(', ')
