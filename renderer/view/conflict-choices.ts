/** What becomes of each file that meets another one of its name: the rule, and what was decided for it. */
import type { Conflict } from '#shared/offer'
import type {
  ConflictChoice,
  ConflictPolicy,
  ReceiveOptions,
} from '#shared/settings/receive-options'

/** What a person can decide about one file. */
export const decisions = [
  'keep-both',
  'replace',
  'skip',
] as const satisfies readonly ConflictPolicy[]

export type Decision = (typeof decisions)[number]

/** What happens to this file as things are chosen now. */
export function decisionOf(
  { path, offeredIsNewer }: Conflict,
  { conflict, choices }: Pick<ReceiveOptions, 'conflict' | 'choices'>,
): Decision {
  const policy = choices.find((choice) => choice.path === path)?.policy ?? conflict
  if (policy !== 'replace-older') return policy
  return offeredIsNewer ? 'replace' : 'skip'
}

/** The choices with this one, which takes the place of an earlier one about the same file. */
export const withDecision = (
  choices: readonly ConflictChoice[],
  path: string,
  policy: Decision,
): readonly ConflictChoice[] => [
  ...choices.filter((choice) => choice.path !== path),
  { path, policy },
]
