/** Colors of the terminal: few, and only where they help to find something. */

/** Values of `--color`. */
export const colorChoices = ['auto', 'always', 'never'] as const

/** What a line is: the code that everybody waits for, something that went wrong, or a side note. */
export type Tone = 'strong' | 'bad' | 'faint'

/** Select Graphic Rendition of ECMA-48. */
const codes: Readonly<Record<Tone, number>> = { strong: 1, bad: 31, faint: 2 }

/** `line` in the color of `tone`; `line` has no control characters of its own any more. */
export const colored = (line: string, tone: Tone): string =>
  `\u001b[${codes[tone]}m${line}\u001b[0m`

/** A terminal that can't do more than print lines. */
export const isDumb = (environment: NodeJS.ProcessEnv): boolean => environment['TERM'] === 'dumb'

/** Whether a stream gets colors: what was asked for goes before https://no-color.org and `TERM`. */
export function hasColor(
  asked: string | undefined,
  isTerminal: boolean,
  environment: NodeJS.ProcessEnv,
): boolean {
  if (asked === 'always' || asked === 'never') return asked === 'always'
  const refused = (environment['NO_COLOR'] ?? '') !== ''
  return isTerminal && !refused && !isDumb(environment)
}
