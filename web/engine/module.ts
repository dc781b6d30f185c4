/**
 * The engine's receiver as a WebAssembly module (native/src/web/exports_wasm.cc). It has no sockets and no clock: the
 * page carries payloads and datagrams, keeps the data, and passes the time. One instance receives once.
 */
import { wasiImports } from './wasi'

/** A file, folder or link of the offer. */
export type OfferedEntry = {
  readonly index: number
  readonly kind: 'file' | 'folder' | 'link' | 'gone'
  /** A text to show, not to save. */
  readonly isText: boolean
  readonly bytes: number
  /** The sender's choice: untrusted, `/` between components. */
  readonly path: string
}

/** An error's stable code, and what only a log may show. */
export type ModuleError = { readonly code: string; readonly detail: string }

/** Events of a receive, in order. Handlers may not call the module. */
export type ModuleEvents = {
  /** A payload for the sender, by the signaling server. */
  readonly payload: (body: string) => void
  /** The sender knows the code; `safety` is for two people to compare. */
  readonly paired: (safety: string) => void
  readonly connected: () => void
  readonly greeted: (sender: string) => void
  /** The sender's user must approve this receiver. */
  readonly approvalAwaited: () => void
  readonly entry: (entry: OfferedEntry) => void
  /** All entries below `end` were listed. */
  readonly offered: (end: number) => void
  readonly removed: (first: number, count: number) => void
  /** Verified bytes of a file, to be kept; runs come in any order. */
  readonly data: (index: number, offset: number, bytes: Uint8Array<ArrayBuffer>) => void
  /** All data of a segment was passed on: call `saved` with it once the data are kept. */
  readonly segment: (segment: number) => void
  /** Every byte of this file is kept, except zeros that were not sent. */
  readonly file: (index: number, bytes: number) => void
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
  readonly open: (codeBytes: number, nameBytes: number, nowMs: number) => void
  readonly signal: (bytes: number, nowMs: number) => void
  readonly streamReady: (nowMs: number) => void
  readonly bytes: (bytes: number, nowMs: number) => void
  readonly streamOver: (nowMs: number) => void
  readonly takeOutput: () => number
  readonly output: () => number
  readonly accept: (ranges: number, nowMs: number) => void
  readonly setPaused: (isPaused: number, nowMs: number) => void
  readonly saved: (segment: number, nowMs: number) => void
  readonly end: (codeBytes: number, nowMs: number) => void
  readonly service: (nowMs: number) => number
  readonly totals: () => number
}

const kinds = ['file', 'folder', 'link', 'gone'] as const

/** A range of entries. */
export type EntryRange = { readonly first: number; readonly count: number }

/** One receive in the module. */
export class ReceiverModule {
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
  ): Promise<ReceiverModule> {
    let memory: WebAssembly.Memory | null = null
    const view = (at: number, size: number): Uint8Array<ArrayBuffer> =>
      new Uint8Array((memory as WebAssembly.Memory).buffer, at, size)
    const decoder = new TextDecoder()
    const text = (at: number, size: number): string => decoder.decode(view(at, size))
    const page: Record<string, (...values: readonly never[]) => void> = {
      payload: (at: number, size: number) => events.payload(text(at, size)),
      paired: (at: number, size: number) => events.paired(text(at, size)),
      connected: () => events.connected(),
      greeted: (at: number, size: number) => events.greeted(text(at, size)),
      approvalAwaited: () => events.approvalAwaited(),
      entry: (
        index: number,
        kind: number,
        isText: number,
        bytes: number,
        at: number,
        size: number,
      ) =>
        events.entry({
          index,
          kind: kinds[kind] ?? 'gone',
          isText: isText !== 0,
          bytes,
          path: text(at, size),
        }),
      offered: (end: number) => events.offered(end),
      removed: (first: number, count: number) => events.removed(first, count),
      data: (index: number, offset: number, at: number, size: number) =>
        events.data(index, offset, view(at, size).slice()),
      segment: (segment: number) => events.segment(segment),
      file: (index: number, bytes: number) => events.file(index, bytes),
      entryFailed: (index: number, at: number, size: number) =>
        events.entryFailed(index, text(at, size)),
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
    return new ReceiverModule(exports, now)
  }

  /** Begins to pair with the sender of `code`; `name` is shown to it. */
  open(code: string, name: string): void {
    const codeBytes = this.#give(new TextEncoder().encode(code))
    const nameBytes = this.#give(new TextEncoder().encode(name), codeBytes)
    this.#exports.open(codeBytes, nameBytes, this.#now())
  }

  /** Takes a payload of the sender. */
  signal(body: string): void {
    this.#exports.signal(this.#give(new TextEncoder().encode(body)), this.#now())
  }

  /** The stream of datagrams accepts bytes. */
  streamReady(): void {
    this.#exports.streamReady(this.#now())
  }

  /** Takes bytes of the stream. */
  bytes(bytes: Uint8Array): void {
    const most = this.#exports.inputBytes()
    for (let at = 0; at < bytes.length; at += most) {
      const given = this.#give(bytes.subarray(at, at + most))
      this.#exports.bytes(given, this.#now())
    }
  }

  /** The stream has ended. */
  streamOver(): void {
    this.#exports.streamOver(this.#now())
  }

  /** Requests everything offered except these entries; once, after the first offer. */
  accept(unwanted: readonly EntryRange[]): void {
    const numbers = new Uint32Array(unwanted.flatMap(({ first, count }) => [first, count]))
    this.#give(new Uint8Array(numbers.buffer))
    this.#exports.accept(unwanted.length, this.#now())
  }

  /** Pauses or resumes on this side. */
  setPaused(isPaused: boolean): void {
    this.#exports.setPaused(isPaused ? 1 : 0, this.#now())
  }

  /** The data of this segment are kept. */
  saved(segment: number): void {
    this.#exports.saved(segment, this.#now())
  }

  /** Ends the receive with an error's code. */
  end(code: string): void {
    this.#exports.end(this.#give(new TextEncoder().encode(code)), this.#now())
  }

  /**
   * Handles timers and sending: call it after all others. Returns the bytes for the stream, and the delay until the
   * next call in milliseconds, infinite if only other calls need one.
   */
  service(): { readonly output: Uint8Array<ArrayBuffer>; readonly delayMs: number } {
    const deadline = this.#exports.service(this.#now())
    const size = this.#exports.takeOutput()
    const output = this.#view(this.#exports.output(), size).slice()
    return { output, delayMs: Math.max(0, deadline - this.#now()) }
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
