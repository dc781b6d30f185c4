/** The kit has one case for each numbered rule of docs/signaling.md. */
import type { TestContext } from './test-context.ts'

/** The result of a case. */
export type Outcome =
  | { readonly result: 'passed' }
  | { readonly result: 'failed'; readonly expected: string; readonly got: string }
  | { readonly result: 'skipped'; readonly reason: string }

/** A rule and its check. */
export type TestCase = {
  /** The rule's name in docs/signaling.md: the anchor of its section, and a number. */
  readonly rule: string
  /** The behavior that the rule requires. */
  readonly says: string
  /** Floods the server from one address until it refuses. */
  readonly isFlood?: boolean
  /** Takes ten seconds or more, mostly waiting for a deadline of the server. */
  readonly isSlow?: boolean
  readonly check: (context: TestContext) => Promise<void>
}

/** A rule that can't be checked from outside, and the reason. */
export type SkippedRule = { readonly rule: string; readonly says: string; readonly reason: string }
