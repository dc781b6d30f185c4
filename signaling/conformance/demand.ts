/** Expectations of a case, and their failures. */

/** The server deviated from the specification. */
export class Mismatch extends Error {
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

/** A rule can't be checked on this server. */
export class Skip extends Error {}

/** Throws a `Mismatch` unless both values are the same. */
export function same(got: unknown, expected: unknown, what = ''): void {
  const [is, wanted] = [shown(got), shown(expected)]
  const of = what === '' ? '' : `${what} `
  if (is !== wanted) throw new Mismatch(`${of}${wanted}`, is)
}

/** Throws a `Mismatch` unless `holds` is true. */
export function demand(holds: boolean, expected: string, got: unknown): void {
  if (!holds) throw new Mismatch(expected, shown(got))
}

/** A value for a report, shortened if it is long. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 157)}...` : text
}
