/** What the kit checks: one case for each numbered rule of docs/signaling.md. */
import type { Kit } from './kit.ts'

/** How a case came out. */
export type Outcome =
  | { readonly result: 'passed' }
  | { readonly result: 'failed'; readonly expected: string; readonly got: string }
  | { readonly result: 'not checked'; readonly reason: string }

/** One rule, and how it is checked. */
export type Case = {
  /** As in docs/signaling.md: the anchor of its section, and a number. */
  readonly rule: string
  /** What a server that keeps it does. */
  readonly says: string
  /** Floods the server from one address until it refuses. */
  readonly isFlood?: boolean
  /** Takes ten seconds or more, most of which it waits for a deadline of the server. */
  readonly isSlow?: boolean
  readonly check: (kit: Kit) => Promise<void>
}

/** A rule that nobody can check from outside, and why. */
export type Unchecked = { readonly rule: string; readonly says: string; readonly reason: string }

/** A server did something else than the text says. */
export class Mismatch extends Error {
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

/** A rule can't be checked at this server. */
export class NotChecked extends Error {}

/** Throws a `Mismatch` unless the two are the same. */
export function same(got: unknown, expected: unknown, what = ''): void {
  const [is, wanted] = [shown(got), shown(expected)]
  const of = what === '' ? '' : `${what} `
  if (is !== wanted) throw new Mismatch(`${of}${wanted}`, is)
}

/** Throws a `Mismatch` unless `holds`. */
export function demand(holds: boolean, expected: string, got: unknown): void {
  if (!holds) throw new Mismatch(expected, shown(got))
}

/** A value as a report shows it; long ones are cut. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 157)}...` : text
}
