/** The names that a receiver chooses for items of an offer. The engine checks them again, by the rules of its system. */
import { limits } from '#shared/limits'
import type { Rename } from '#shared/settings/receive-options'
import { utf8Length } from '#shared/settings/settings-fields'

/** The reasons why a name can't be chosen; `taken`: another item has it. */
export type NameProblem = 'empty' | 'separator' | 'dots' | 'long' | 'taken'

/** The reason why an item can't have this name if there are `others`; `null` if it can. */
export function nameProblem(name: string, others: readonly string[]): NameProblem | null {
  if (name === '') return 'empty'
  if (/[/\0]/.test(name)) return 'separator'
  if (name === '.' || name === '..') return 'dots'
  if (utf8Length(name) > limits.nameBytes) return 'long'
  return others.includes(name) ? 'taken' : null
}

/** The name that an item gets. */
export const nameOf = (item: string, renames: readonly Rename[] = []): string =>
  renames.find((rename) => rename.item === item)?.name ?? item

/** An offered path with the chosen name of its item. */
export function renamedPath(path: string, renames: readonly Rename[] = []): string {
  const [item = ''] = path.split('/', 1)
  return nameOf(item, renames) + path.slice(item.length)
}

/** The renames with this one; an item's own name removes its rename. */
export const withRename = (
  renames: readonly Rename[] = [],
  { item, name }: Rename,
): readonly Rename[] => [
  ...renames.filter((rename) => rename.item !== item),
  ...(name === item ? [] : [{ item, name }]),
]
