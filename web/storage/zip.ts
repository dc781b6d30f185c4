/**
 * One ZIP file of everything that has arrived (APPNOTE.TXT 6.3.10, with ZIP64). It is a Blob of headers and of the files'
 * own Blobs. The content stays where the browser keeps it, uncompressed.
 */
import type { OfferedEntry } from '../engine/module'
import type { ArrivedFile } from '../receive'
import { crc32 } from './crc32'
import { numbered, safePath } from './safe-name'

/** Bytes and pieces of files that are read at a time: one request for many small files, or part of a large one. */
const readBytes = 4 * 1024 * 1024
const readPieces = 1000

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

/** An entry of the ZIP file; the content of folders is empty. */
type Entry = {
  readonly name: Uint8Array<ArrayBuffer>
  readonly isFolder: boolean
  readonly modifiedMs: number
  readonly content: Blob
}

const empty = new Blob()

/** The entries, folders first. Names differ also where upper and lower case are the same. */
function entriesOf(files: readonly ArrivedFile[], folders: readonly OfferedEntry[]): Entry[] {
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
      ...{ name: encoder.encode(`${path}/`), isFolder: true, modifiedMs, content: empty },
    })),
    ...files.map(({ entry, content }) => ({
      name: encoder.encode(freeName(safePath(entry.path))),
      ...{ isFolder: false, modifiedMs: entry.modifiedMs, content },
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
function shared({ modifiedMs, content, name }: Entry, sum: number, extra: Uint8Array): Field[] {
  const isLarge = content.size >= most32
  return [
    ...([
      [2, isLarge ? zip64Version : plainVersion],
      [2, utf8Names],
      [2, stored],
    ] as const),
    ...dosTime(modifiedMs),
    ...([[4, sum], or32(content.size), or32(content.size)] as const),
    ...([
      [2, name.length],
      [2, extra.length],
    ] as const),
  ]
}

function localHeader(entry: Entry, sum: number): Uint8Array<ArrayBuffer> {
  const { size } = entry.content
  const values = size >= most32 ? [size, size] : []
  const extra = bytesOf(...large(...values), ...unixTime(entry.modifiedMs))
  return bytesOf([4, 0x04034b50], ...shared(entry, sum, extra), entry.name, extra)
}

/** The entry in the list at the end; `offset` is that of its local header. */
function listed(entry: Entry, sum: number, offset: number): Uint8Array<ArrayBuffer> {
  const { size } = entry.content
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

/** The CRC-32 of each content; `onRead` gets the number of bytes read so far. */
async function checksums(
  contents: readonly Blob[],
  onRead: (bytes: number) => void,
): Promise<readonly number[]> {
  const sums = new Array<number>(contents.length).fill(0)
  let pieces: { readonly of: number; readonly piece: Blob }[] = []
  let [waiting, total] = [0, 0]
  const read = async (): Promise<void> => {
    const bytes = new Uint8Array(await new Blob(pieces.map(({ piece }) => piece)).arrayBuffer())
    let at = 0
    for (const { of, piece } of pieces) {
      sums[of] = crc32(bytes.subarray(at, at + piece.size), sums[of])
      at += piece.size
    }
    total += waiting
    ;[waiting, pieces] = [0, []]
    onRead(total)
  }
  for (const [of, content] of contents.entries())
    for (let at = 0; at < content.size;) {
      const isWhole = content.size <= readBytes - waiting
      const piece = isWhole ? content : content.slice(at, at + readBytes - waiting)
      pieces.push({ of, piece })
      waiting += piece.size
      at += piece.size
      if (waiting === readBytes || pieces.length === readPieces) await read()
    }
  await read()
  return sums
}

/** Packs files and folders; `onRead` gets the number of bytes read so far. Rejects if a file can't be read. */
export async function zipOf(
  files: readonly ArrivedFile[],
  folders: readonly OfferedEntry[],
  onRead: (bytes: number) => void = () => undefined,
): Promise<Blob> {
  const entries = entriesOf(files, folders)
  const sums = await checksums(
    entries.map(({ content }) => content),
    onRead,
  )
  const parts: BlobPart[] = []
  const list: BlobPart[] = []
  let [offset, listBytes] = [0, 0]
  for (const [at, entry] of entries.entries()) {
    const sum = sums[at] ?? 0
    const header = localHeader(entry, sum)
    const line = listed(entry, sum, offset)
    parts.push(header, entry.content)
    list.push(line)
    offset += header.length + entry.content.size
    listBytes += line.length
  }
  const type = 'application/zip'
  return new Blob([...parts, ...list, endOf(entries.length, listBytes, offset)], { type })
}
