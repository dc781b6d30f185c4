/** What a receiver can choose, with the defaults: the one place that knows them. */
import { z } from 'zod'
import { limits } from '#shared/limits'

/** What happens to a file whose name is taken by one that is not identical. */
export const conflictPolicies = ['keep-both', 'replace', 'replace-older', 'skip'] as const

export type ConflictPolicy = (typeof conflictPolicies)[number]

/** How one receive is written; the engine's `ReceiveOptions`. */
export type ReceiveOptions = {
  readonly conflict: ConflictPolicy
  /** Same size and content is identical (reads both files), else same size and time. */
  readonly compareContent: boolean
  /** Continue an earlier attempt, and leave what a later one can continue. */
  readonly resume: boolean
  /** Read everything back from the disk before it gets its name. */
  readonly verify: boolean
  readonly keepTimes: boolean
  readonly keepExecutable: boolean
  readonly makeLinks: boolean
  readonly makeEmptyFolders: boolean
  /** Only names that every system can hold. */
  readonly portableNames: boolean
}

/** Which files come: patterns as `photos/**` or `*.jpg`; a folder stands for all that is in it. */
export type Selection = {
  /** Only these; all when empty. */
  readonly only: readonly string[]
  /** But not these. */
  readonly except: readonly string[]
  /** These before all others, in this order. */
  readonly first: readonly string[]
}

/** Said during a transfer: these are (not) wanted after all. */
export type SelectionChange = { readonly patterns: readonly string[]; readonly wanted: boolean }

/** Where and how a receive is written, and what of it. */
export type ReceivePlan = {
  /** Absolute. */
  readonly directory: string
  readonly options: ReceiveOptions
  readonly selection: Selection
  /** In order; they are said again whenever the receive goes on. */
  readonly changes: readonly SelectionChange[]
  /**
   * Nobody looked at the offer: it ends with `E_UNDECIDED` when it comes to more bytes, or has names at
   * the top that begin with a dot. Not remembered: a person who goes on with it has looked.
   */
  readonly unasked?: { readonly mostBytes: number }
}

/** Nothing that exists is touched, nothing that was sent is lost. */
export const defaultReceiveOptions: ReceiveOptions = {
  conflict: 'keep-both',
  compareContent: false,
  resume: true,
  verify: false,
  keepTimes: true,
  keepExecutable: true,
  makeLinks: true,
  makeEmptyFolders: true,
  portableNames: false,
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

/** One pattern, from a window, a command line or a file. */
export const patternSchema = z
  .string()
  .min(1)
  .max(limits.pathBytes)
  .refine((text) => !text.includes('\0'))

/** Patterns of one kind. */
export const patternsSchema = z.array(patternSchema).max(limits.patterns).readonly()

/** Decodes `ReceiveOptions` from a window or a file. */
export const receiveOptionsSchema = z.object({
  conflict: z.enum(conflictPolicies),
  compareContent: z.boolean(),
  resume: z.boolean(),
  verify: z.boolean(),
  keepTimes: z.boolean(),
  keepExecutable: z.boolean(),
  makeLinks: z.boolean(),
  makeEmptyFolders: z.boolean(),
  portableNames: z.boolean(),
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
