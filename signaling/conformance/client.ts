import { type ClientOptions, WebSocket } from 'ws'
import { demand, Mismatch, shown } from './demand.ts'
import { faultOf, isKnown, isLast, isSecret, type Message, type ServerMessages } from './schemas.ts'
import { type Beginning, type Boxes, ExchangeKey, type OwnerSecret } from './sealing.ts'

/** An arrival: a valid message, a fault, or the close. */
type Arrival =
  { readonly message: Message } | { readonly fault: Mismatch } | { readonly closed: number }

/** One socket of the kit. It checks every arrival against the tables of the specification. */
export class Client {
  readonly socket: WebSocket
  readonly key = new ExchangeKey()
  /** Messages that no server may send, recorded even if no case waits for them. */
  readonly faults: Mismatch[] = []
  /** Every `turn`, including those that a case skipped. */
  readonly turns: Message[] = []
  readonly #patienceMs: number
  readonly #arrived: Arrival[] = []
  #wake: () => void = () => undefined
  #beginning: Beginning | null = null
  #boxes: Boxes | null = null
  #hasEnded = false

  constructor(url: string, patienceMs: number, options: ClientOptions = {}) {
    this.#patienceMs = patienceMs
    this.socket = new WebSocket(url, { perMessageDeflate: false, ...options })
    this.socket.on('message', (data, isBinary) => this.#onFrame(data as Buffer, isBinary))
    this.socket.on('error', () => undefined)
    this.socket.on('close', (code) => this.#push({ closed: code }))
  }

  /** Resolves after the server's welcome. */
  async welcomed(): Promise<this> {
    await this.#next('welcome')
    return this
  }

  /** Values that both sides exchanged at the beginning. */
  get beginning(): Beginning {
    if (this.#beginning === null) throw new Error('there was no welcome')
    return this.#beginning
  }

  /** Sends a message, or any text unchanged. */
  send(message: Message | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  boxed(message: Message | string): Message {
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    return { t: 'sealed', key: this.key.text, box: this.boxes.seal(text) }
  }

  sendBoxed(message: Message | string): void {
    this.send(this.boxed(message))
  }

  /** The keys of a `host` that prove this socket's ownership. */
  proof(owner: OwnerSecret): { key: string; owner: string; proof: string } {
    return { key: this.key.text, owner: owner.text, proof: owner.prove(this.beginning) }
  }

  get boxes(): Boxes {
    this.#boxes ??= this.key.boxes(this.beginning)
    return this.#boxes
  }

  /**
   * The next message, which must be a `t`. Skips an unexpected `turn`, because the server decides about
   * relays.
   */
  next<T extends keyof ServerMessages>(t: T): Promise<ServerMessages[T]> {
    return this.#next(t)
  }

  /** True if the next message is a `t`; the message stays in the queue. */
  async isNext(t: keyof ServerMessages): Promise<boolean> {
    await this.#wait()
    const [first] = this.#arrived
    return first !== undefined && 'message' in first && first.message.t === t
  }

  /** Requires the next message to be this error, followed by a close with this code. */
  async refused(code: string, closeCode: number): Promise<void> {
    const error = await this.#next('error')
    demand(isLast(error) && error.code === code, `error ${code}`, error)
    await this.closed(closeCode)
  }

  /** Requires the next arrival to be a close with this code. */
  async closed(code: number): Promise<void> {
    const arrival = await this.#arrival(`close ${code}`)
    if (isOfRelays(arrival)) return this.closed(code)
    const got = describe(arrival)
    demand(got === `close ${code}`, `close ${code}`, got)
  }

  /** Returns the code of the close, skipping all messages before it. */
  async ended(): Promise<number> {
    for (;;) {
      const arrival = await this.#arrival('a close')
      if ('closed' in arrival) return arrival.closed
    }
  }

  /** Requires that no unexpected message has arrived. */
  quiet(): void {
    const first = this.#arrived.find((arrival) => !isOfRelays(arrival))
    if (first === undefined) return
    if ('fault' in first) throw first.fault
    throw new Mismatch('nothing more', describe(first))
  }

  /**
   * Resolves when the server has processed all earlier messages of a participant: it answers a message for an
   * unknown peer after all of them.
   */
  async settled(): Promise<void> {
    const nobody = 'fedcba9876543210'
    this.send({ t: 'relay', to: nobody, body: 'AA==' })
    const { code, peer } = await this.#next('error')
    demand(code === 'E_PEER_GONE' && peer === nobody, 'E_PEER_GONE with its peer', { code, peer })
    this.quiet()
  }

  /** True if something arrives within `ms`. */
  async arrives(ms: number): Promise<boolean> {
    await this.#wait(ms)
    return this.#arrived.length > 0
  }

  /** Ends the connection abruptly. */
  async cut(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return
    const ended = new Promise((resolve) => this.socket.once('close', resolve))
    this.socket.terminate()
    await ended
  }

  async #next<T extends keyof ServerMessages>(t: T): Promise<ServerMessages[T]> {
    const arrival = await this.#arrival(t)
    if (t !== 'turn' && isOfRelays(arrival)) return this.#next(t)
    if ('message' in arrival && arrival.message.t === t) {
      return arrival.message as unknown as ServerMessages[T]
    }
    throw new Mismatch(t, describe(arrival))
  }

  async #arrival(expected: string): Promise<Exclude<Arrival, { readonly fault: Mismatch }>> {
    await this.#wait()
    const arrival = this.#arrived.shift()
    if (arrival === undefined) {
      throw new Mismatch(expected, `nothing for ${this.#patienceMs / 1000} s`)
    }
    if ('fault' in arrival) throw arrival.fault
    return arrival
  }

  async #wait(ms = this.#patienceMs): Promise<void> {
    if (this.#arrived.length > 0) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
  }

  #push(arrival: Arrival): void {
    if ('fault' in arrival) this.faults.push(arrival.fault)
    this.#arrived.push(arrival)
    this.#wake()
  }

  #onFrame(data: Buffer, isBinary: boolean): void {
    const fault = (expected: string, got: unknown) =>
      this.#push({ fault: new Mismatch(expected, shown(got)) })
    if (isBinary) {
      fault('a text frame', 'a binary one')
      return
    }
    let message = parsed(data.toString())
    if (message === null) {
      fault('a JSON object with t', data.toString())
      return
    }
    if (message.t === 'sealed' && faultOf(message) === null) {
      const opened = this.#beginning === null ? null : this.boxes.open(String(message['box']))
      message = opened === null ? null : parsed(opened)
      if (message === null || message.t === 'sealed') {
        fault('the next box, with a message', opened ?? 'a box that can not be opened')
        return
      }
    } else if (isSecret(message)) {
      fault(`${message.t} in a box`, 'one that anybody on the line can read')
      return
    }
    if (!isKnown(message.t)) return
    const wrong = faultOf(message)
    if (wrong !== null) fault(wrong.expected, wrong.got)
    else if (this.#hasEnded) fault('nothing after the error that ends the socket', message)
    else if ((message.t === 'welcome') === (this.#beginning !== null)) {
      fault('one welcome, before all others', message)
    } else {
      if (message.t === 'welcome') {
        const { nonce, key } = message as unknown as ServerMessages['welcome']
        this.#beginning = { nonce, server: key, client: this.key.text }
      }
      this.#hasEnded = isLast(message)
      if (message.t === 'turn') this.turns.push(message)
      this.#push({ message })
    }
  }
}

const isOfRelays = (arrival: Arrival): boolean =>
  'message' in arrival && ['turn', 'server-relay'].includes(arrival.message.t)

const describe = (arrival: Exclude<Arrival, { readonly fault: Mismatch }>): string =>
  'closed' in arrival ? `close ${arrival.closed}` : shown(arrival.message)

/** A message, or `null` for invalid text. */
function parsed(text: string): Message | null {
  try {
    const value = JSON.parse(text) as unknown
    const isMessage = typeof value === 'object' && value !== null && 't' in value
    return isMessage && typeof value.t === 'string' ? (value as Message) : null
  } catch {
    return null
  }
}
