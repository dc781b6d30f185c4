/**
 * The engine's transfers as a WebAssembly module (native/src/web/exports_wasm.cc). It has no sockets and no clock: the
 * page carries payloads and datagrams, keeps or reads the data, and passes the time. One instance transfers once.
 */
import { wasiImports } from './wasi'

/** A file, folder or link of the offer. */
export type OfferedEntry = {
  readonly index: number
  readonly kind: 'file' | 'folder' | 'link' | 'gone'
  /** A text to show, not to save. */
  readonly isText: boolean
  readonly bytes: number
  /** The time of the last change, in ms since 1970. */
  readonly modifiedMs: number
  /** The sender's choice: untrusted, `/` between components. */
  readonly path: string
}

/** An error's stable code, and what only a log may show. */
export type ModuleError = { readonly code: string; readonly detail: string }

/** Events of a transfer, in order. Handlers may not call the module. */
export type ModuleEvents = {
  /** A payload for the other side, by the signaling server. */
  readonly payload: (body: string) => void
  /** The other side knows the code; `safety` is for two people to compare. */
  readonly paired: (safety: string) => void
  /** The other side can also be reached as this candidate line says. */
  readonly candidate: (line: string) => void
  /** `resume` opens the next attempt; earlier keys are useless now. */
  readonly connected: (resume: Uint8Array<ArrayBuffer>) => void
  readonly greeted: (peer: string) => void
  /** The sender is the one that proved this id in an earlier attempt, if any. */
  readonly origin: (id: string) => void
  /** The sender leaves out this number of entries for this reason, and others that follow; an empty code begins the list. */
  readonly leftOut: (code: string, entries: number) => void
  /** The sender's user must approve this receiver. */
  readonly approvalAwaited: () => void
  readonly entry: (entry: OfferedEntry) => void
  /** All entries below `end` were listed. */
  readonly offered: (end: number) => void
  readonly removed: (first: number, count: number) => void
  /** Verified bytes of a file, to be kept; runs come in any order. The view is only valid during the call. */
  readonly data: (index: number, offset: number, bytes: Uint8Array<ArrayBuffer>) => void
  /** These bytes of a file are zeros that don't travel. */
  readonly hole: (index: number, offset: number, length: number) => void
  /** The version of a file on the sender's disk, for `Claim` of a later attempt. */
  readonly validator: (index: number, validator: Uint8Array<ArrayBuffer>) => void
  /** These bytes of an earlier attempt are useless. */
  readonly lost: (index: number, offset: number, length: number) => void
  /** All data of a segment was passed on: call `saved` with it once the data are kept. */
  readonly segment: (segment: number) => void
  /** Every byte of this file is kept, except zeros that were not sent. */
  readonly file: (index: number, bytes: number) => void
  /** The requester made its choice: data flows. */
  readonly accepted: () => void
  /** Answer reads in their order, by `readDone` or `readFailed`. */
  readonly read: (index: number, offset: number, length: number) => void
  readonly entryFailed: (index: number, code: string) => void
  readonly peerPaused: (isPaused: boolean) => void
  /** The end; `null` if everything requested is kept. */
  readonly over: (error: ModuleError | null) => void
}

/** Bytes and files that have arrived, and their totals. */
export type Totals = {
  readonly bytes: number
  readonly totalBytes: number
  readonly files: number
  readonly totalFiles: number
}

/** The functions of the module; see exports_wasm.cc. */
type Exports = {
  readonly memory: WebAssembly.Memory
  readonly _initialize: () => void
  readonly input: () => number
  readonly inputBytes: () => number
  readonly open: (codeBytes: number, nameBytes: number, resumes: number, nowMs: number) => void
  readonly openSend: (codeBytes: number, nameBytes: number, nowMs: number) => void
  readonly add: (pathBytes: number, kind: number, bytes: number, modifiedMs: number) => number
  readonly offer: (nowMs: number) => void
  readonly readDone: (bytes: number, nowMs: number) => void
  readonly readFailed: (codeBytes: number, nowMs: number) => void
  readonly signal: (bytes: number, nowMs: number) => void
  readonly streamReady: (nowMs: number) => void
  readonly bytes: (bytes: number, isSecond: number, nowMs: number) => void
  readonly streamOver: (nowMs: number) => void
  readonly takeOutput: () => number
  readonly output: () => number
  readonly choose: (isComplete: number, ranges: number) => void
  readonly hash: (bytes: number) => void
  readonly have: (index: number, offset: number, hashBegin: number, missing: number) => void
  readonly accept: (nowMs: number) => void
  readonly setPaused: (isPaused: number, nowMs: number) => void
  readonly saved: (segment: number, nowMs: number) => void
  readonly end: (codeBytes: number, nowMs: number) => void
  readonly service: (nowMs: number) => number
  readonly totals: () => number
}

const kinds = ['file', 'folder', 'link', 'gone'] as const

/** A range of entries. */
export type EntryRange = { readonly first: number; readonly count: number }

