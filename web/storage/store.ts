/** Stores for received bytes: the memory of the page, and the browser's disk. */

/** Verified bytes of a file. */
export type Run = {
  readonly index: number
  readonly offset: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Keeps the runs of one receive. */
export type Store = {
  /** Resolves once the runs are kept; rejects if there is no room. */
  keep(runs: readonly Run[]): Promise<void>
  /** A file of `bytes` bytes from its runs; what was not kept is zero. */
  file(index: number, bytes: number): Promise<Blob>
  /** Forgets everything. */
  clear(): Promise<void>
}

/** A kept part of a file. */
export type Part = { readonly offset: number; readonly blob: Blob }

/** Size of the pieces of long gaps. */
const gapBytes = 1 << 20

/** Joins parts, in any order, to a file of `bytes` bytes. */
export function joined(parts: readonly Part[], bytes: number): Blob {
  const whole: Blob[] = []
  const zeros = new Blob([new Uint8Array(gapBytes)])
  let at = 0
  const fill = (end: number): void => {
    for (; at < end; at += gapBytes) whole.push(zeros.slice(0, Math.min(gapBytes, end - at)))
    at = end
  }
  for (const { offset, blob } of [...parts].sort((one, other) => one.offset - other.offset)) {
    fill(offset)
    whole.push(blob)
    at = offset + blob.size
  }
  fill(bytes)
  return new Blob(whole)
}

/** Runs of one file that follow each other become one part. */
export function partsOf(runs: readonly Run[]): (Part & { readonly index: number })[] {
  const parts: (Part & { index: number })[] = []
  let begun: Run[] = []
  const end = (): void => {
    const [first] = begun
    if (first === undefined) return
    const { index, offset } = first
    parts.push({ index, offset, blob: new Blob(begun.map(({ bytes }) => bytes)) })
    begun = []
  }
  for (const run of runs) {
    const last = begun.at(-1)
    const follows = last?.index === run.index && last.offset + last.bytes.length === run.offset
    if (!follows) end()
    begun.push(run)
  }
  end()
  return parts
}

/** Keeps everything in the page, up to `mostBytes`. */
export class MemoryStore implements Store {
  readonly #mostBytes: number
  readonly #parts = new Map<number, Part[]>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  keep(runs: readonly Run[]): Promise<void> {
    this.#bytes += runs.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (this.#bytes > this.#mostBytes) return Promise.reject(new RangeError('no room'))
    for (const { index, ...part } of partsOf(runs)) {
      const parts = this.#parts.get(index)
      if (parts === undefined) this.#parts.set(index, [part])
      else parts.push(part)
    }
    return Promise.resolve()
  }

  file(index: number, bytes: number): Promise<Blob> {
    return Promise.resolve(joined(this.#parts.get(index) ?? [], bytes))
  }

  clear(): Promise<void> {
    this.#parts.clear()
    this.#bytes = 0
    return Promise.resolve()
  }
}
