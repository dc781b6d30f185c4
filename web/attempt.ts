/** One attempt to receive or send: the signaling server, the stream of datagrams, and the module. */
import { type ErrorCode, toErrorCode } from '#shared/errors'
import { closeCodes, ticketProtocol, type WebLimits } from '#shared/signaling/messages'
import { serverRelayPathOf } from '#shared/signaling/paths'
import { encodeSending, failureFor } from '#shared/signaling/sending'
import { Direct } from './direct'
import {
  type Attempt as AttemptIds,
  type Choices,
  type ModuleError,
  type ModuleEvents,
  type SendIds,
  type Totals,
  TransferModule,
} from './engine/module'
import { Introduction, type OpenSocket, type PageSocket } from './signaling/introduction'

/** The end of an attempt. */
export type End = { readonly code: ErrorCode; readonly detail: string }

/** Events of a connection that a page shows, whether it receives or sends. */
export type ConnectionEvents = {
  /** The server answered, and carries until `moved`; `limits` are its own for pages, if it has any. */
  readonly welcomed: (limits: WebLimits | null) => void
  /** The page has left the server for a direct stream, to which no limits apply. */
  readonly moved: () => void
  readonly paired: (safety: string) => void
  /** Called with the other side's name. */
  readonly greeted: (name: string) => void
  readonly peerPaused: (isPaused: boolean) => void
  /** The connection was lost, and the page looks for the other side; false once it is back. */
  readonly reconnecting: (isLost: boolean) => void
}

/** Events of an attempt: those of the module that concern its owner, with its error codes. */
export type AttemptEvents = Omit<ModuleEvents, 'payload' | 'candidate' | 'over'> &
  Pick<ConnectionEvents, 'welcomed' | 'moved'> & {
    /** The direct stream has ended after the page had moved to it; `over` follows. */
    readonly directLost: () => void
    /** No event follows; `null` if everything requested is kept. */
    readonly over: (end: End | null) => void
  }

/** The surroundings that all attempts of a page's receive or sending share. */
export type Surroundings = {
  /** The join code in its normal form. */
  readonly code: string
  /** Shown to the other side. */
  readonly name: string
  /** The signaling server's `ws:` or `wss:` address, without a path. */
  readonly server: string
  /** The server's password; empty at an open one. */
  readonly password: string
  readonly compiled: WebAssembly.Module
  readonly openSocket: OpenSocket
}

/** The options of one attempt. */
export type AttemptOptions = Surroundings & {
  /** The ids of a receive, or of a sending, whose joins begin with `join`. */
  readonly ids: AttemptIds | (SendIds & { readonly join: string })
  /** Moves to a direct stream if the other side names one. */
  readonly mayGoDirect: boolean
  readonly events: AttemptEvents
}

type Stream = { readonly socket: PageSocket; isReady: boolean }

/** Bytes that a stream's socket may hold before the module gets to send more. */
const maxBuffered = 1024 * 1024
/** Interval at which a full socket is looked at, ms: sockets don't tell when they have room. */
const fullMs = 4
/** Time until a page that has moved to the direct stream ends the one by the server, ms: datagrams may be under way. */
const leavingMs = 1000

/** Receives or sends once. */
export class Attempt {
  readonly #options: AttemptOptions
  #module: TransferModule | null = null
  #introduction: Introduction | null = null
  #stream: Stream | null = null
  /** Replaces the stream by the server as soon as it is ready. */
  readonly #direct: Direct
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The first payload of a sending. */
  #announced: string | null = null
  #isOver = false

