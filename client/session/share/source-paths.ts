/** What a person asked to share, by path and by name. */
import { basename, resolve } from 'node:path'
import { visibleText } from '#shared/format/visible-text'
import type { ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { Item } from '#shared/state/app-state'
import { text } from '#shared/text/current'

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
  exclude,
  links,
  ignoreFiles: gitignore,
})

/** The argument of `titleOf`, with the path of a file or folder as its name. */
export const titled = (item: SourceItem): Titled => ({
  kind: item.kind,
  name: item.kind === 'path' ? item.path : item.name,
})

type Titled = { readonly kind: SourceItem['kind'] | Item['kind']; readonly name: string }

/**
 * The title of these items, in the language in use: the name of the only one, or "3 items". Every text has the
 * same title: its name may contain its words, which must not get into lists and files.
 */
export function titleOf(items: readonly Titled[]): string {
  const [only] = items
  if (only === undefined || items.length > 1) return text.counted.items(items.length)
  if (only.kind === 'text') return text.counted.text
  const name = basename(only.name)
  return visibleText(name === '' ? only.name : name)
}
