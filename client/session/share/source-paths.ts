/** The paths and names of a share's items. */
import { basename, resolve } from 'node:path'
import { visibleText } from '#shared/format/visible-text'
import type { ShareOptions, SourceItem } from '#shared/settings/share-options'
import type { Item } from '#shared/state/app-state'
import { text } from '#shared/text/current'

/** Makes paths absolute and unique: a repeated folder would conflict with itself at the receiver. */
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

/** The scan's rules, for the engine. */
export const scanRules = ({
  exclude,
  links,
  followLinks,
  gitignore,
  attributes,
}: ShareOptions) => ({
  exclude,
  links,
  followLinks,
  ignoreFiles: gitignore,
  attributes,
})

/** An argument for `titleOf`: a file or folder is named by its path. */
export const titled = (item: SourceItem): Titled => ({
  kind: item.kind,
  name: item.kind === 'path' ? item.path : item.name,
})

type Titled = { readonly kind: SourceItem['kind'] | Item['kind']; readonly name: string }

/**
 * The title of these items, in the current language: the name of a single item, or "3 items". Every text has the same
 * title, because its name may contain its words, which must stay out of lists and files.
 */
export function titleOf(items: readonly Titled[]): string {
  const [only] = items
  if (only === undefined || items.length > 1) return text.counted.items(items.length)
  if (only.kind === 'text') return text.counted.text
  const name = basename(only.name)
  return visibleText(name === '' ? only.name : name)
}