/** The receive as the sender knows it from earlier attempts. */
export type Attempt = {
  /** 16 random bytes, the same for all attempts. */
  readonly receive: Uint8Array
  /** The key of an earlier attempt, in place of the code's words. */
  readonly resume: Uint8Array | null
}

/** The ids by which a requester knows a sending, 16 random bytes each. */
export type SendIds = {
  /** The same for all attempts. */
  readonly share: Uint8Array
  /** The same as long as the page holds the same files, which can't change unnoticed. */
  readonly files: Uint8Array
}

/** Part of a file from an earlier attempt: the first `offset` bytes, except `missing` ranges. */
export type Claim = {
  readonly index: number
  readonly offset: number
  readonly missing: readonly { readonly offset: number; readonly length: number }[]
  readonly validator: Uint8Array
  /** The bytes from here to `offset` are shown to the sender by their hash; none is missing. */
  readonly hashBegin: number
  readonly hashed: AsyncIterable<Uint8Array>
}

/** Answers to an offer; entries that are in neither list are requested. */
export type Choices = {
  readonly unwanted: readonly EntryRange[]
  readonly complete: readonly EntryRange[]
  readonly claims: readonly Claim[]
}

/** Hexadecimal digits. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** One transfer in the module. */
export class TransferModule {
  readonly #exports: Exports
  readonly #now: () => number

  private constructor(exports: Exports, now: () => number) {
    this.#exports = exports
    this.#now = now
  }

  /** Makes an instance; `now` is a monotonic clock in milliseconds. */
  static async create(
    compiled: WebAssembly.Module,
    events: ModuleEvents,
    now: () => number = () => performance.now(),
  ): Promise<TransferModule> {
    let memory: WebAssembly.Memory | null = null
    const view = (at: number, size: number): Uint8Array<ArrayBuffer> =>
      new Uint8Array((memory as WebAssembly.Memory).buffer, at, size)
    const decoder = new TextDecoder()
    const text = (at: number, size: number): string => decoder.decode(view(at, size))
    const page: Record<string, (...values: readonly never[]) => void> = {
      payload: (at: number, size: number) => events.payload(text(at, size)),
      paired: (at: number, size: number) => events.paired(text(at, size)),
      candidate: (at: number, size: number) => events.candidate(text(at, size)),
      connected: (at: number, size: number) => events.connected(view(at, size).slice()),
      greeted: (at: number, size: number) => events.greeted(text(at, size)),
      origin: (at: number, size: number) => events.origin(hexOf(view(at, size))),
      leftOut: (at: number, size: number, entries: number) =>
        events.leftOut(text(at, size), entries),
      approvalAwaited: () => events.approvalAwaited(),
      entry: (
        index: number,
        kind: number,
        isText: number,
        bytes: number,
        modifiedMs: number,
        at: number,
        size: number,
      ) =>
        events.entry({
          index,
          kind: kinds[kind] ?? 'gone',
          isText: isText !== 0,
          bytes,
          modifiedMs,
          path: text(at, size),
        }),
      offered: (end: number) => events.offered(end),
      removed: (first: number, count: number) => events.removed(first, count),
      data: (index: number, offset: number, at: number, size: number) =>
        events.data(index, offset, view(at, size)),
      hole: (index: number, offset: number, length: number) => events.hole(index, offset, length),
      validator: (index: number, at: number, size: number) =>
        events.validator(index, view(at, size).slice()),
      lost: (index: number, offset: number, length: number) => events.lost(index, offset, length),
      segment: (segment: number) => events.segment(segment),
      file: (index: number, bytes: number) => events.file(index, bytes),
      entryFailed: (index: number, at: number, size: number) =>
        events.entryFailed(index, text(at, size)),
      accepted: () => events.accepted(),
      read: (index: number, offset: number, length: number) => events.read(index, offset, length),
      peerPaused: (isPaused: number) => events.peerPaused(isPaused !== 0),
      over: (codeAt: number, codeSize: number, at: number, size: number) =>
        events.over(
          codeSize === 0 ? null : { code: text(codeAt, codeSize), detail: text(at, size) },
        ),
    }
    const instance = await WebAssembly.instantiate(compiled, {
      page,
      ...wasiImports(compiled, view),
    })
    const exports = instance.exports as unknown as Exports
    memory = exports.memory
    exports._initialize()
    return new TransferModule(exports, now)
  }

  /** Begins to pair with the sender of `code`; `name` is shown to it. */
  open(code: string, name: string, { receive, resume }: Attempt): void {
    const codeBytes = this.#give(new TextEncoder().encode(code))
    const nameBytes = this.#give(new TextEncoder().encode(name), codeBytes)
    const textBytes = codeBytes + nameBytes
    this.#give(receive, textBytes)
    if (resume !== null) this.#give(resume, textBytes + receive.length)
    this.#exports.open(codeBytes, nameBytes, resume === null ? 0 : 1, this.#now())
  }

