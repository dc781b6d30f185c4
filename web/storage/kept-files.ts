/**
 * The files of one receive as far as they have arrived, and what a later attempt must know of them. Records are never
 * ahead of the bytes on the disk.
 */
import { BlobPlace, type Place, PrivateFile } from './places'
import { gaps, type Part, without, withPart } from './ranges'
import type { KeptRecord, Records } from './records'

/** Bytes that a page may keep in memory if the browser has no disk for it. */
export const maxInMemory = 128 * 1024 * 1024

/** The place of a receive's bytes. */
export type KeptIn = 'file' | 'database' | 'memory'

/** Records follow the bytes in a file after this many bytes or milliseconds, as in the engine. */
const commitBytes = 64 * 1024 * 1024
const commitMs = 2000

/** Bytes that are read at a time. */
export const readBytes = 1024 * 1024
const numbersPerPart = 5

/** Zeros of gaps and holes; Blobs of longer ones refer to it several times. */
const zeros = new Uint8Array(readBytes)

/** The parts that wait for the next record. */
class Draft {
  readonly #keys = new Map<string, number>()
  readonly #numbers: number[] = []
  readonly #validators: { readonly key: string; readonly validator: Uint8Array }[] = []
  readonly #saved: string[] = []
  bytes = 0

  get isEmpty(): boolean {
    return this.#numbers.length + this.#validators.length + this.#saved.length === 0
  }

  part(key: string, { offset, length, at }: Omit<Part, 'blob'>, isLost = false): void {
    const known = this.#keys.get(key) ?? this.#keys.size
    this.#keys.set(key, known)
    this.#numbers.push(known, offset, length, at ?? -1, isLost ? 1 : 0)
    if (at !== null) this.bytes += length
  }

  validator(key: string, validator: Uint8Array): void {
    this.#validators.push({ key, validator })
  }

  saved(key: string): void {
    this.#saved.push(key)
  }

  record(blob: Blob | null): KeptRecord {
    return {
      keys: [...this.#keys.keys()],
      numbers: new Float64Array(this.#numbers),
      blob,
      validators: this.#validators,
      saved: this.#saved,
    }
  }
}

/** The kept files of one receive. */
export class KeptFiles {
  readonly id: string
  readonly keptIn: KeptIn
  readonly #place: Place
  readonly #records: Records | null
  readonly #parts = new Map<string, Part[]>()
  readonly #validators = new Map<string, Uint8Array>()
  readonly #saved = new Set<string>()
  readonly #blobs = new Map<number, Blob>()
  #lastRead: { number: number; at: number; bytes: Uint8Array<ArrayBuffer> } | null = null
  /** The number of the next record. */
  #number = 1
  #draft = new Draft()
  #committedAtMs = performance.now()
  #failure: Error | null = null
  #writing: Promise<void> = Promise.resolve()

  private constructor(id: string, keptIn: KeptIn, place: Place, records: Records | null) {
    this.id = id
    this.keptIn = keptIn
    this.#place = place
    this.#records = records
  }

  /**
   * Opens the files of a receive in the best place that this browser has. `records` is its database; without one,
   * `maxBytes` are kept in memory.
   */
  static async open(
    id: string,
    records: Records | null,
    maxBytes = maxInMemory,
  ): Promise<KeptFiles> {
    if (records === null) return new KeptFiles(id, 'memory', new BlobPlace(maxBytes), null)
    const before = await records.of(id)
    const isInBlobs = before.some(({ record }) => record.blob !== null)
    const end = Math.max(0, ...before.map(({ record }) => endIn(record)))
    const file = isInBlobs ? null : await PrivateFile.open(id, end).catch(() => null)
    if (file === null && !isInBlobs && !(await records.holdsBlobs()))
      return new KeptFiles(id, 'memory', new BlobPlace(maxBytes), null)
    const keptIn = file === null ? 'database' : 'file'
    const kept = new KeptFiles(id, keptIn, file ?? new BlobPlace(), records)
    if (file !== null || isInBlobs)
      for (const { number, record } of before) kept.#replay(number, record)
    else await records.delete(id)
    return kept
  }

