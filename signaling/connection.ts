/**
 * One client's socket. The protocol (normative: docs/signaling.md), one JSON text per frame:
 *
 *   welcome                         on every socket, from the server
 *   host   {v, key, owner, ...}     once, first   -> hosted {nameplate, ttlS}
 *   join   {v, nameplate, ...}      once, first   -> joined {peer}      and `peer {peer, body?}` to the host
 *   listen {v, mailboxes}           first, again  -> listening {}
 *   relay  {to, body}               in a pair     -> nothing            and `relay {from, body}` to `to`
 *                                                    or error E_PEER_GONE {peer}; the socket stays
 *                                                    or error E_RATE_LIMITED: too much for the host
 *   grant  {peer}                   host          -> `turn {peer, ...}` to both, when there is a TURN server,
 *                                                    and `pass` to the joiner
 *                                                    or error E_PEER_GONE {peer}; the socket stays
 *   notify {mailbox, body}          host          -> notified {mailbox, reached} and `notify` to the listeners
 *                                                    or error E_RATE_LIMITED {mailbox}; the socket stays
 *   leave  {}                       afterwards    -> close 1000         and `gone {peer}` to the others
 *
 * What names a mailbox or a secret travels in `sealed`, see client-line.ts.
 * The host's end also ends its joiners' sockets (4003); a joiner's end is only told to the host.
 * Every other error is sent as `error {code}` and followed by the end of the socket: E_NO_SUCH_CODE
 * after a random pause, so that its time reveals nothing. Answers keep the order of the questions.
 *
 * This file owns decoding, order, rate and liveness; what messages do to a session is in rooms.ts.
 */
import type { RawData, WebSocket } from 'ws'
import { assertNever } from '#shared/assert-never'
import type { ErrorCode } from '#shared/errors'
import {
  type ClientMessage,
  type CloseCode,
  closeCodes,
  encode,
  messageAllowance,
  type ServerMessage,
} from '#shared/signaling'
import { ClientLine, type OpenMessage } from '#signaling/client-line'
import type { ConnectionContext, Place } from '#signaling/connection-context'
import { Liveness } from '#signaling/liveness'
import type { Role } from '#signaling/metrics/server-metrics'
import type { PassId } from '#signaling/passes'
import { type Bucket, fullBucket, takeToken } from '#signaling/rate-limiter'
import type { ConnectionId, Effect } from '#signaling/rooms'

/** Before an `E_NO_SUCH_CODE`: far longer than what a look-up takes, short for a person. */
const refusalMs = { from: 300, below: 601 }

type Message<T> = Extract<ClientMessage, { readonly t: T }>

const closeCodeOf = (code: ErrorCode): CloseCode =>
  code === 'E_PEER_VERSION' ? closeCodes.refused : closeCodes.malformed

/** One socket from its upgrade to its end. */
export class Connection {
  readonly id: ConnectionId
  /** Resolves when the socket has ended and the session knows. */
  readonly ended: Promise<void>
  readonly #socket: WebSocket
  readonly #address: string
  readonly #isReserved: boolean
  readonly #isGuest: boolean
  readonly #line: ClientLine
  readonly #context: ConnectionContext
  readonly #liveness: Liveness
  #bucket: Bucket
  /** What the first message asked to be. */
  #role: Role = 'none'
  /** Since when this joiner waits for its introduction, and for its grant; ms. */
  #joinedAt = 0
  /** Where this client takes part. */
  #nameplate: string | null = null
  /** Since when nothing more is read or sent, ms. */
  #closingAt: number | null = null
  #refused = false
  /** One message after the other, as a store takes its time. */
  #work: Promise<void> = Promise.resolve()

