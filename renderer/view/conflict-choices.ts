/** The outcome for each file whose name is taken: the rule, and a person's decision for the file. */
import type { Conflict } from '#shared/offer'
import type {
  ConflictChoice,
  ConflictPolicy,
  ReceiveOptions,
} from '#shared/settings/receive-options'

/** The possible decisions about one file. */
export const decisions = [
  'keep-both',
  'replace',
  'skip',
] as const satisfies readonly ConflictPolicy[]

export type Decision = (typeof decisions)[number]

/** The outcome for this file under the current choices. */
export function decisionOf(
  { path, offeredIsNewer, replaced }: Conflict,
  { conflict, choices }: Pick<ReceiveOptions, 'conflict' | 'choices'>,
): Decision {
  const policy = choices.find((choice) => choice.path === path)?.policy ?? conflict
  if (policy === 'update') return 'replace'
  if (policy === 'update-unchanged') return replaced ? 'replace' : 'keep-both'
  if (policy !== 'replace-older') return policy
  return offeredIsNewer ? 'replace' : 'skip'
}

/** Adds a choice, which replaces an earlier one about the same file. */
export const withDecision = (
  choices: readonly ConflictChoice[],
  path: string,
  policy: Decision,
): readonly ConflictChoice[] => [
  ...choices.filter((choice) => choice.path !== path),
  { path, policy },
]
