/** The offer by its top-level items, as people chose them. */
import { topOf } from '../choices'
import type { OfferedEntry } from '../engine/module'

/** A shared file or folder. */
export type Item = {
  readonly name: string
  readonly files: number
  readonly bytes: number
}

/** The items of an offer in order of first appearance. */
export function itemsOf(
  entries: readonly Pick<OfferedEntry, 'kind' | 'path' | 'bytes'>[],
): readonly Item[] {
  const items = new Map<string, Item>()
  for (const { kind, path, bytes } of entries) {
    if (kind === 'gone') continue
    const name = topOf(path)
    const { files, bytes: before } = items.get(name) ?? { files: 0, bytes: 0 }
    items.set(name, { name, files: files + (kind === 'file' ? 1 : 0), bytes: before + bytes })
  }
  return [...items.values()]
}
