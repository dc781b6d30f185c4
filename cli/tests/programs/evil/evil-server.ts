/**
 * A signaling server that attacks. Each client's socket has a counterpart at a real server behind it, so
 * everything else passes unchanged. Bodies are attacked at a receiver's socket, which belongs to exactly one
 * pair.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { Journal } from '#client/tests/bare-server'
import { type ClientMessage, encode, type ServerMessage } from '#shared/signaling/messages'
import { signalingPath } from '#shared/signaling/paths'
import { type SignalingServer, startSignalingServer } from '#signaling/server'

/** A body in transit from one side of a pair to the other. */
export type Passing = {
  readonly from: 'receiver' | 'sender'
  /** The index of this side's bodies, from 0. */
  readonly index: number
  readonly body: string
  readonly line: ReceiverLine
}

/** Returns the bodies to relay in place of one, in order. */
export type Attack = (passing: Passing) => readonly string[]

/** Relays everything unchanged. */
export const honest: Attack = ({ body }) => [body]

/** A client's socket and its counterpart. */
class Line {
  readonly client: WebSocket
  readonly #upstream: WebSocket
  readonly #frames: string[]
  #waiting: string[] | null = []

  constructor(client: WebSocket, upstreamUrl: string, frames: string[]) {
    this.client = client
    this.#frames = frames
    this.#upstream = new WebSocket(upstreamUrl)
    // The greeting is the real server's, because hosts sign its nonce.
    this.#upstream.once('message', (data: Buffer) => client.send(data.toString()))
    this.#upstream.on('open', () => {
      for (const text of this.#waiting ?? []) this.#upstream.send(text)
      this.#waiting = null
    })
    for (const [socket, other] of [
      [client, this.#upstream],
      [this.#upstream, client],
    ] as const) {
      socket.on('error', () => undefined)
      socket.on('close', (code) => {
        // Codes below 1000 and these two mean that there was no close code.
        if (code === 1005 || code === 1006) other.terminate()
        else other.close(code)
      })
    }
  }

  /** Calls `listener` for each message of the real server to this client. */
  onAnswer(listener: (message: ServerMessage) => void): void {
    this.#upstream.on('message', (data: Buffer) =>
      listener(JSON.parse(data.toString()) as ServerMessage),
    )
  }

  /** Sends a message to the client in the server's name. */
  say(message: ServerMessage): void {
    const text = encode(message)
    this.#frames.push(text)
    this.client.send(text)
  }

