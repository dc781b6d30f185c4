/** One receive of a page: the signaling server, the stream of datagrams, the module and the store. */
import { type ErrorCode, toErrorCode } from '#shared/errors'
import {
  closeCodes,
  serverRelayPathOf,
  ticketProtocol,
  type WebLimits,
} from '#shared/signaling/messages'
import {
  type EntryRange,
  type ModuleError,
  type OfferedEntry,
  ReceiverModule,
  type Totals,
} from './engine/module'
import { Introduction, type OpenSocket, type PageSocket } from './signaling/introduction'
import type { Run, Store } from './storage/store'

/** The end of a receive. */
export type End = { readonly code: ErrorCode; readonly detail: string }

/** Events of a receive that a page shows. */
export type ReceiveEvents = {
  /** The server answered; `limits` are its own for pages, if it has any. */
  readonly welcomed: (limits: WebLimits | null) => void
  readonly paired: (safety: string) => void
  readonly greeted: (sender: string) => void
  readonly approvalAwaited: () => void
  /** Everything offered so far, after each change. */
  readonly offered: (entries: readonly OfferedEntry[]) => void
  readonly file: (entry: OfferedEntry, content: Blob) => void
  readonly entryFailed: (index: number, code: ErrorCode) => void
  readonly peerPaused: (isPaused: boolean) => void
  /** The end; `null` if everything requested has arrived. */
  readonly over: (end: End | null) => void
}

/** The surroundings of a receive. */
export type ReceiveOptions = {
  /** The join code in its normal form. */
  readonly code: string
  /** Shown to the sender. */
  readonly name: string
  /** The signaling server's `ws:` or `wss:` address, without a path. */
  readonly server: string
  /** The server's password; empty at an open one. */
  readonly password: string
  readonly compiled: WebAssembly.Module
  readonly store: Store
  readonly openSocket: OpenSocket
  readonly events: ReceiveEvents
}

/** A stream of datagrams. */
type Stream = { readonly socket: PageSocket; isReady: boolean }

/** Receives once. */
export class Receive {
  readonly #options: ReceiveOptions
  readonly #entries = new Map<number, OfferedEntry>()
  #module: ReceiverModule | null = null
  #introduction: Introduction | null = null
  #stream: Stream | null = null
  #runs: Run[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Resolves when all files so far were passed on. */
  #handed: Promise<void> = Promise.resolve()
  #isOver = false

  constructor(options: ReceiveOptions) {
    this.#options = options
  }

  /** Begins; the result arrives in events. */
  async start(): Promise<void> {
    const { code, name, server, password, compiled, openSocket, events } = this.#options
    this.#module = await ReceiverModule.create(compiled, {
      payload: (body) => this.#introduction?.send(body),
      paired: events.paired,
      connected: () => this.#introduction?.leave(),
      greeted: events.greeted,
      approvalAwaited: events.approvalAwaited,
      entry: (entry) => this.#entries.set(entry.index, entry),
      offered: () => events.offered([...this.#entries.values()]),
      removed: (first, count) => this.#remove(first, count),
      data: (index, offset, bytes) => this.#runs.push({ index, offset, bytes }),
      segment: (segment) => this.#keep(segment),
      file: (index, bytes) => this.#hand(index, bytes),
      entryFailed: (index, reason) => events.entryFailed(index, toErrorCode(reason)),
      peerPaused: events.peerPaused,
      over: (error) => this.#end(error),
    })
    if (this.#isOver) return
    const place = { server, password }
    this.#introduction = new Introduction(place, code.slice(0, code.indexOf('-')), {
      openSocket,
      events: {
        ready: (limits) => {
          events.welcomed(limits)
          this.#call((module) => module.open(code, name))
        },
        payload: (body) => this.#call((module) => module.signal(body)),
        relay: (ticket, node) => this.#open(ticket, node),
        over: (reason) => {
          this.#end({ code: reason, detail: 'the signaling server' })
          this.#stream?.socket.close()
        },
      },
    })
  }

  /** Requests everything offered except these entries; once. */
  accept(unwanted: readonly EntryRange[] = []): void {
    this.#call((module) => module.accept(unwanted))
  }

  /** Pauses or resumes. */
  setPaused(isPaused: boolean): void {
    this.#call((module) => module.setPaused(isPaused))
  }

  /** Ends the receive; `over` follows. */
  cancel(): void {
    this.#call((module) => module.end('E_CANCELLED'))
  }

  /** The present figures; `null` before the module runs. */
  totals(): Totals | null {
    return this.#module?.totals() ?? null
  }

  /** Opens the stream to the sender. */
  #open(ticket: string, node: string): void {
    if (this.#stream !== null || this.#isOver) return
    const { server, openSocket } = this.#options
    const socket = openSocket(`${server}${serverRelayPathOf(node)}`, [`${ticketProtocol}${ticket}`])
    const stream = { socket, isReady: false }
    this.#stream = stream
    socket.binaryType = 'arraybuffer'
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (!(data instanceof ArrayBuffer)) return
      this.#call((module) => {
        // The server's first message only shows that the sender is there.
        if (!stream.isReady) {
          stream.isReady = true
          module.streamReady()
        }
        module.bytes(new Uint8Array(data))
      })
    }
    socket.onclose = ({ code }: { code: number }) =>
      this.#call((module) => {
        if (code === closeCodes.quota) module.end('E_RELAY_QUOTA')
        else module.streamOver()
      })
  }

  /** Calls the module, and then its service. */
  #call(work: (module: ReceiverModule) => void): void {
    const module = this.#module
    if (module === null || this.#isOver) return
    work(module)
    this.#serve(module)
  }

  #serve(module: ReceiverModule): void {
    clearTimeout(this.#timer)
    const { output, delayMs } = module.service()
    if (output.length > 0) this.#stream?.socket.send(output)
    if (this.#isOver) this.#stream?.socket.close()
    else if (Number.isFinite(delayMs)) {
      this.#timer = setTimeout(() => this.#call(() => undefined), delayMs)
    }
  }

  /** Keeps the runs of a segment, which have just been passed on. */
  #keep(segment: number): void {
    const runs = this.#runs
    this.#runs = []
    this.#options.store.keep(runs).then(
      () => this.#call((module) => module.saved(segment)),
      () => this.#call((module) => module.end('E_DISK_FULL')),
    )
  }

  #hand(index: number, bytes: number): void {
    const entry = this.#entries.get(index)
    if (entry === undefined) return
    const { store, events } = this.#options
    const passed = store.file(index, bytes).then(
      (content) => events.file(entry, content),
      () => this.#call((module) => module.end('E_DISK_IO')),
    )
    this.#handed = Promise.all([this.#handed, passed]).then(() => undefined)
  }

  #remove(first: number, count: number): void {
    for (const index of [...this.#entries.keys()])
      if (index >= first && index < first + count) this.#entries.delete(index)
    this.#options.events.offered([...this.#entries.values()])
  }

  #end(error: ModuleError | null): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#introduction?.leave()
    const end = error === null ? null : { code: toErrorCode(error.code), detail: error.detail }
    void this.#handed.then(() => this.#options.events.over(end))
  }
}