  constructor(place: Place, socket: WebSocket, context: ConnectionContext) {
    const now = context.clock.now()
    const { id, address, isReserved, isGuest, key } = place
    this.id = id
    this.#socket = socket
    this.#address = address
    this.#isReserved = isReserved
    this.#isGuest = isGuest
    this.#line = new ClientLine(key, context.random.bytes(32).toString('base64url'))
    this.#context = context
    this.#liveness = new Liveness(isReserved, now)
    this.#bucket = fullBucket(context.rules.messages, now)
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary))
    socket.on('ping', () => this.#onControl())
    socket.on('pong', () => this.#onControl())
    // The library closes with the fitting code itself; the listener keeps that from being a crash.
    socket.on('error', () => undefined)
    this.ended = new Promise((resolve) => {
      socket.once('close', (code) => {
        context.log({ event: 'closed', code, ...context.nameAddress(address) })
        this.#end()
        void this.#work.then(resolve)
      })
    })
    context.log({ event: 'opened', ...context.nameAddress(address) })
    this.#send(this.#line.welcome)
  }

  /** Carries out one effect that is meant for this connection. */
  carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'seat':
        this.#nameplate = effect.nameplate
        break
      case 'send':
        this.#send(effect.message)
        if (effect.message.t === 'joined') this.#observe('meeting')
        break
      case 'hand-over':
        this.#takeOver(effect)
        break
      case 'relays':
        if (this.#role === 'joiner') this.#observe('pairing')
        this.#giveRelays(effect.peer)
        break
      case 'pass': {
        const { nameplate, owner } = effect
        this.#sendSealed({ t: 'pass', pass: this.#context.passes.issue(nameplate, owner) })
        break
      }
      case 'refuse':
        if (effect.code === 'E_NO_SUCH_CODE') this.#refuseLater(effect.code)
        else this.#fail(effect.code, closeCodes.refused)
        break
      case 'close':
        this.close(effect.code)
        break
      default:
        assertNever(effect)
    }
  }

  /** Starts the closing handshake; what arrives from now on is not read any more. */
  close(code: CloseCode): void {
    if (this.#closingAt !== null) return
    this.#end()
    this.#socket.close(code)
  }

  /** Ends the socket without a handshake. */
  terminate(): void {
    this.#socket.terminate()
  }

  /** What this socket is for. */
  get role(): Role {
    return this.#role
  }

  /** Bytes that wait for a client that reads slowly. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }

  /** To be called about once a second: liveness and deadlines. */
  tick(): void {
    const { rules, clock } = this.#context
    const now = clock.now()
    if (this.#closingAt !== null) {
      if (now - this.#closingAt >= rules.closingMs) this.terminate()
      return
    }
    switch (this.#liveness.due(rules, this.#role !== 'none', now)) {
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
    const { metrics } = this.#context
    metrics.receivedBytes.add((data as Buffer).length)
    const message = this.#line.read((data as Buffer).toString())
    if (message.ok) {
      metrics.messages.add(message.value.t)
      this.#queue(() => this.#handle(message.value))
    } else this.#fail(message.error.code, closeCodeOf(message.error.code))
  }

  /** Pings cost work too, and answers that nobody asked for are no better. */
  #onControl(): void {
    this.#admit()
  }

  /** Notes a sign of life and takes it from the allowance. False when it is not to be read. */
  #admit(): boolean {
    if (this.#closingAt !== null || this.#refused) return false
    const now = this.#context.clock.now()
    this.#liveness.heard(now)
    const bucket = takeToken(this.#bucket, this.#context.rules.messages, now)
    if (bucket === null) this.#fail('E_RATE_LIMITED', closeCodes.tooManyMessages)
    else this.#bucket = bucket
    return bucket !== null
  }

  /** A new receiver is a pairing's worth of messages more. */
  #allowPairing(): void {
    const { burst } = this.#context.rules.messages
    const tokens = Math.min(this.#bucket.tokens + burst, burst * messageAllowance.savedBursts)
    this.#bucket = { ...this.#bucket, tokens }
  }

  async #handle(message: OpenMessage): Promise<void> {
    if (this.#closingAt !== null || this.#refused) return
    if (!this.#isInOrder(message)) {
      this.#fail('E_SERVER_PROTOCOL', closeCodes.order)
      return
    }
    switch (message.t) {
      case 'host':
      case 'join':
        await this.#enter(message)
        break
      case 'listen':
        this.#listen(message)
        break
      case 'notify':
        await this.#notify(message)
        break
      default:
        await this.#takePart(message)
    }
  }

  #isInOrder({ t }: OpenMessage): boolean {
    const isSeated = this.#nameplate !== null
    switch (t) {
      case 'host':
      case 'join':
        return this.#role === 'none'
      case 'listen':
        return this.#role === 'none' || this.#role === 'listener'
      case 'relay':
        return isSeated
      case 'grant':
      case 'notify':
        return isSeated && this.#role === 'host'
      case 'leave':
        return isSeated || this.#role === 'listener'
      default:
        return assertNever(t)
    }
  }

  async #enter(message: Message<'host' | 'join'>): Promise<void> {
    const { rendezvous, admission, deliver, log } = this.#context
    const isHost = message.t === 'host'
    this.#role = isHost ? 'host' : 'joiner'
    this.#joinedAt = this.#context.clock.now()
    if (isHost && !this.#line.isOwner(message)) {
      this.#fail('E_SERVER_PROTOCOL', closeCodes.malformed)
      return
    }
    const address = this.#address
    const pass = isHost ? null : await this.#passOf(message)
    const isKnown = isHost ? await this.#ownsNameplate(message) : pass !== null
    const error = isKnown ? null : this.#refusalOf(message)
    if (error !== null) {
      this.#fail(error, closeCodes.refused)
      return
    }
    const effects = isHost
      ? await rendezvous.host(this.id, address, message)
      : await rendezvous.join(this.id, message, pass, this.#isGuest)
    // The same look at a nameplate may find that others waited there long enough.
    const isMiss = effects.some(
      (effect) =>
        effect.type === 'refuse' && effect.to === this.id && effect.code === 'E_NO_SUCH_CODE',
    )
    if (!isKnown && !isMiss) admission.hit(address)
    deliver(effects)
    const nameplate = this.#nameplate
    if (message.t === 'host' && message.visible === true && nameplate !== null) {
      this.#context.hostsVisibly(this.id)
    }
    if (nameplate !== null) {
      log({ event: isHost ? 'hosted' : 'joined', nameplate, isReturn: isKnown })
    }
  }

  #ownsNameplate({ owner }: Message<'host'>): Promise<boolean> {
    return owner === undefined ? Promise.resolve(false) : this.#context.rendezvous.isOwner(owner)
  }

  /** A returning client has a bucket of its own, and takes nothing from those of strangers. */
  async #passOf({ nameplate, pass }: Message<'join'>): Promise<PassId | null> {
    const { rendezvous, admission } = this.#context
    const id = pass === undefined ? null : await rendezvous.passOf(nameplate, pass)
    return id !== null && admission.return(id) ? id : null
  }

  /** Why somebody who is not known may not even ask. */
  #refusalOf(message: Message<'host' | 'join'>): ErrorCode | null {
    if (this.#isReserved || (this.#isGuest && message.t === 'host')) return 'E_SERVER_BUSY'
    const { admission } = this.#context
    const address = this.#address
    const allowed =
      message.t === 'host'
        ? admission.may('hosts', address)
        : admission.may('joins', address) && admission.mayJoin(address, message.nameplate)
    return allowed && admission.guess(address) ? null : 'E_RATE_LIMITED'
  }

  /** Without a word when there is no relay, or this address has had enough of it. */
  #giveRelays(peer: string): void {
    const { admission, metrics, turn } = this.#context
    if (turn === null || !this.#line.canSeal) return
    const isAllowed = admission.may('grants', this.#address)
    metrics.relayCredentials.add(isAllowed ? 'given' : 'refused')
    if (isAllowed) this.#sendSealed({ t: 'turn', peer, ...turn.issue(this.#address) })
  }

  #listen({ mailboxes }: Message<'listen'>): void {
    const { admission, deliver } = this.#context
    this.#role = 'listener'
    if (this.#isReserved || this.#isGuest) this.#fail('E_SERVER_BUSY', closeCodes.refused)
    else if (admission.may('listens', this.#address)) {
      deliver(this.#context.mailboxes.listen(this.id, this.#address, mailboxes))
    } else {
      this.#fail('E_RATE_LIMITED', closeCodes.refused)
    }
  }

  async #notify({ mailbox, body }: Message<'notify'>): Promise<void> {
    const { admission, mailboxes, metrics, rendezvous, deliver } = this.#context
    if (this.#nameplate === null || !admission.may('notifications', this.#address)) {
      // The share continues: a notification has nothing to do with who is connected.
      metrics.notifications.add('refused')
      this.#send({ t: 'error', code: 'E_RATE_LIMITED', mailbox })
      return
    }
    const pass = await rendezvous.invite(this.#nameplate)
    metrics.notifications.add(mailboxes.isHeard(mailbox) ? 'reached' : 'unheard')
    deliver(mailboxes.notify(this.id, mailbox, body, pass))
  }

  async #takePart(message: Message<'relay' | 'grant' | 'leave'>): Promise<void> {
    const { rendezvous, deliver } = this.#context
    const nameplate = this.#nameplate
    if (nameplate === null) this.close(closeCodes.normal)
    else if (message.t === 'leave') deliver(await rendezvous.leave(this.id, nameplate))
    else if (message.t === 'grant')
      deliver(await rendezvous.grant(this.id, nameplate, message.peer))
    else deliver(await rendezvous.relay(this.id, nameplate, message.to, message.body))
  }

  /** The session learns of the end at once, not when the client has answered the close. */
  #end(): void {
    if (this.#closingAt !== null) return
    const { rendezvous, mailboxes, deliver, clock } = this.#context
    this.#closingAt = clock.now()
    mailboxes.drop(this.id)
    this.#queue(async () => {
      if (this.#nameplate !== null) deliver(await rendezvous.drop(this.id, this.#nameplate))
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
    if (message.t === 'peer') this.#allowPairing()
    this.#send(message)
  }

  #send(message: ServerMessage): void {
    if (message.t === 'error' && this.#closingAt === null) {
      this.#context.metrics.refusals.add(message.code)
    }
    this.#write(this.#line.packed(message))
  }

  /** Nothing at all for a client that has not said how. */
  #sendSealed(message: ServerMessage): void {
    if (this.#line.canSeal) this.#send(message)
  }

  #write(message: ServerMessage): void {
    if (this.#closingAt !== null) return
    const text = encode(message)
    this.#socket.send(text)
    const { metrics } = this.#context
    metrics.sent.add()
    // The server's messages are ASCII.
    metrics.sentBytes.add(text.length)
    if (this.#socket.bufferedAmount > this.#context.rules.maxBufferedBytes) {
      this.close(closeCodes.backlog)
    }
  }

  #observe(what: 'meeting' | 'pairing'): void {
    const { clock, metrics } = this.#context
    metrics[what].observe((clock.now() - this.#joinedAt) / 1000)
  }

  /** Waits a random time, so that the time of an answer reveals nothing. */
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

  #queue(task: () => Promise<void>): void {
    this.#work = this.#work.then(task).catch((reason: unknown) => {
      const stack = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)
      this.#context.log({ event: 'failed', stack })
      this.#fail('E_INTERNAL', closeCodes.refused)
    })
  }
}