  /** Sends a message to the real server in the client's name. */
  ask(message: ClientMessage): void {
    const text = encode(message)
    if (this.#waiting !== null) this.#waiting.push(text)
    else if (this.#upstream.readyState === WebSocket.OPEN) this.#upstream.send(text)
  }

  cut(): void {
    this.client.terminate()
    this.#upstream.terminate()
  }
}

/** The socket of a receiver. */
export class ReceiverLine {
  readonly #line: Line
  readonly #attack: Attack
  readonly #counts = { receiver: 0, sender: 0 }
  /** Bodies waiting for the introduction. */
  #waiting: string[] = []
  /** The sender's id for this receiver. */
  #peer: string | null = null
  /** The sender's bodies that this receiver got, altered or not. */
  readonly given: string[] = []
  readonly joined: Promise<string>
  #resolveJoined: (peer: string) => void = () => undefined
  /** Resolves when the client's socket has ended. */
  readonly ended: Promise<void>

  constructor(line: Line, attack: Attack) {
    this.#line = line
    this.#attack = attack
    this.joined = new Promise((resolve) => (this.#resolveJoined = resolve))
    this.ended = new Promise((resolve) => line.client.on('close', () => resolve()))
    line.onAnswer((message) => this.#onAnswer(message))
  }

  get say(): Line['say'] {
    return (message) => this.#line.say(message)
  }

  /** Sends the receiver a body in the sender's name. */
  toReceiver(body: string): void {
    if (this.#peer === null) return
    this.given.push(body)
    this.#line.say({ t: 'relay', from: this.#peer, body })
  }

  toSender(body: string): void {
    if (this.#peer === null) this.#waiting.push(body)
    else this.#line.ask({ t: 'relay', to: this.#peer, body })
  }

  onClient(message: ClientMessage): void {
    if (message.t === 'relay') {
      for (const body of this.#attacked('receiver', message.body)) this.toSender(body)
    } else if (message.t === 'join' && message.body !== undefined) {
      const { body: opening, ...rest } = message
      const [body, ...more] = this.#attacked('receiver', opening)
      this.#waiting.push(...more)
      this.#line.ask(body === undefined ? rest : { ...rest, body })
    } else {
      this.#line.ask(message)
    }
  }

  #onAnswer(message: ServerMessage): void {
    if (message.t === 'relay') {
      for (const body of this.#attacked('sender', message.body)) this.toReceiver(body)
      return
    }
    this.#line.say(message)
    if (message.t !== 'joined') return
    this.#peer = message.peer
    for (const body of this.#waiting.splice(0)) this.toSender(body)
    this.#resolveJoined(message.peer)
  }

  #attacked(from: Passing['from'], body: string): readonly string[] {
    const index = this.#counts[from]
    this.#counts[from] += 1
    return this.#attack({ from, index, body, line: this })
  }
}

/** The socket of a sender. */
export class SenderLine {
  readonly #line: Line
  readonly #forgets: () => boolean
  readonly #invented = new Map<string, InventedReceiver>()
  /** The ids of real receivers, in the order of their introduction. */
  readonly peers: string[] = []

  /** `forgets` makes the server forget the sender's previous nameplate. */
  constructor(line: Line, forgets: () => boolean) {
    this.#line = line
    this.#forgets = forgets
    line.onAnswer((message) => {
      if (message.t === 'peer') this.peers.push(message.peer)
      line.say(message)
    })
  }

  get say(): Line['say'] {
    return (message) => this.#line.say(message)
  }

  /** Ends the sender's socket like a broken line. */
  cut(): void {
    this.#line.cut()
  }

  /** Introduces a receiver that doesn't exist, regardless of the real server's limits. */
  invent(opening?: string): InventedReceiver {
    const id = randomBytes(8).toString('hex')
    const receiver = new InventedReceiver(id, this)
    this.#invented.set(id, receiver)
    this.say({ t: 'peer', peer: id, ...(opening === undefined ? {} : { body: opening }) })
    return receiver
  }

  onClient(message: ClientMessage): void {
    if (message.t === 'relay' && this.#invented.has(message.to)) {
      this.#invented.get(message.to)?.heard.add(message.body)
    } else if (message.t === 'host' && this.#forgets()) {
      this.#line.ask({ t: 'host', v: message.v })
    } else if (message.t !== 'grant' || !this.#invented.has(message.peer)) {
      this.#line.ask(message)
    }
  }
}

/** A receiver invented by the evil server. */
export class InventedReceiver {
  readonly id: string
  readonly #sender: SenderLine
  /** The sender's bodies to it. */
  readonly heard = new Journal<string>()

  constructor(id: string, sender: SenderLine) {
    this.id = id
    this.#sender = sender
  }

  send(body: string): void {
    this.#sender.say({ t: 'relay', from: this.id, body })
  }

  /** Introduces it once more under the same id. */
  repeat(opening?: string): void {
    this.#sender.say({
      t: 'peer',
      peer: this.id,
      ...(opening === undefined ? {} : { body: opening }),
    })
  }

  leave(): void {
    this.#sender.say({ t: 'gone', peer: this.id })
  }
}

/** The evil server, from `start` to `close`. */
export class EvilServer {
  readonly #real: SignalingServer
  readonly #http: Server
  readonly #webSockets: WebSocketServer
  readonly #lines = new Set<Line>()
  /** All messages from and to clients. */
  readonly frames: string[] = []
  /** Sockets that named a nameplate, and sockets that host one, for tests to await. */
  readonly receivers = new Journal<ReceiverLine>()
  readonly senders = new Journal<SenderLine>()
  /** The number of requests for an introduction. */
  joins = 0
  /** True to assign another nameplate to a returning host. */
  forgetsNameplates = false
  /** The attack on the bodies of new receivers. */
  attack: Attack = honest

  /** Listens on `port`, or on a free one. */
  static async start(port = 0): Promise<EvilServer> {
    const real = await startSignalingServer({
      host: '127.0.0.1',
      port: 0,
      trustLoopback: true,
      sessionCreatesPerMin: 1000,
      sessionCreatesBurst: 1000,
      wsConnectionsPerMin: 1000,
      wsConnectionsBurst: 1000,
    })
    if (!real.ok) throw new Error(real.error.detail)
    const server = new EvilServer(real.value)
    await new Promise<void>((resolve) => server.#http.listen(port, '127.0.0.1', resolve))
    return server
  }

  private constructor(real: SignalingServer) {
    this.#real = real
    this.#http = createServer()
    this.#webSockets = new WebSocketServer({ server: this.#http, path: signalingPath })
    this.#webSockets.on('connection', (client) => this.#onClient(client))
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`
  }

  /** Ends all sockets at once, like a crash. */
  async close(): Promise<void> {
    for (const line of this.#lines) line.cut()
    await new Promise((resolve) => this.#http.close(resolve))
    await this.#real.close()
  }

  #onClient(client: WebSocket): void {
    const line = new Line(client, this.#real.url + signalingPath, this.frames)
    this.#lines.add(line)
    client.on('close', () => this.#lines.delete(line))
    let listener: { onClient(message: ClientMessage): void } | null = null
    client.on('message', (data: Buffer) => {
      const text = data.toString()
      this.frames.push(text)
      const message = JSON.parse(text) as ClientMessage
      listener ??= this.#rolePlayedBy(line, message)
      listener.onClient(message)
    })
  }

  #rolePlayedBy(line: Line, { t }: ClientMessage) {
    if (t === 'host') {
      const sender = new SenderLine(line, () => this.forgetsNameplates)
      this.senders.add(sender)
      return sender
    }
    this.joins += 1
    const receiver = new ReceiverLine(line, this.attack)
    this.receivers.add(receiver)
    return receiver
  }
}
