import { randomBytes, randomInt } from 'node:crypto'
import type { ClientOptions } from 'ws'
import { Client } from './client.ts'
import { demand, type Mismatch } from './demand.ts'
import { type Answer, ask, type RequestOptions, statusOfRaw } from './request.ts'
import type { Message } from './schemas.ts'
import { OwnerSecret } from './sealing.ts'
import { type Action, type Allowance, Throttle } from './throttle.ts'

/** Settings for the checked server. */
export type KitOptions = {
  /** Time for a response, ms. */
  readonly patienceMs: number
  readonly allowances: { readonly [action in Action]: Allowance }
  /** Password of a server that requires one. */
  readonly password?: string | undefined
}

/** A host and a joiner, and their ids for each other. */
export type Pair = {
  readonly host: Client
  readonly joiner: Client
  readonly nameplate: string
  readonly owner: OwnerSecret
  readonly joinerId: string
  readonly hostId: string
}

/** Joins to one nameplate before the kit changes to another. */
const joinsByNameplate = 20

/** A password in the header `Authorization` (RFC 7617), with an empty user name. */
export const basic = (password: string): string =>
  `Basic ${Buffer.from(`:${password}`).toString('base64')}`

/** Operations of cases on the checked server. */
export class TestContext {
  readonly url: URL
  readonly patienceMs: number
  readonly throttle: Throttle
  /** The password header of every request. */
  readonly access: { readonly Authorization?: string }
  /** Every peer id that any socket received, including duplicates. */
  readonly peers: string[] = []
  #clients: Client[] = []
  /** The owner of the nameplate that most cases use in turn; a returning host uses no allowance. */
  #owner = new OwnerSecret()
  #isKnown = false
  #joins = 0

  /** Creates the context for the server at `url`, the address in a client's settings. */
  constructor(url: string, { patienceMs, allowances, password }: KitOptions) {
    this.url = new URL(url)
    this.patienceMs = patienceMs
    this.throttle = new Throttle(allowances)
    this.access = password === undefined ? {} : { Authorization: basic(password) }
  }

  /** Opens a socket and waits for the welcome. */
  async open(options?: ClientOptions): Promise<Client> {
    return (await this.dial(options)).welcomed()
  }

  /** Creates a socket, which may not be open yet. */
  async dial(options?: ClientOptions): Promise<Client> {
    await this.throttle.take('socket')
    const client = new Client(new URL('/v1', this.url).href, this.patienceMs, {
      ...options,
      headers: { ...options?.headers, ...this.access },
    })
    this.#clients.push(client)
    return client
  }

  /** The response to a request for `path`, with the password unless `headers` contains another one. */
  ask(path: string, { headers, ...options }: RequestOptions = {}): Promise<Answer> {
    return this.askOpenly(path, { headers: { ...this.access, ...headers }, ...options })
  }

  /** The same without a password, unless `headers` contains one. */
  async askOpenly(path: string, options?: RequestOptions): Promise<Answer> {
    await this.throttle.take('socket')
    return ask(this.url, path, this.patienceMs, options)
  }

  /** The status of the response to this text; `null` without one. */
  async statusOfRaw(text: string): Promise<number | null> {
    await this.throttle.take('socket')
    return statusOfRaw(this.url, text, this.patienceMs)
  }

  /** Hosts a new nameplate; without `more` it can't be reclaimed. */
  async hostAnew(more: (client: Client) => object = () => ({})) {
    await this.throttle.take('host')
    const host = await this.open()
    host.send({ t: 'host', v: 1, key: host.key.text, ...more(host) })
    return { host, ...(await host.next('hosted')) }
  }

