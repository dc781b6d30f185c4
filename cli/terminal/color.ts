/** Colors of the terminal, used only where they help people find something. */

/** Values of `--color`. */
export const colorChoices = ['auto', 'always', 'never'] as const

/** Kinds of lines: the awaited code, a problem, or a side note. */
export type Tone = 'strong' | 'bad' | 'faint'

/** Parameters of Select Graphic Rendition (ECMA-48). */
const codes: Readonly<Record<Tone, number>> = { strong: 1, bad: 31, faint: 2 }

/** `line` in the color of `tone`; the caller has removed its control characters. */
export const colored = (line: string, tone: Tone): string =>
  `\u001b[${codes[tone]}m${line}\u001b[0m`

/** True for a terminal that can only print lines. */
export const isDumb = (environment: NodeJS.ProcessEnv): boolean => environment['TERM'] === 'dumb'

/** True if a stream gets colors: `asked` takes precedence over https://no-color.org and `TERM`. */
export function hasColor(
  asked: string | undefined,
  isTerminal: boolean,
  environment: NodeJS.ProcessEnv,
): boolean {
  if (asked === 'always' || asked === 'never') return asked === 'always'
  const refused = (environment['NO_COLOR'] ?? '') !== ''
  return isTerminal && !refused && !isDumb(environment)
}