  /** Takes verified bytes of a file, which are only valid during the call. `kept` reports a failure. */
  add(key: string, offset: number, bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#failure !== null) return
    try {
      this.#insert(key, { offset, length: bytes.length, at: this.#place.add(bytes) })
    } catch (reason) {
      this.#failure = asError(reason)
    }
  }

  /** These bytes of a file are zeros. */
  addZeros(key: string, offset: number, length: number): void {
    this.#insert(key, { offset, length, at: null })
  }

  /** These bytes of a file are useless. */
  lose(key: string, offset: number, length: number): void {
    this.#parts.set(key, without(this.#parts.get(key) ?? [], offset, length))
    this.#draft.part(key, { offset, length, at: null }, true)
  }

  setValidator(key: string, validator: Uint8Array): void {
    this.#validators.set(key, validator)
    this.#draft.validator(key, validator)
  }

  /** The file has its name in the chosen folder. */
  setSaved(key: string): void {
    this.#saved.add(key)
    this.#draft.saved(key)
  }

  /** Resolves once all added bytes have left the memory of the page; rejects if there was no room. */
  async kept(): Promise<void> {
    if (this.keptIn !== 'file') await this.commit()
    else if (
      this.#draft.bytes >= commitBytes ||
      performance.now() - this.#committedAtMs >= commitMs
    )
      void this.commit().catch(() => undefined)
    if (this.#failure !== null) throw this.#failure
  }

  /** Resolves once a later attempt will know everything that was added so far. */
  commit(): Promise<void> {
    const number = this.#number
    const draft = this.#draft
    const blob = this.#place.take()
    this.#committedAtMs = performance.now()
    if (draft.isEmpty) return this.#writing
    this.#number += 1
    this.#draft = new Draft()
    if (this.keptIn === 'memory' && blob !== null) this.#blobs.set(number, blob)
    this.#writing = this.#writing
      .then(() => {
        this.#place.flush()
        return this.#records?.add(this.id, number, draft.record(blob))
      })
      .catch((reason: unknown) => {
        this.#failure ??= asError(reason)
        this.#drop(number)
        throw this.#failure
      })
    return this.#writing
  }

  parts(key: string): readonly Part[] {
    return this.#parts.get(key) ?? []
  }

  validator(key: string): Uint8Array | null {
    return this.#validators.get(key) ?? null
  }

  isSaved(key: string): boolean {
    return this.#saved.has(key)
  }

  /** True if every byte of a file has arrived. Empty files have none. */
  has(key: string, bytes: number): boolean {
    return gaps(this.parts(key), bytes).length === 0
  }

  /**
   * Reads bytes of a file, by `buffer` if they need one; what has not arrived is zero. A piece may not be changed, and is
   * only valid until the next one is requested.
   */
  async *read(
    key: string,
    begin: number,
    end: number,
    buffer = new Uint8Array(Math.min(readBytes, end - begin)),
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let at = begin
    for (const part of this.parts(key)) {
      const from = Math.max(part.offset, at)
      const until = Math.min(part.offset + part.length, end)
      if (until <= from) continue
      yield* zerosOf(from - at)
      for (at = from; at < until;) {
        const length = Math.min(buffer.length, until - at)
        const place = part.at === null ? null : part.at + at - part.offset
        if (place === null) yield zeros.subarray(0, length)
        else if (this.keptIn !== 'file') yield await this.#readBlob(part.blob, place, length)
        else {
          const piece = buffer.subarray(0, length)
          this.#place.read(place, piece)
          yield piece
        }
        at += length
      }
    }
    yield* zerosOf(end - at)
  }

  /**
   * Returns a function for the content of files, which throws if the browser has lost a part; nothing may be added after
   * this.
   */
  async contents(): Promise<(key: string, bytes: number) => Blob> {
    await this.#loadBlobs()
    const file = await this.#place.file()
    return (key, bytes) => {
      const content: BlobPart[] = []
      let at = 0
      for (const part of this.parts(key)) {
        content.push(...blobsOfZeros(part.offset - at))
        if (part.at === null) content.push(...blobsOfZeros(part.length))
        else content.push((file ?? this.#blob(part.blob)).slice(part.at, part.at + part.length))
        at = part.offset + part.length
      }
      content.push(...blobsOfZeros(bytes - at))
      return new Blob(content)
    }
  }

  /** Ends the use; the receive can be resumed. */
  async close(): Promise<void> {
    await this.commit().catch(() => undefined)
    this.#place.close()
  }

  #insert(key: string, part: Omit<Part, 'blob'>): void {
    const blob = this.keptIn === 'file' ? 0 : this.#number
    this.#parts.set(key, withPart(this.#parts.get(key) ?? [], { ...part, blob }))
    this.#draft.part(key, part)
  }

  #replay(number: number, { keys, numbers, blob, validators, saved }: KeptRecord): void {
    for (let at = 0; at < numbers.length; at += numbersPerPart) {
      const [index = 0, offset = 0, length = 0, place = -1, isLost = 0] = numbers.subarray(at)
      const key = keys[index] ?? ''
      const parts = this.#parts.get(key) ?? []
      const part = {
        offset,
        length,
        at: place < 0 ? null : place,
        blob: blob === null ? 0 : number,
      }
      this.#parts.set(key, isLost === 1 ? without(parts, offset, length) : withPart(parts, part))
    }
    for (const { key, validator } of validators) this.#validators.set(key, validator)
    for (const key of saved) this.#saved.add(key)
    this.#number = Math.max(this.#number, number + 1)
  }

  async #readBlob(number: number, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const last = this.#lastRead
    if (last?.number === number && last.at <= at && at + length <= last.at + last.bytes.length)
      return last.bytes.subarray(at - last.at, at - last.at + length)
    if (!this.#blobs.has(number)) await this.#loadBlobs()
    const blob = this.#blob(number)
    // A request takes long, and small files follow each other.
    const bytes = new Uint8Array(await blob.slice(at, at + readBytes).arrayBuffer())
    this.#lastRead = { number, at, bytes }
    return bytes.subarray(0, length)
  }

  #blob(number: number): Blob {
    const blob = this.#blobs.get(number)
    if (blob === undefined) throw new Error('a part is no longer kept')
    return blob
  }