  /** Hosts the nameplate that most cases share. */
  async host() {
    if (this.#joins >= joinsByNameplate) {
      this.#owner = new OwnerSecret()
      this.#isKnown = false
      this.#joins = 0
    }
    if (!this.#isKnown) await this.throttle.take('host')
    this.#isKnown = true
    const owner = this.#owner
    const { host, nameplate, ttlS } = await this.return(owner)
    return { host, nameplate, ttlS, owner }
  }

  /** Hosts again as the owner of a nameplate. */
  async return(owner: OwnerSecret, more: object = {}) {
    const host = await this.open()
    host.send({ t: 'host', v: 1, ...host.proof(owner), ...more })
    return { host, ...(await host.next('hosted')) }
  }

  /** Drops the nameplate that most cases share. */
  forgetNameplate(): void {
    this.#joins = joinsByNameplate
  }

  /** Sends a `join`, in a box if it has a pass; doesn't wait for the response. */
  async join(nameplate: string, more: object = {}): Promise<Client> {
    await this.throttle.take('join')
    await this.throttle.take('same nameplate', nameplate)
    this.#joins += 1
    const joiner = await this.open()
    const message: Message = { t: 'join', v: 1, nameplate, key: joiner.key.text, ...more }
    if ('pass' in more) joiner.sendBoxed(message)
    else joiner.send(message)
    return joiner
  }

  /** Sends a `join` in the upgrade, unboxed; doesn't wait for the welcome. */
  async joinAhead(nameplate: string, more: object = {}): Promise<Client> {
    await this.throttle.take('join')
    await this.throttle.take('same nameplate', nameplate)
    this.#joins += 1
    const join = Buffer.from(JSON.stringify({ t: 'join', v: 1, nameplate, ...more }))
    return this.dial({ headers: { 'Thruflux-Join': join.toString('base64url') } })
  }

  /** Adds a joiner to this host; resolves once both know each other. */
  async joinTo(host: Client, nameplate: string, more: object = {}) {
    const joiner = await this.join(nameplate, more)
    const { peer: hostId } = await joiner.next('joined')
    const { peer: joinerId, body } = await host.next('peer')
    this.peers.push(hostId, joinerId)
    return { joiner, hostId, joinerId, body }
  }

  /** Pairs a host and a joiner on the nameplate that most cases share. */
  async pair(): Promise<Pair> {
    const { host, nameplate, owner } = await this.host()
    return { host, nameplate, owner, ...(await this.joinTo(host, nameplate)) }
  }

  /** A pair, and the pass that its joiner received with the `grant`. */
  async passed(): Promise<Pair & { readonly pass: string }> {
    const pair = await this.pair()
    pair.host.send({ t: 'grant', peer: pair.joinerId })
    return { ...pair, pass: (await pair.joiner.next('pass')).pass }
  }

  async listen(...mailboxes: readonly string[]): Promise<Client> {
    const listener = await this.open()
    await this.listenAgain(listener, mailboxes)
    return listener
  }

  /** Sends a `listen` on this socket and waits for the response. */
  async listenAgain(listener: Client, mailboxes: readonly string[]): Promise<void> {
    await this.throttle.take('listen')
    listener.sendBoxed({ t: 'listen', v: 1, mailboxes })
    await listener.next('listening')
  }

  /** Notifies a mailbox; returns true if it had a listener. */
  async notify(host: Client, mailbox: string, body = 'c2VhbGVk'): Promise<boolean> {
    await this.throttle.take('notify')
    host.sendBoxed({ t: 'notify', mailbox, body })
    const answer = await host.next('notified')
    demand(answer.mailbox === mailbox, `the mailbox ${mailbox}`, answer.mailbox)
    return answer.reached
  }

  /** The name of an unused mailbox. */
  mailbox(): string {
    return randomBytes(32).toString('base64url')
  }

  /** A nameplate that is almost certainly free. */
  someNameplate(): string {
    return String(randomInt(100_000, 1_000_000))
  }

  /** Ends the sockets of a case. Throws for messages that no server may send, even if the case didn't wait for them. */
  async endCase(): Promise<void> {
    const clients = this.#clients
    this.#clients = []
    await Promise.all(clients.map((client) => client.cut()))
    const fault: Mismatch | undefined = clients.flatMap(({ faults }) => faults)[0]
    if (fault !== undefined) throw fault
  }
}
