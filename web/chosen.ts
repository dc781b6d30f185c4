/** The files and folders that a person chose to send. */
import { topOf } from './choices'
import { numbered } from './storage/safe-name'

/** A file or folder of an offer. */
export type ChosenEntry = {
  /** `/` between components. */
  readonly path: string
  /** `null` for a folder. */
  readonly file: File | null
  /** The time of the last change, in ms since 1970. */
  readonly modifiedMs: number
}

/** Entries of an offer: more take too much of a page's memory. */
export const maxEntries = 100_000

const maxNameBytes = 255
const maxPathBytes = 4096
const maxDepth = 128

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** True if a receiver accepts this path; names of the app's own part files are refused. */
function isOfferable(path: string): boolean {
  const names = path.split('/')
  return (
    names.length <= maxDepth &&
    bytesOf(path) <= maxPathBytes &&
    names.every(
      (name) =>
        name !== '' &&
        name !== '.' &&
        name !== '..' &&
        !name.includes('\0') &&
        !name.startsWith('.~thru-') &&
        bytesOf(name) <= maxNameBytes,
    )
  )
}

/** The chosen entries, and the number of those that can't be sent. */
export type Chosen = { readonly entries: readonly ChosenEntry[]; readonly refused: number }

/** Entries that a person adds, and the number of those that the browser can’t read. */
export type Added = { readonly entries: readonly ChosenEntry[]; readonly unreadable: number }

export const nothingChosen: Chosen = { entries: [], refused: 0 }

/** Adds items; one whose name is taken gets a number, because it may have other content. */
export function withItems(chosen: Chosen, added: Added): Chosen {
  const taken = new Set(chosen.entries.map(({ path }) => topOf(path)))
  const entries = [...chosen.entries]
  let refused = chosen.refused + added.unreadable
  for (const [top, item] of itemsOf(added.entries)) {
    const name = freeName(top, taken)
    taken.add(name)
    for (const entry of item) {
      const path = name + entry.path.slice(top.length)
      if (entries.length < maxEntries && isOfferable(path)) entries.push({ ...entry, path })
      else refused += 1
    }
  }
  return { entries, refused }
}

function itemsOf(entries: readonly ChosenEntry[]): ReadonlyMap<string, ChosenEntry[]> {
  const items = new Map<string, ChosenEntry[]>()
  for (const entry of entries) {
    const top = topOf(entry.path)
    const item = items.get(top)
    if (item === undefined) items.set(top, [entry])
    else item.push(entry)
  }
  return items
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const free = numbered(name, number)
    if (!taken.has(free)) return free
  }
}

/** Removes one item. */
export const withoutItem = ({ entries, refused }: Chosen, top: string): Chosen => ({
  entries: entries.filter(({ path }) => topOf(path) !== top),
  refused,
})

/** Entries of an `<input type="file">`; a chosen folder's files have relative paths. */
export function ofInput(files: FileList): Added {
  const chosen = Array.from(files, (file) => fileAt(file.webkitRelativePath || file.name, file))
  return { entries: withFolders(chosen), unreadable: 0 }
}

const fileAt = (path: string, file: File): ChosenEntry => ({
  ...{ path, file, modifiedMs: file.lastModified },
})

/** Browsers don't tell the time of a folder. */
const folderAt = (path: string): ChosenEntry => ({ path, file: null, modifiedMs: Date.now() })

/** Adds the folders above files, each before its content. */
function withFolders(files: readonly ChosenEntry[]): readonly ChosenEntry[] {
  const folders = new Set<string>()
  return files.flatMap((entry) => {
    const above: ChosenEntry[] = []
    for (let end = entry.path.indexOf('/'); end !== -1; end = entry.path.indexOf('/', end + 1)) {
      const path = entry.path.slice(0, end)
      if (folders.size < folders.add(path).size) above.push(folderAt(path))
    }
    return [...above, entry]
  })
}

/** Entries of dropped files and folders. */
export async function ofDrop(items: DataTransferItemList): Promise<Added> {
  // The list is empty after the first wait.
  const dropped = Array.from(items, (item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }))
  const found = { entries: new Array<ChosenEntry>(), unreadable: 0 }
  for (const { entry, file } of dropped) {
    if (entry !== null) await walk(entry, entry.name, found)
    // A picture from another page has no entry.
    else if (file !== null) found.entries.push(fileAt(file.name, file))
  }
  return found
}

type Found = { readonly entries: ChosenEntry[]; unreadable: number }

async function walk(entry: FileSystemEntry, path: string, found: Found): Promise<void> {
  // One more than allowed is counted as refused.
  if (found.entries.length > maxEntries) return
  if (isFile(entry)) {
    const file = await new Promise<File | null>((resolve) =>
      entry.file(resolve, () => resolve(null)),
    )
    if (file === null) found.unreadable += 1
    else found.entries.push(fileAt(path, file))
  } else if (isFolder(entry)) {
    found.entries.push(folderAt(path))
    const reader = entry.createReader()
    for (;;) {
      const some = await new Promise<readonly FileSystemEntry[] | null>((resolve) =>
        reader.readEntries(resolve, () => resolve(null)),
      )
      if (some === null) found.unreadable += 1
      if (some === null || some.length === 0) return
      for (const inner of some) await walk(inner, `${path}/${inner.name}`, found)
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
