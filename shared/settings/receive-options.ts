/** A receiver's choices, and their only set of defaults. */
import * as z from 'zod'
import { limits } from '#shared/limits'

/** Policies for a file whose name is taken by one that is not identical. */
export const conflictPolicies = [
  'update-unchanged',
  'keep-both',
  'replace',
  'update',
  'replace-older',
  'skip',
] as const

export type ConflictPolicy = (typeof conflictPolicies)[number]

/** The decision about one file, by its path in the offer. */
export type ConflictChoice = { readonly path: string; readonly policy: ConflictPolicy }

/** The name that an item gets instead of its own. */
export type Rename = { readonly item: string; readonly name: string }

/** The receiver's choices for one transfer. */
export type ReceiveOptions = {
  readonly conflict: ConflictPolicy
  /** Decisions about single files, which override `conflict`; at most `limits.conflictChoices`. */
  readonly choices: readonly ConflictChoice[]
  /** Names for items of the offer, at most `limits.renames`; absent for none. */
  readonly renames?: readonly Rename[]
  /** Files are identical if size and content match (reads both files), else if size and time do. */
  readonly compareContent: boolean
  /** Resume an earlier attempt, and keep partial files for a later one. */
  readonly resume: boolean
  /** Read everything back from the disk before it gets its name. */
  readonly verify: boolean
  readonly keepTimes: boolean
  readonly keepExecutable: boolean
  /** Add the extended attributes and creation times that the sender offers. */
  readonly keepAttributes: boolean
  readonly makeLinks: boolean
  readonly makeEmptyFolders: boolean
  /** Only names that every system allows. */
  readonly portableNames: boolean
  /** Mark each file as coming from another person, where the system supports that. */
  readonly mark: boolean
  /** Stay connected after the end, and receive again whenever the sender reports changes. */
  readonly follow?: boolean
  /**
   * Move what the sender deleted to `.thru-removed` in the folder, if this receive put it there and it is unchanged.
   * Includes `resume` and `keepTimes`.
   */
  readonly deletions?: boolean
}

/** Patterns of the files to receive, such as `photos/**` or `*.jpg`; a folder includes its contents. */
export type Selection = {
  /** Only these; everything when empty. */
  readonly only: readonly string[]
  /** Everything but these. */
  readonly except: readonly string[]
  /** These first, in this order. */
  readonly first: readonly string[]
}

/** A change during a transfer: these are (not) wanted after all. */
export type SelectionChange = { readonly patterns: readonly string[]; readonly wanted: boolean }

/**
 * Bounds an offer that is accepted without review: its total bytes, and no names that begin with a dot. An offer that
 * exceeds it, immediately or by growing, ends with `E_UNDECIDED` before any of the excess is written.
 */
export type AutoAcceptLimit = { readonly maxBytes: number }

/** The folder, options and selection of a receive. */
export type ReceivePlan = {
  /** Absolute. */
  readonly directory: string
  readonly options: ReceiveOptions
  readonly selection: Selection
  /** In order; they are sent again whenever the receive resumes. */
  readonly changes: readonly SelectionChange[]
  /** Set when no person reviewed the offer. Not remembered: resuming it counts as a review. */
  readonly autoAccept?: AutoAcceptLimit
  /** The only wanted file goes to standard output, and nothing to `directory`. It can't be resumed. */
  readonly toOutput?: true
}

/** Files that were not received from the same sender, or were changed here, stay untouched. */
export const defaultReceiveOptions: ReceiveOptions = {
  conflict: 'update-unchanged',
  choices: [],
  compareContent: false,
  resume: true,
  verify: false,
  keepTimes: true,
  keepExecutable: true,
  keepAttributes: false,
  makeLinks: true,
  makeEmptyFolders: true,
  portableNames: false,
  mark: true,
}

/** Everything, in the sender's order. */
export const selectAll: Selection = { only: [], except: [], first: [] }

/** Adds a change, which replaces an earlier one for the same patterns. */
export const withChange = (
  changes: readonly SelectionChange[],
  { patterns, wanted }: SelectionChange,
): readonly SelectionChange[] => {
  const key = JSON.stringify(patterns)
  return [...changes.filter((one) => JSON.stringify(one.patterns) !== key), { patterns, wanted }]
}

/** Moves these patterns to the front, and drops the oldest ones beyond the limit. */
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

/** In this order: an escaped character, a character other than `[`, a closed set, a final backslash. */
const closedSets = /^(?:\\.|[^[\\]|\[(?:[!^](?:\\.|[^\\])|\\.|[^!^\\])(?:\\.|[^\]\\])*\]|\\$)*$/su

/** False for a pattern with an unclosed `[`, which the engine refuses. */
export const isPattern = (text: string): boolean => closedSets.test(text)

/** Patterns of one kind. */
export const patternsSchema = z.array(patternSchema).max(limits.patterns).readonly()

const conflictChoiceSchema = z.object({ path: patternSchema, policy: z.enum(conflictPolicies) })

/** Decodes `ReceiveOptions.renames`; the engine checks the names. */
export const renamesSchema = z
  .array(z.object({ item: patternSchema, name: patternSchema }))
  .max(limits.renames)
  .readonly()

/** Decodes `ReceiveOptions` from a window or a file. */
export const receiveOptionsSchema = z.object({
  conflict: z.enum(conflictPolicies),
  choices: z.array(conflictChoiceSchema).max(limits.conflictChoices).readonly(),
  renames: renamesSchema.exactOptional(),
  compareContent: z.boolean(),
  resume: z.boolean(),
  verify: z.boolean(),
  keepTimes: z.boolean(),
  keepExecutable: z.boolean(),
  keepAttributes: z.boolean().default(false),
  makeLinks: z.boolean(),
  makeEmptyFolders: z.boolean(),
  portableNames: z.boolean(),
  mark: z.boolean(),
  follow: z.boolean().exactOptional(),
  deletions: z.boolean().exactOptional(),
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
