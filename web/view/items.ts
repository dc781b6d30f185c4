/** The offer by its top-level items, as people chose them. */
import { formatBytes } from '#shared/format/format'
import { topOf } from '../choices'
import type { OfferedEntry } from '../engine/module'
import { text } from '../text'

/** A shared file or folder. */
export type Item = {
  readonly name: string
  readonly files: number
  readonly folders: number
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
    const before = items.get(name) ?? { files: 0, folders: 0, bytes: 0 }
    items.set(name, {
      name,
      files: before.files + (kind === 'file' ? 1 : 0),
      folders: before.folders + (kind === 'folder' ? 1 : 0),
      bytes: before.bytes + bytes,
    })
  }
  return [...items.values()]
}

/** The number of files and their size; the number of folders if there are no files. */
export function amountOf(items: readonly Item[]): string {
  const sum = (key: 'files' | 'folders' | 'bytes'): number =>
    items.reduce((total, item) => total + item[key], 0)
  const [files, folders] = [sum('files'), sum('folders')]
  return files === 0 && folders > 0
    ? text.folders(folders)
    : `${text.files(files)} · ${formatBytes(sum('bytes'))}`
}
