/** ZIP files as other programs read them. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { keyOf } from '../choices'
import type { OfferedEntry } from '../engine/module'
import { KeptFiles } from '../storage/kept-files'
import { zipOf } from '../storage/zip'

export const timeMs = Date.UTC(2024, 4, 6, 7, 8, 9)

export const entry = (kind: 'file' | 'folder', path: string, bytes: number): OfferedEntry => ({
  ...{ index: 0, kind, isText: false, bytes, modifiedMs: timeMs, path },
})

/** A file for a ZIP file. */
export type File = { readonly entry: OfferedEntry; readonly content: Blob }

export function file(path: string, content: Blob | string): File {
  const blob = typeof content === 'string' ? new Blob([content]) : content
  return { entry: entry('file', path, blob.size), content: blob }
}

/** Packs files; without copies, the ZIP file refers to each. */
export async function pack(
  files: readonly File[],
  folders: readonly OfferedEntry[],
  hasCopies = true,
  onRead?: (bytes: number) => void,
): Promise<Blob> {
  const contents = new Map(files.map((each) => [keyOf(each.entry), each.content]))
  const contentOf = (key: string): Blob => contents.get(key) ?? new Blob()
  const step = 1 << 20
  const kept = {
    contents: () => Promise.resolve(contentOf),
    async *read(key: string, begin: number, end: number) {
      for (let at = begin; at < end; at += step) {
        const some = contentOf(key).slice(at, Math.min(at + step, end))
        yield new Uint8Array(await some.arrayBuffer())
      }
    },
  }
  const copies = hasCopies ? await KeptFiles.open('zip', null, Infinity) : null
  return zipOf({ files: files.map((each) => each.entry), folders, kept, copies }, onRead)
}

/** Lets Python check every CRC-32 and print the entries. */
const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    infos = archive.infolist()
    texts = {each.filename: archive.read(each).decode() for each in infos if each.file_size < 100}
    names = [each.filename for each in infos]
    print(json.dumps({
        'bad': archive.testzip(),
        'sizes': {each.filename: each.file_size for each in infos},
        'texts': {name: texts[name] for name in names[:20] + names[-20:] if name in texts},
        'names': names[:20],
    }))
`

/** The findings of Python: all sizes, and the first and last of names and texts. */
export type Listed = {
  /** The first damaged file. */
  readonly bad: string | null
  readonly sizes: Readonly<Record<string, number>>
  readonly texts: Readonly<Record<string, string>>
  readonly names: readonly string[]
}

export const listed = (path: string): Listed =>
  JSON.parse(
    execFileSync('python3', ['-c', script, path], { encoding: 'utf8', maxBuffer: 1 << 26 }),
  ) as Listed

export const unzip = '/usr/bin/unzip'
export const hasUnzip = existsSync(unzip)

/** Lets unzip check the CRC-32 of some files, or of all, if it is installed. */
export function check(path: string, ...names: readonly string[]): void {
  if (hasUnzip) execFileSync(unzip, ['-tqq', path, ...names])
}

/** Writes content without its zeros, which the disk doesn't store. */
export async function writeSparse(path: string, content: Blob): Promise<void> {
  const target = await open(path, 'w')
  const step = 16 << 20
  const nothing = Buffer.alloc(step)
  for (let at = 0; at < content.size; at += step) {
    const bytes = Buffer.from(await content.slice(at, at + step).arrayBuffer())
    if (!bytes.equals(nothing.subarray(0, bytes.length))) await target.write(bytes, 0, null, at)
  }
  await target.truncate(content.size)
  await target.close()
}
