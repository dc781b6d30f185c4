/**
 * One ZIP file of everything that has arrived (APPNOTE.TXT 6.3.10, with ZIP64). It is a Blob that refers to
 * large files, which stay where the browser keeps them, and to copies of small ones. Nothing is compressed.
 */
import { keyOf } from '../choices'
import type { OfferedEntry } from '../engine/module'
import { crc32 } from './crc32'
import { type KeptFiles, readBytes } from './kept-files'
import { numbered, safePath } from './safe-name'

/** Larger files are not copied. */
const maxCopiedBytes = readBytes

/** Numbers that stand for one in a ZIP64 field. */
const most16 = 0xffff
const most32 = 0xffffffff

const plainVersion = 20
const zip64Version = 45
/** The high byte says that modes are those of Unix. */
const madeBy = (3 << 8) | zip64Version
const utf8Names = 1 << 11
const stored = 0
const fileMode = 0o100644 << 16
/** The last bit is that of a folder on Windows. */
const folderMode = (0o40755 << 16) | 0x10

/** Bytes, or a little-endian number and its size in bytes. */
type Field = readonly [size: 1 | 2 | 4 | 8, value: number] | Uint8Array

const sizeOf = (field: Field): number => (field instanceof Uint8Array ? field.length : field[0])

function bytesOf(...fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, field) => sum + sizeOf(field), 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of fields) {
    if (field instanceof Uint8Array) bytes.set(field, at)
    else if (field[0] === 1) view.setUint8(at, field[1])
    else if (field[0] === 2) view.setUint16(at, field[1], true)
    else if (field[0] === 4) view.setUint32(at, field[1], true)
    else view.setBigUint64(at, BigInt(field[1]), true)
    at += sizeOf(field)
  }
  return bytes
}

/** An entry of the ZIP file. */
type Entry = {
  readonly name: Uint8Array<ArrayBuffer>
  readonly isFolder: boolean
  readonly modifiedMs: number
  /** The key of a kept file. */
  readonly key: string
  /** The size of the content in bytes; 0 for a folder. */
  readonly size: number
}

/** The entries, folders first. Names differ also where upper and lower case are the same. */
function entriesOf(files: readonly OfferedEntry[], folders: readonly OfferedEntry[]): Entry[] {
  const encoder = new TextEncoder()
  const taken = new Set<string>()
  const freeName = (path: string): string => {
    for (let number = 1; ; number += 1) {
      const slash = path.lastIndexOf('/') + 1
      const name = path.slice(0, slash) + numbered(path.slice(slash), number)
      if (taken.size < taken.add(name.toLowerCase()).size) return name
    }
  }
  const folderPaths = new Map(folders.map((entry) => [safePath(entry.path), entry.modifiedMs]))
  for (const path of folderPaths.keys()) taken.add(path.toLowerCase())
  return [
    ...[...folderPaths].map(([path, modifiedMs]) => ({
      ...{ name: encoder.encode(`${path}/`), isFolder: true, modifiedMs, key: '', size: 0 },
    })),
    ...files.map((entry) => ({
      name: encoder.encode(freeName(safePath(entry.path))),
      ...{ isFolder: false, modifiedMs: entry.modifiedMs, key: keyOf(entry), size: entry.bytes },
    })),
  ]
}

const firstTime = new Date(1980, 0).getTime()

/** Local time in steps of two seconds, from 1980 on. */
function dosTime(ms: number): readonly [Field, Field] {
  const time = new Date(Math.max(ms, firstTime))
  const year = Math.min(time.getFullYear() - 1980, 127)
  return [
    [2, (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)],
    [2, (year << 9) | ((time.getMonth() + 1) << 5) | time.getDate()],
  ]
}

/** The extended timestamp: seconds since 1970, if four bytes hold them. */
function unixTime(ms: number): readonly Field[] {
  const seconds = Math.floor(ms / 1000)
  return seconds === (seconds | 0)
    ? [
        [2, 0x5455],
        [2, 5],
        [1, 1],
        [4, seconds],
      ]
    : []
}

/** The ZIP64 extra field with these numbers. */
const large = (...values: readonly number[]): readonly Field[] =>
  values.length === 0
    ? []
    : [[2, 1], [2, values.length * 8], ...values.map((value): Field => [8, value])]

const or32 = (value: number): Field => [4, Math.min(value, most32)]

/** The fields that both headers of an entry have. */
function shared({ modifiedMs, size, name }: Entry, sum: number, extra: Uint8Array): Field[] {
  const isLarge = size >= most32
  return [
    ...([
      [2, isLarge ? zip64Version : plainVersion],
      [2, utf8Names],
      [2, stored],
    ] as const),
    ...dosTime(modifiedMs),
    ...([[4, sum], or32(size), or32(size)] as const),
    ...([
      [2, name.length],
      [2, extra.length],
    ] as const),
  ]
}

function localHeader(entry: Entry, sum: number): Uint8Array<ArrayBuffer> {
  const { size } = entry
  const values = size >= most32 ? [size, size] : []
  const extra = bytesOf(...large(...values), ...unixTime(entry.modifiedMs))
  return bytesOf([4, 0x04034b50], ...shared(entry, sum, extra), entry.name, extra)
}

