/**
 * One client's socket. The protocol (normative: docs/signaling.md), one JSON text per frame:
 *
 *   welcome                         on every socket, from the server;
 *   host   {v, key, owner, ...}     once, first   -> hosted {nameplate, ttlS};
 *   join   {v, nameplate, ...}      once, first   -> joined {peer}      and `peer {peer, body?}` to the host;
 *   listen {v, mailboxes}           first, again  -> listening {};
 *   relay  {to, body}               in a pair     -> nothing            and `relay {from, body}` to `to`
 *                                                    or error E_PEER_GONE {peer}; the socket stays
 *                                                    or error E_RATE_LIMITED: too much for the host;
 *   grant  {peer}                   host          -> `turn {peer, ...}` and `server-relay {peer, ticket}` to both, when there are relays,
 *                                                    and `pass` to the joiner
 *                                                    or error E_PEER_GONE {peer}; the socket stays;
 *   notify {mailbox, body}          host          -> notified {mailbox, reached} and `notify` to the listeners
 *                                                    or error E_RATE_LIMITED {mailbox}; the socket stays;
 *   leave  {}                       afterwards    -> close 1000         and `gone {peer}` to the others
 *
 * Messages with a mailbox or a secret travel in `sealed`, see client-channel.ts. The host's end also ends its joiners'
 * sockets (4003); a joiner's end is only reported to the host. Every other error is sent as `error {code}` and closes
 * the socket: E_NO_SUCH_CODE after a random pause that reveals nothing. Responses keep the order of requests.
 *
 * This file owns decoding, order, rate and liveness; rooms.ts decides the effects of messages on a session.
 */
import type { RawData, WebSocket } from 'ws'
import { assertNever } from '#shared/assert-never'
import type { ErrorCode } from '#shared/errors'
import {
  type ClientMessage,
  type CloseCode,
  closeCodes,
  encode,
  type ServerMessage,
} from '#shared/signaling/messages'
import { bodyBytes } from '#signaling/limits/held-bytes'
import { JoinerBounds } from '#signaling/limits/joiner-bounds'
import { MessageAllowance } from '#signaling/limits/message-allowance'
import type { Role } from '#signaling/metrics/server-metrics'
import { isInOrder } from '#signaling/rooms/message-order'
import { notify } from '#signaling/rooms/notification'
import type { ConnectionId, Effect } from '#signaling/rooms/rooms'
import { StoreError } from '#signaling/rooms/store-error'
import { admitHost, admitJoiner, lookFor } from '#signaling/socket/admit'
import { ClientChannel, type OpenMessage } from '#signaling/socket/client-channel'
import type { ConnectionContext, ConnectionFacts } from '#signaling/socket/connection-context'
import { Liveness } from '#signaling/socket/liveness'
import { type Granted, hasRelays, relayOffers } from '#signaling/socket/relay-offers'
import { isMidMessage, unfinishedBytes } from '#signaling/socket/unfinished-message'
import { WorkQueue } from '#signaling/socket/work-queue'

/** Pause before an `E_NO_SUCH_CODE`: far longer than a lookup, short for a person. */
const refusalMs = { from: 300, below: 601 }

/** Longer than an honest pairing. */
const pairingMs = 3000

type Message<T> = Extract<ClientMessage, { readonly t: T }>

const closeCodeOf = (code: ErrorCode): CloseCode =>
  code === 'E_PEER_VERSION' ? closeCodes.refused : closeCodes.malformed

/** One socket from its upgrade to its end. */
export class Connection {
  readonly id: ConnectionId
  /** Resolves when the socket has ended and the session has been informed. */
  readonly ended: Promise<void>
  readonly #socket: WebSocket
  readonly #facts: ConnectionFacts
  readonly #channel: ClientChannel
  readonly #context: ConnectionContext
  readonly #liveness: Liveness
  readonly #allowance: MessageAllowance
  /** The role that the first message requested. */
  #role: Role = 'none'
  #joiner: JoinerBounds | null = null
  /** Start of this joiner's wait for its introduction and grant, ms. */
  #joinedAt = 0
  /** Time of the last introduction, ms. */
  #introducedAt = -Infinity
  /** The nameplate in which this client takes part. */
  #nameplate: string | null = null
  /** Time since which nothing more is read, started or sent, ms. */
  #closingAt: number | null = null
  #refused = false
  /** True once the session was told that this socket ended. */
  #hasLeft = false
  /** Effects held back until it is known if this client gets relays; `null` at other times. */
  #held: Effect[] | null = null
  /** True once a `leave` arrived, even if the socket ends before it is processed. */
  #saidLeave = false
  readonly #work = new WorkQueue((reason) => this.#onFailure(reason))

