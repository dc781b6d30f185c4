/** The natural order of names: numbers by value, any letter case, folders first. The engine sorts for the window. */

/** The order doesn't depend on the system's language, so a list is the same on every computer. */
const names = new Intl.Collator('en', { numeric: true })

const byName = (left: string, right: string): number =>
  names.compare(left, right) || (left < right ? -1 : Number(left > right))

/** Orders paths of one tree, depth first: subfolders and their contents come before the files of a folder. */
export function naturally(left: string, right: string): number {
  const [lefts, rights] = [left.split('/'), right.split('/')]
  const depth = lefts.findIndex((name, index) => name !== rights[index])
  const isFile = (parts: readonly string[]): boolean => depth === parts.length - 1
  if (depth === -1) return lefts.length - rights.length
  if (isFile(lefts) !== isFile(rights)) return isFile(lefts) ? 1 : -1
  return byName(lefts[depth] ?? '', rights[depth] ?? '')
}

/** Compares items at the top of a share: folders first. */
export const itemsNaturally = (
  left: { readonly name: string; readonly kind: string },
  right: { readonly name: string; readonly kind: string },
): number =>
  Number(right.kind === 'folder') - Number(left.kind === 'folder') || byName(left.name, right.name)
