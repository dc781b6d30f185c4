/** What a person asked to share, by path and by name. */
import { basename, resolve } from 'node:path'
import type { ShareOptions, SourceItem } from '#shared/share-options'
import { text } from '#shared/text/current'
import { visibleText } from '#shared/visible-text'

/** Absolute paths, each once: the same folder twice would meet itself at the receiver. */
export function absoluteItems(items: readonly SourceItem[]): readonly SourceItem[] {
  const seen = new Set<string>()
  return items.flatMap((item): readonly SourceItem[] => {
    if (item.kind !== 'path') return [item]
    const path = resolve(item.path)
    if (seen.has(path)) return []
    seen.add(path)
    return [{ kind: 'path', path }]
  })
}

/** What of the items is offered, as the engine takes it. */
export const scanRules = ({
  exclude,
  links,
  gitignore,
}: ShareOptions): { exclude: readonly string[]; links: boolean; ignoreFiles: boolean } => ({
  ...{ exclude, links, ignoreFiles: gitignore },
})

/** An item's path or name. */
export const nameOf = (item: SourceItem): string => (item.kind === 'path' ? item.path : item.name)

/** What people call these names or paths: the name of the only one, or "3 items" in the language in use. */
export function titleOf(paths: readonly string[]): string {
  const [only] = paths
  if (only === undefined || paths.length > 1) return text.counted.items(paths.length)
  const name = basename(only)
  return visibleText(name === '' ? only : name)
}