  constructor(facts: ConnectionFacts, socket: WebSocket, context: ConnectionContext) {
    const now = context.clock.now()
    const { address } = facts
    this.id = facts.id
    this.#socket = socket
    this.#facts = facts
    const nonce = context.random.bytes(32).toString('base64url')
    this.#channel = new ClientChannel(facts.key, nonce, facts.joins, context.web)
    this.#context = context
    this.#liveness = new Liveness(facts.isReserved, now)
    this.#allowance = new MessageAllowance(context.rules.messages, now)
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary))
    socket.on('ping', (data: Buffer) => this.#onPing(data))
    socket.on('pong', () => this.#admit())
    // The library closes with the right code itself; the listener prevents a crash.
    socket.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      socket.once('close', (code) => {
        context.log({ event: 'closed', code, ...context.nameAddress(address) })
        this.#end()
        void this.#work.done.then(resolve)
      })
    })
    context.log({ event: 'opened', ...context.nameAddress(address) })
    this.#send(this.#channel.welcome)
  }

  /** Applies one effect for this connection. */
  carryOut(effect: Effect): void {
    if (this.#held !== null) {
      this.#held.push(effect)
      return
    }
    switch (effect.type) {
      case 'assign':
        this.#nameplate = effect.nameplate
        // The socket ended while the store was working.
        if (this.#hasLeft) this.#work.add(() => this.#leave())
        break
      case 'send':
        this.#send(effect.message)
        if (effect.message.t === 'joined') this.#meet(effect.message.peer)
        break
      case 'hand-over':
        this.#takeOver(effect)
        break
      case 'relays':
        if (this.#joiner !== null) this.#observe('pairing')
        this.#joiner?.letIn()
        this.#giveRelays(effect)
        break
      case 'pass': {
        const { nameplate, owner, pass } = effect
        this.#sendSealed({ t: 'pass', pass: this.#context.passes.issue(nameplate, owner, pass) })
        break
      }
      case 'refuse':
        if (effect.code === 'E_NO_SUCH_CODE') this.#refuseLater(effect.code)
        else this.#fail(effect.code, closeCodes.refused)
        break
      case 'close':
        // The session has already forgotten this socket.
        this.#nameplate = null
        this.close(effect.code)
        break
      default:
        assertNever(effect)
    }
  }

  /** Starts the closing handshake; later messages are ignored. */
  close(code: CloseCode): void {
    if (this.#closingAt !== null) return
    this.#end()
    this.#socket.close(code)
  }

  /** Ends the socket without a handshake. */
  terminate(): void {
    this.#socket.terminate()
  }

  /** The role of this socket. */
  get role(): Role {
    return this.#role
  }

  /** True once nothing more is read or sent. */
  get isClosing(): boolean {
    return this.#closingAt !== null
  }

  /** True if it was introduced a moment ago, and may still be checking the other side. */
  get isPairing(): boolean {
    return this.#context.clock.now() - this.#introducedAt < pairingMs
  }

  /** Bytes buffered for a slow client. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  /** Buffered bytes, plus unprocessed messages in both directions and its incomplete message. */
  get heldBytes(): number {
    const waiting = this.#work.bytes + bodyBytes(this.#held ?? [])
    return this.bufferedBytes + waiting + unfinishedBytes(this.#socket)
  }

  /** Checks liveness and deadlines; call it about once a second. */
  tick(): void {
    const { rules, clock } = this.#context
    const now = clock.now()
    if (this.#closingAt !== null) {
      if (now - this.#closingAt >= rules.closingMs) this.terminate()
      return
    }
    if (this.#joiner?.isLate(rules.joiners, now) === true) {
      this.#part()
      return
    }
    this.#liveness.lookAt(isMidMessage(this.#socket), now)
    switch (this.#liveness.due(rules, this.#role !== 'none', now)) {
      case 'endless':
        this.close(closeCodes.policy)
        break
      case 'silent':
        this.close(closeCodes.silent)
        break
      case 'idle':
        this.close(closeCodes.idle)
        break
      case 'ping':
        this.#socket.ping()
        break
      default:
    }
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    if (!this.#admit()) return
    if (isBinary) {
      this.close(closeCodes.binary)
      return
    }
    this.#liveness.endMessage()
    const { metrics, rules } = this.#context
    const bytes = (data as Buffer).length
    metrics.receivedBytes.add(bytes)
    const message = this.#channel.read((data as Buffer).toString())
    if (!message.ok) {
      this.#fail(message.error.code, closeCodeOf(message.error.code))
      return
    }
    metrics.messages.add(message.value.t)
    if (this.#work.bytes + bytes > rules.maxBufferedBytes) {
      this.#fail('E_RATE_LIMITED', closeCodes.tooManyMessages)
      return
    }
    if (message.value.t === 'leave') this.#saidLeave = true
    this.#work.add(() => this.#handle(message.value), bytes)
  }

  /** Answers a ping, which uses the allowance. In a flood, the library's own answers would close without a code. */
  #onPing(data: Buffer): void {
    this.#admit()
    const isHeard = this.bufferedBytes <= this.#context.rules.maxBufferedBytes
    if (this.#closingAt === null && isHeard) this.#socket.pong(data)
  }

  /** Records a sign of life and takes it from the allowance. False if the data must not be read. */
  #admit(): boolean {
    if (this.#closingAt !== null || this.#refused) return false
    const now = this.#context.clock.now()
    this.#liveness.onReceived(now)
    const { messages, joiners } = this.#context.rules
    const rate = this.#joiner?.isLetIn === false ? joiners.messages : messages
    const isAllowed = this.#allowance.take(rate, now)
    if (!isAllowed) this.#fail('E_RATE_LIMITED', closeCodes.tooManyMessages)
    return isAllowed
  }

  async #handle(message: OpenMessage): Promise<void> {
    if (this.#refused) return
    if (!isInOrder(message.t, this.#role, this.#nameplate !== null)) {
      this.#fail('E_SERVER_PROTOCOL', closeCodes.order)
      return
    }
    switch (message.t) {
      case 'host':
      case 'join':
        await this.#enter(message)
        break
      case 'listen':
        await this.#listen(message)
        break
      case 'notify':
        await this.#notify(message)
        break
      default:
        await this.#takePart(message)
    }
  }

  async #enter(message: Message<'host' | 'join'>): Promise<void> {
    const { rendezvous, admission, log } = this.#context
    const { address } = this.#facts
    const isHost = message.t === 'host'
    this.#role = isHost ? 'host' : 'joiner'
    this.#joinedAt = this.#context.clock.now()
    if (!isHost) this.#joiner = new JoinerBounds(message.body?.length ?? 0)
    const entry = isHost
      ? await admitHost(message, this.#channel, this.#facts, this.#context)
      : await admitJoiner(message, this.#facts, this.#context)
    if (entry.refusal !== null) {
      this.#fail(entry.refusal, entry.closeCode)
      return
    }
    const { owned, pass, guess } = entry
    const isReturn = owned !== null || pass !== null
    const look = () =>
      isHost
        ? rendezvous.host(this.id, address, message, owned)
        : rendezvous.join(this.id, message, pass, this.#facts)
    if (guess === null) await look()
    else await lookFor(guess, this.#facts, admission, look)
    const nameplate = this.#nameplate
    if (message.t === 'host' && message.visible === true && nameplate !== null) {
      this.#context.hostsVisibly(this.id)
    }
    if (nameplate !== null) log({ event: isHost ? 'hosted' : 'joined', nameplate, isReturn })
  }

  /**
   * Sends nothing without a relay, or if this address has used up its allowance. Later effects wait, which
   * keeps messages in order.
   */
  #giveRelays(granted: Granted): void {
    if (!hasRelays(this.#context, granted) || !this.#channel.canSeal) return
    this.#held = []
    void relayOffers(this.#context, granted, this.#facts.address).then((offers) => {
      for (const offer of offers) this.#sendSealed(offer)
      const held = this.#held ?? []
      this.#held = null
      for (const effect of held) this.carryOut(effect)
    })
  }

  async #listen({ mailboxes }: Message<'listen'>): Promise<void> {
    const { admission } = this.#context
    this.#role = 'listener'
    const { address, isReserved, isGuest, isPage } = this.#facts
    if (isReserved || isGuest || isPage) this.#fail('E_SERVER_BUSY', closeCodes.refused)
    else if (await admission.may('listens', address)) {
      await this.#context.mailboxes.listen(this.id, address, mailboxes)
    } else {
      this.#fail('E_RATE_LIMITED', closeCodes.refused)
    }
  }

  async #notify(message: Message<'notify'>): Promise<void> {
    const { id } = this
    const { address } = this.#facts
    const nameplate = this.#nameplate
    const result =
      nameplate === null
        ? 'refused'
        : await notify({ id, address, nameplate }, message, this.#context)
    this.#context.metrics.notifications.add(result)
    const { mailbox } = message
    if (result === 'refused') this.#send({ t: 'error', code: 'E_RATE_LIMITED', mailbox })
  }

  async #takePart(message: Message<'relay' | 'grant' | 'leave'>): Promise<void> {
    const { rendezvous, serverRelays } = this.#context
    const nameplate = this.#nameplate
    if (nameplate === null || message.t === 'leave') {
      await this.#leave()
      this.#nameplate = null
      this.close(closeCodes.normal)
      return
    }
    if (message.t === 'relay' && !this.#mayRelay(message)) return
    const peer = message.t === 'grant' ? message.peer : message.to
    await this.#unless(
      () => this.#send({ t: 'error', code: 'E_PEER_GONE', peer }),
      () =>
        message.t === 'grant'
          ? rendezvous.grant(this.id, nameplate, peer, serverRelays.nodes)
          : rendezvous.relay(this.id, nameplate, peer, message.body),
    )
  }

  /** True if a body goes to the session, which ignores a joiner's bodies for other peers. */
  #mayRelay({ to, body }: Message<'relay'>): boolean {
    const { rules, clock } = this.#context
    const verdict = this.#joiner?.judge(rules.joiners, to, body.length, clock.now()) ?? 'pass'
    if (verdict === 'stray') this.#send({ t: 'error', code: 'E_PEER_GONE', peer: to })
    else if (verdict !== 'pass') this.#fail('E_RATE_LIMITED', verdict)
    return verdict === 'pass'
  }

  /** Does `work`, or `instead` while the store is unavailable, so that a running share doesn't end. */
  async #unless(instead: () => void, work: () => Promise<unknown> | null): Promise<void> {
    try {
      await work()
    } catch (reason) {
      if (!(reason instanceof StoreError)) throw reason
      instead()
    }
  }

  /** Informs the session of the end immediately, without waiting for the client to answer the close. */
  #end(): void {
    if (this.#closingAt !== null) return
    this.#closingAt = this.#context.clock.now()
    this.#work.clear()
    this.#work.add(() => this.#leave())
  }

  async #leave(): Promise<void> {
    this.#hasLeft = true
    const { rendezvous, mailboxes, pendingCloses } = this.#context
    const nameplate = this.#nameplate
    const isListener = this.#role === 'listener'
    if (nameplate === null && !isListener) return
    await pendingCloses.run(this.id, async () => {
      if (isListener) await mailboxes.drop(this.id)
      if (nameplate === null) return
      if (this.#saidLeave) await rendezvous.leave(this.id, nameplate)
      else await rendezvous.drop(this.id, nameplate)
    })
  }

  #takeOver({
    message,
    joiner,
    isStranger,
  }: Extract<Effect, { readonly type: 'hand-over' }>): void {
    const { strangers, others } = this.#context.rules.joinersBufferedBytes
    if (this.#socket.bufferedAmount > (isStranger ? strangers : others)) {
      this.#context.deliver([{ type: 'refuse', to: joiner, code: 'E_RATE_LIMITED' }])
      return
    }
    if (message.t === 'peer') {
      this.#introducedAt = this.#context.clock.now()
      this.#allowance.addPairing(this.#context.rules.messages)
    }
    this.#send(message)
  }

  #send(message: ServerMessage): void {
    if (this.#closingAt !== null) return
    const { metrics, rules } = this.#context
    if (message.t === 'error') metrics.refusals.add(message.code)
    const text = encode(this.#channel.packed(message))
    this.#socket.send(text)
    metrics.sent.add()
    // The server's messages are ASCII.
    metrics.sentBytes.add(text.length)
    if (this.#socket.bufferedAmount > rules.maxBufferedBytes) this.close(closeCodes.backlog)
  }

  /** Sends nothing to a client without a key. */
  #sendSealed(message: ServerMessage): void {
    if (this.#channel.canSeal) this.#send(message)
  }

  #meet(peer: string): void {
    this.#introducedAt = this.#context.clock.now()
    this.#joiner?.introduce(peer, this.#introducedAt)
    this.#observe('meeting')
  }

  /** Ends the pair of a joiner that its host didn't admit. */
  #part(): void {
    const peer = this.#joiner?.peer ?? null
    if (peer !== null) this.#send({ t: 'gone', peer })
    this.close(closeCodes.ended)
  }

  #observe(what: 'meeting' | 'pairing'): void {
    const { clock, metrics } = this.#context
    metrics[what].observe((clock.now() - this.#joinedAt) / 1000)
  }

  /** Waits a random time, which hides the duration of the lookup. */
  #refuseLater(code: ErrorCode): void {
    this.#refused = true
    const { random, clock } = this.#context
    const delayMs = random.between(refusalMs.from, refusalMs.below)
    const cancel = clock.after(delayMs, () => this.#fail(code, closeCodes.refused))
    this.#socket.once('close', cancel)
  }

  #fail(code: ErrorCode, closeCode: CloseCode): void {
    this.#send({ t: 'error', code })
    this.close(closeCode)
  }

  #onFailure(reason: unknown): void {
    if (reason instanceof StoreError) {
      this.#fail('E_SERVER_BUSY', closeCodes.refused)
      return
    }
    const stack = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)
    this.#context.log({ event: 'failed', stack })
    this.#fail('E_INTERNAL', closeCodes.refused)
  }
}
