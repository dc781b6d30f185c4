/** The offer by its top-level items, as people chose them. */
import type { EntryRange, OfferedEntry } from '../engine/module'

/** A shared file or folder. */
export type Item = {
  readonly name: string
  readonly files: number
  readonly bytes: number
}

const topOf = (path: string): string => path.split('/', 1)[0] ?? path

/** The items of an offer in order of first appearance. */
export function itemsOf(entries: readonly OfferedEntry[]): readonly Item[] {
  const items = new Map<string, Item>()
  for (const { kind, path, bytes } of entries) {
    if (kind === 'gone') continue
    const name = topOf(path)
    const { files, bytes: before } = items.get(name) ?? { files: 0, bytes: 0 }
    items.set(name, { name, files: files + (kind === 'file' ? 1 : 0), bytes: before + bytes })
  }
  return [...items.values()]
}

/** Ranges of the entries in items that are not wanted. */
export function rangesWithout(
  entries: readonly OfferedEntry[],
  unwanted: ReadonlySet<string>,
): readonly EntryRange[] {
  const ranges: { first: number; count: number }[] = []
  for (const { index, path, kind } of entries) {
    if (kind === 'gone' || !unwanted.has(topOf(path))) continue
    const last = ranges.at(-1)
    if (last !== undefined && last.first + last.count === index) last.count += 1
    else ranges.push({ first: index, count: 1 })
  }
  return ranges
}