/** The entry in the list at the end; `offset` is that of its local header. */
function listed(entry: Entry, sum: number, offset: number): Uint8Array<ArrayBuffer> {
  const { size } = entry
  const values = [...(size >= most32 ? [size, size] : []), ...(offset >= most32 ? [offset] : [])]
  const extra = bytesOf(...large(...values), ...unixTime(entry.modifiedMs))
  return bytesOf(
    ...([[4, 0x02014b50], [2, madeBy], ...shared(entry, sum, extra)] as const),
    // No comment, the first disk, and no text.
    ...([
      [2, 0],
      [2, 0],
      [2, 0],
    ] as const),
    ...([[4, entry.isFolder ? folderMode : fileMode], or32(offset), entry.name, extra] as const),
  )
}

/** The end of a ZIP file with `count` entries, which are listed from `offset` on. */
function endOf(count: number, listBytes: number, offset: number): Uint8Array<ArrayBuffer> {
  const isLarge = count >= most16 || listBytes >= most32 || offset >= most32
  const end = bytesOf(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
    ] as const),
    ...([
      [2, Math.min(count, most16)],
      [2, Math.min(count, most16)],
    ] as const),
    ...([or32(listBytes), or32(offset), [2, 0]] as const),
  )
  if (!isLarge) return end
  return bytesOf(
    ...([
      [4, 0x06064b50],
      [8, 44],
      [2, madeBy],
      [2, zip64Version],
      [4, 0],
      [4, 0],
    ] as const),
    ...([
      [8, count],
      [8, count],
      [8, listBytes],
      [8, offset],
    ] as const),
    // The place of these fields.
    ...([[4, 0x07064b50], [4, 0], [8, offset + listBytes], [4, 1], end] as const),
  )
}

/** Bytes that are joined to one Blob; a browser needs more memory for each Blob than for a small file. */
const joinedBytes = 4 * 1024 * 1024

/** The content of a ZIP file in order: Blobs of large files, and joined bytes between them. */
class Output {
  readonly #copies: KeptFiles | null
  readonly #parts: (Blob | { readonly begin: number; readonly end: number })[] = []
  readonly #joined = new Uint8Array(joinedBytes)
  #waiting = 0
  #copied = 0
  bytes = 0

  /** Joined bytes are kept in `copies`; without it, in the memory of the browser. */
  constructor(copies: KeptFiles | null) {
    this.#copies = copies
  }

  async add(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#waiting + bytes.length > joinedBytes) await this.#join()
    this.#joined.set(bytes, this.#waiting)
    this.#waiting += bytes.length
    this.bytes += bytes.length
  }

  async refer(content: Blob): Promise<void> {
    await this.#join()
    this.#parts.push(content)
    this.bytes += content.size
  }

  async finish(type: string): Promise<Blob> {
    await this.#join()
    const content = await this.#copies?.contents()
    const copies = content?.(copiesKey, this.#copied) ?? new Blob()
    const parts = this.#parts.map((part) =>
      part instanceof Blob ? part : copies.slice(part.begin, part.end),
    )
    return new Blob(parts, { type })
  }

  async #join(): Promise<void> {
    if (this.#waiting === 0) return
    const bytes = this.#joined.subarray(0, this.#waiting)
    this.#waiting = 0
    if (this.#copies === null) {
      this.#parts.push(new Blob([bytes]))
      return
    }
    const begin = this.#copied
    this.#copies.add(copiesKey, begin, bytes)
    this.#copied += bytes.length
    this.#parts.push({ begin, end: this.#copied })
    await this.#copies.kept()
  }
}

const copiesKey = 'zip'

/** The content of a ZIP file. */
export type ZipContent = {
  readonly files: readonly OfferedEntry[]
  readonly folders: readonly OfferedEntry[]
  readonly kept: Pick<KeptFiles, 'read' | 'contents'>
  /** Takes copies of small files; without it, the ZIP file refers to each. */
  readonly copies: KeptFiles | null
}

/** Packs files and folders; `onRead` gets the number of bytes read so far. Rejects if a file can't be read. */
export async function zipOf(
  { files, folders, kept, copies }: ZipContent,
  onRead: (bytes: number) => void = () => undefined,
): Promise<Blob> {
  const contentOf = await kept.contents()
  const output = new Output(copies)
  const list: Uint8Array<ArrayBuffer>[] = []
  // A browser frees buffers late, so all files share these.
  const [buffer, content] = [new Uint8Array(readBytes), new Uint8Array(maxCopiedBytes)]
  let read = 0
  for (const entry of entriesOf(files, folders)) {
    const isCopied = copies !== null && entry.size <= maxCopiedBytes
    let [sum, at] = [0, 0]
    for await (const bytes of kept.read(entry.key, 0, entry.size, buffer)) {
      sum = crc32(bytes, sum)
      if (isCopied) content.set(bytes, at)
      at += bytes.length
      onRead(read + at)
    }
    read += at
    list.push(listed(entry, sum, output.bytes))
    await output.add(localHeader(entry, sum))
    if (isCopied) await output.add(content.subarray(0, entry.size))
    else await output.refer(contentOf(entry.key, entry.size))
  }
  const offset = output.bytes
  for (const line of list) await output.add(line)
  await output.add(endOf(list.length, output.bytes - offset, offset))
  return output.finish('application/zip')
}