  /** The bytes of a record that could not be written are gone. */
  #drop(number: number): void {
    if (this.keptIn !== 'database') return
    for (const [key, parts] of this.#parts)
      this.#parts.set(
        key,
        parts.filter(({ blob }) => blob !== number),
      )
  }

  /** A Blob from the database has its bytes on the disk. */
  async #loadBlobs(): Promise<void> {
    if (this.keptIn !== 'database') return
    for (const { number, record } of (await this.#records?.of(this.id)) ?? [])
      if (record.blob !== null) this.#blobs.set(number, record.blob)
  }
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))

/** The end of a record's bytes in a file. */
function endIn({ numbers, blob }: KeptRecord): number {
  let end = 0
  for (let at = 0; blob === null && at < numbers.length; at += numbersPerPart) {
    const [, , length = 0, place = -1] = numbers.subarray(at)
    if (place >= 0) end = Math.max(end, place + length)
  }
  return end
}

function* zerosOf(length: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let left = length; left > 0; left -= readBytes)
    yield zeros.subarray(0, Math.min(left, readBytes))
}

let blobOfZeros: Blob | null = null

function blobsOfZeros(length: number): Blob[] {
  if (length <= 0) return []
  const whole = (blobOfZeros ??= new Blob([zeros]))
  return Array.from({ length: Math.ceil(length / readBytes) }, (_, at) =>
    whole.slice(0, Math.min(readBytes, length - at * readBytes)),
  )
}