  constructor(options: AttemptOptions) {
    this.#options = options
    this.#direct = new Direct({
      ready: () => this.#move(),
      bytes: (bytes) => this.#call((module) => module.bytes(bytes, true)),
      over: () => {
        options.events.directLost()
        this.#call((module) => module.streamOver())
      },
    })
  }

  /** Begins; the result arrives in events. */
  async start(): Promise<void> {
    const { code, name, ids, server, password, compiled, openSocket, mayGoDirect, events } =
      this.#options
    this.#module = await TransferModule.create(compiled, {
      ...events,
      payload: (body) => this.#introduction?.send(body),
      candidate: (line) => {
        // A page of the local network has its server in the other computer.
        if (mayGoDirect && server.startsWith('wss:')) this.#direct.add(line)
      },
      connected: (resume) => {
        this.#introduction?.leave()
        events.connected(resume)
      },
      over: (error) => this.#end(error),
    })
    if (this.#isOver) return
    const place = { server, password }
    this.#introduction = new Introduction(place, code.slice(0, code.indexOf('-')), {
      openSocket,
      events: {
        ready: (limits) => {
          events.welcomed(limits)
          if ('share' in ids) this.#announce(ids.join)
          this.#call((module) =>
            'share' in ids ? module.openSend(code, name, ids) : module.open(code, name, ids),
          )
        },
        payload: (body) => this.#hear(body),
        relay: (ticket, node) => this.#open(ticket, node),
        over: (reason) => this.#end({ code: reason, detail: 'the signaling server' }),
      },
    })
  }

  /** Says that this side sends, before the other side may begin to pair. */
  #announce(join: string): void {
    this.#announced = encodeSending(join, crypto.getRandomValues(new Uint8Array(16)))
    this.#introduction?.send(this.#announced)
  }

  #hear(body: string): void {
    const refusal = this.#announced === null ? null : failureFor(this.#announced, body)
    if (refusal === null) this.#call((module) => module.signal(body))
    else this.#end({ code: refusal, detail: 'said by the other side' })
  }

  /** Lets `work` use the module; for the functions that belong to one direction. */
  call(work: (module: TransferModule) => void): void {
    this.#call(work)
  }

  /** Requests what is missing; once, after the first offer. */
  async accept(choices: Choices): Promise<void> {
    const module = this.#module
    if (module === null || this.#isOver) return
    await module.accept(choices)
    this.#call(() => undefined)
  }

  /** Pauses or resumes. */
  setPaused(isPaused: boolean): void {
    this.#call((module) => module.setPaused(isPaused))
  }

  /** Ends the attempt with an error's code; `over` follows. */
  end(code: ErrorCode): void {
    if (this.#module === null) this.#end({ code, detail: 'ended by the page' })
    else this.#call((module) => module.end(code))
  }

  /** The present figures; `null` before the module runs. */
  totals(): Totals | null {
    return this.#module?.totals() ?? null
  }

  #open(ticket: string, node: string): void {
    if (this.#stream !== null || this.#isOver || this.#direct.isReady) return
    const { server, openSocket } = this.#options
    const socket = openSocket(`${server}${serverRelayPathOf(node)}`, [`${ticketProtocol}${ticket}`])
    const stream = { socket, isReady: false }
    this.#stream = stream
    socket.binaryType = 'arraybuffer'
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (!(data instanceof ArrayBuffer)) return
      this.#call((module) => {
        // The server's first message only shows that the other side is there.
        if (!stream.isReady) {
          stream.isReady = true
          if (!this.#direct.isReady) module.streamReady()
        }
        module.bytes(new Uint8Array(data), false)
      })
    }
    socket.onclose = ({ code }: { code: number }) =>
      this.#call((module) => {
        if (this.#direct.isReady) return
        if (code === closeCodes.quota) module.end('E_RELAY_QUOTA')
        else module.streamOver()
      })
  }

  /** Uses the direct stream. What the server still carries counts too, until it has ended the stream. */
  #move(): void {
    this.#options.events.moved()
    this.#call((module) => {
      if (this.#stream?.isReady !== true) module.streamReady()
    })
    setTimeout(() => this.#stream?.socket.close(), leavingMs)
  }

  /** Calls the module, and then its service. */
  #call(work: (module: TransferModule) => void): void {
    const module = this.#module
    if (module === null || this.#isOver) return
    work(module)
    this.#serve(module)
  }

  #serve(module: TransferModule): void {
    clearTimeout(this.#timer)
    const way = this.#direct.isReady ? this.#direct : this.#stream?.socket
    let delayMs = 0
    for (let isMore = true; isMore;) {
      // Timers and the end can't wait for a way that may never have room again.
      const nextMs = module.service()
      const isFull = !this.#isOver && (way?.bufferedAmount ?? 0) >= maxBuffered
      const output = isFull ? null : module.takeOutput()
      if (output !== null && output.length > 0) way?.send(output)
      delayMs = isFull ? fullMs : nextMs
      isMore = output !== null && output.length > 0 && delayMs === 0
    }
    if (!this.#isOver && Number.isFinite(delayMs)) {
      this.#timer = setTimeout(() => this.#call(() => undefined), delayMs)
    }
  }

  #end(error: ModuleError | null): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#introduction?.leave()
    // The module's last messages are still sent.
    queueMicrotask(() => {
      this.#stream?.socket.close()
      this.#direct.close()
    })
    this.#options.events.over(
      error === null ? null : { code: toErrorCode(error.code), detail: error.detail },
    )
  }
}
