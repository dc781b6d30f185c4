/** What a receiver can choose, with the defaults: the one place that knows them. */
import * as z from 'zod'
import { limits } from '#shared/limits'

/** What happens to a file whose name is taken by one that is not identical. */
export const conflictPolicies = ['keep-both', 'replace', 'replace-older', 'skip'] as const

export type ConflictPolicy = (typeof conflictPolicies)[number]

/** What was decided about one file; its path is that in the offer. */
export type ConflictChoice = { readonly path: string; readonly policy: ConflictPolicy }

/** The receiver's choices for one transfer. */
export type ReceiveOptions = {
  readonly conflict: ConflictPolicy
  /** For files that were decided about one by one, instead of `conflict`; at most `limits.conflictChoices`. */
  readonly choices: readonly ConflictChoice[]
  /** Same size and content is identical (reads both files), else same size and time. */
  readonly compareContent: boolean
  /** Resume an earlier attempt, and leave what a later one can resume. */
  readonly resume: boolean
  /** Read everything back from the disk before it gets its name. */
  readonly verify: boolean
  readonly keepTimes: boolean
  readonly keepExecutable: boolean
  readonly makeLinks: boolean
  readonly makeEmptyFolders: boolean
  /** Only names that every system can hold. */
  readonly portableNames: boolean
  /** Note on each file that it came from somebody else, where the system has a place for that. */
  readonly mark: boolean
}

/** Which files are received: patterns such as `photos/**` or `*.jpg`; a folder stands for all that is in it. */
export type Selection = {
  /** Only these; all when empty. */
  readonly only: readonly string[]
  /** Except these. */
  readonly except: readonly string[]
  /** These before all others, in this order. */
  readonly first: readonly string[]
}

/** Said during a transfer: these are (not) wanted after all. */
export type SelectionChange = { readonly patterns: readonly string[]; readonly wanted: boolean }

/**
 * Bounds an offer that is received without review: its bytes, and no name in it that begins with a dot.
 * An offer that exceeds it, at once or by growing, ends with `E_UNDECIDED` before anything of the
 * excess is written.
 */
export type Unasked = { readonly maxBytes: number }

/** Where and how a receive is written, and what of it. */
export type ReceivePlan = {
  /** Absolute. */
  readonly directory: string
  readonly options: ReceiveOptions
  readonly selection: Selection
  /** In order; they are sent again whenever the receive resumes. */
  readonly changes: readonly SelectionChange[]
  /** Set when nobody reviewed the offer. Not remembered: a person who resumes it has reviewed it. */
  readonly unasked?: Unasked
  /** The one wanted file goes to standard output, and nothing to `directory`. It can't be resumed. */
  readonly toOutput?: true
}

/** Nothing that exists is touched, nothing that was sent is lost. */
export const defaultReceiveOptions: ReceiveOptions = {
  conflict: 'keep-both',
  choices: [],
  compareContent: false,
  resume: true,
  verify: false,
  keepTimes: true,
  keepExecutable: true,
  makeLinks: true,
  makeEmptyFolders: true,
  portableNames: false,
  mark: true,
}

/** Everything, in the order of the sender. */
export const selectAll: Selection = { only: [], except: [], first: [] }

/** The changes with one more, which takes the place of an earlier one about the same patterns. */
export const withChange = (
  changes: readonly SelectionChange[],
  { patterns, wanted }: SelectionChange,
): readonly SelectionChange[] => {
  const key = JSON.stringify(patterns)
  return [...changes.filter((one) => JSON.stringify(one.patterns) !== key), { patterns, wanted }]
}

/** The plan with these before all others; the oldest wishes leave when there are too many. */
export const withFirst = (plan: ReceivePlan, patterns: readonly string[]): ReceivePlan => {
  const first = [...new Set([...patterns, ...plan.selection.first])].slice(0, limits.patterns)
  return { ...plan, selection: { ...plan.selection, first } }
}

/** One pattern, from a window, a command line or a file. */
export const patternSchema = z
  .string()
  .min(1)
  .max(limits.pathBytes)
  .refine((text) => !text.includes('\0'))

/** In this order: an escaped character, one that opens no set, a set that is closed, a last backslash. */
const closedSets = /^(?:\\.|[^[\\]|\[(?:[!^](?:\\.|[^\\])|\\.|[^!^\\])(?:\\.|[^\]\\])*\]|\\$)*$/su

/** False for a pattern with a `[` that nothing closes, which the engine refuses. */
export const isPattern = (text: string): boolean => closedSets.test(text)

/** Patterns of one kind. */
export const patternsSchema = z.array(patternSchema).max(limits.patterns).readonly()

/** Decodes a `ConflictChoice`. */
const conflictChoiceSchema = z.object({ path: patternSchema, policy: z.enum(conflictPolicies) })

/** Decodes `ReceiveOptions` from a window or a file. */
export const receiveOptionsSchema = z.object({
  conflict: z.enum(conflictPolicies),
  choices: z.array(conflictChoiceSchema).max(limits.conflictChoices).readonly(),
  compareContent: z.boolean(),
  resume: z.boolean(),
  verify: z.boolean(),
  keepTimes: z.boolean(),
  keepExecutable: z.boolean(),
  makeLinks: z.boolean(),
  makeEmptyFolders: z.boolean(),
  portableNames: z.boolean(),
  mark: z.boolean(),
})

/** Decodes `Selection` from a window or a file. */
export const selectionSchema = z.object({
  only: patternsSchema,
  except: patternsSchema,
  first: patternsSchema,
})

/** Decodes the changes of a selection from a file. */
export const selectionChangesSchema = z
  .array(z.object({ patterns: patternsSchema, wanted: z.boolean() }))
  .max(limits.selectionChanges)