  /** Begins to pair with the computer that requests files by `code`; `name` is shown to it. */
  openSend(code: string, name: string, { share, files }: SendIds): void {
    const codeBytes = this.#give(new TextEncoder().encode(code))
    const nameBytes = this.#give(new TextEncoder().encode(name), codeBytes)
    const textBytes = codeBytes + nameBytes
    this.#give(share, textBytes)
    this.#give(files, textBytes + share.length)
    this.#exports.openSend(codeBytes, nameBytes, this.#now())
  }

  /** Adds a file or folder to the offer; false if the module's limits are reached. */
  add(path: string, kind: 'file' | 'folder', bytes: number, modifiedMs: number): boolean {
    const pathBytes = this.#give(new TextEncoder().encode(path))
    return this.#exports.add(pathBytes, kinds.indexOf(kind), bytes, modifiedMs) !== 0
  }

  /** Offers everything added; once. */
  offer(): void {
    this.#exports.offer(this.#now())
  }

  /** Takes the bytes of the oldest read. */
  readDone(bytes: Uint8Array): void {
    this.#exports.readDone(this.#give(bytes), this.#now())
  }

  /** The oldest read failed with an error's code. */
  readFailed(code: string): void {
    this.#exports.readFailed(this.#give(new TextEncoder().encode(code)), this.#now())
  }

  /** Takes a payload of the other side. */
  signal(body: string): void {
    this.#exports.signal(this.#give(new TextEncoder().encode(body)), this.#now())
  }

  /** The stream of datagrams accepts bytes. */
  streamReady(): void {
    this.#exports.streamReady(this.#now())
  }

  /** Takes bytes of the stream, or of a second one; the datagrams of both count. */
  bytes(bytes: Uint8Array, isSecond: boolean): void {
    const most = this.#exports.inputBytes()
    for (let at = 0; at < bytes.length; at += most) {
      const given = this.#give(bytes.subarray(at, at + most))
      this.#exports.bytes(given, isSecond ? 1 : 0, this.#now())
    }
  }

  /** The stream has ended. */
  streamOver(): void {
    this.#exports.streamOver(this.#now())
  }

  /** Requests what is missing; once, after the first offer. */
  async accept({ unwanted, complete, claims }: Choices): Promise<void> {
    this.#choose(false, unwanted)
    this.#choose(true, complete)
    for (const { index, offset, missing, validator, hashBegin, hashed } of claims) {
      for await (const bytes of hashed)
        for (let at = 0; at < bytes.length; at += this.#exports.inputBytes())
          this.#exports.hash(this.#give(bytes.subarray(at, at + this.#exports.inputBytes())))
      const ranges = new Float64Array(missing.flatMap((range) => [range.offset, range.length]))
      this.#give(new Uint8Array(ranges.buffer), this.#give(validator))
      this.#exports.have(index, offset, hashBegin, missing.length)
    }
    this.#exports.accept(this.#now())
  }

  /** Pauses or resumes on this side. */
  setPaused(isPaused: boolean): void {
    this.#exports.setPaused(isPaused ? 1 : 0, this.#now())
  }

  /** The data of this segment are kept. */
  saved(segment: number): void {
    this.#exports.saved(segment, this.#now())
  }

  /** Ends the transfer with an error's code. */
  end(code: string): void {
    this.#exports.end(this.#give(new TextEncoder().encode(code)), this.#now())
  }

  /**
   * Handles timers and sending: call it after all others. Returns the delay until the next call in milliseconds,
   * infinite if only other calls need one.
   */
  service(): number {
    const deadline = this.#exports.service(this.#now())
    return Math.max(0, deadline - this.#now())
  }

  /** Takes the bytes for the stream, valid until the next call. Until then, the module makes a few hundred kB at most. */
  takeOutput(): Uint8Array<ArrayBuffer> {
    const size = this.#exports.takeOutput()
    return this.#view(this.#exports.output(), size)
  }

  /** The present figures. */
  totals(): Totals {
    const at = this.#exports.totals()
    const [bytes = 0, totalBytes = 0, files = 0, totalFiles = 0] = new Float64Array(
      this.#exports.memory.buffer,
      at,
      4,
    )
    return { bytes, totalBytes, files, totalFiles }
  }

  #choose(isComplete: boolean, ranges: readonly EntryRange[]): void {
    const most = Math.floor(this.#exports.inputBytes() / 8)
    for (let at = 0; at < ranges.length; at += most) {
      const some = ranges.slice(at, at + most)
      this.#give(
        new Uint8Array(new Uint32Array(some.flatMap(({ first, count }) => [first, count])).buffer),
      )
      this.#exports.choose(isComplete ? 1 : 0, some.length)
    }
  }

  /** The size of the module's memory in bytes, which never shrinks. */
  memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength
  }

  /** Copies bytes into the module's input; returns their number. */
  #give(bytes: Uint8Array, at = 0): number {
    if (at + bytes.length > this.#exports.inputBytes())
      throw new RangeError('too much for one call')
    this.#view(this.#exports.input() + at, bytes.length).set(bytes)
    return bytes.length
  }

  #view(at: number, size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#exports.memory.buffer, at, size)
  }
}
