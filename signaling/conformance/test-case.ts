/** What the kit checks: one case for each numbered rule of docs/signaling.md. */
import type { TestContext } from './test-context.ts'

/** How a case came out. */
export type Outcome =
  | { readonly result: 'passed' }
  | { readonly result: 'failed'; readonly expected: string; readonly got: string }
  | { readonly result: 'skipped'; readonly reason: string }

/** One rule, and how it is checked. */
export type TestCase = {
  /** As in docs/signaling.md: the anchor of its section, and a number. */
  readonly rule: string
  /** What a server that keeps it does. */
  readonly says: string
  /** Floods the server from one address until it refuses. */
  readonly isFlood?: boolean
  /** Takes ten seconds or more, most of which it waits for a deadline of the server. */
  readonly isSlow?: boolean
  readonly check: (context: TestContext) => Promise<void>
}

/** A rule that nobody can check from outside, and why. */
export type SkippedRule = { readonly rule: string; readonly says: string; readonly reason: string }
