import { randomBytes, randomInt } from 'node:crypto'
import type { ClientOptions } from 'ws'
import { Client } from './client.ts'
import { demand, type Mismatch } from './demand.ts'
import { type Answer, ask, type RequestOptions, statusOfRaw } from './request.ts'
import type { Message } from './schemas.ts'
import { OwnerSecret } from './sealing.ts'
import { type Action, type Allowance, Throttle } from './throttle.ts'

/** How a server is treated. */
export type KitOptions = {
  /** Milliseconds that an answer may take. */
  readonly patienceMs: number
  readonly allowances: { readonly [action in Action]: Allowance }
  /** For a server that asks for one. */
  readonly password?: string | undefined
}

/** A host and a joiner, and the ids by which they know each other. */
export type Pair = {
  readonly host: Client
  readonly joiner: Client
  readonly nameplate: string
  /** Who owns the nameplate. */
  readonly owner: OwnerSecret
  readonly joinerId: string
  readonly hostId: string
}

/** Joins to one nameplate before the kit takes another one. */
const joinsByNameplate = 20

/** A password in the header `Authorization` (RFC 7617), of a user without a name. */
export const basic = (password: string): string =>
  `Basic ${Buffer.from(`:${password}`).toString('base64')}`

/** What cases do with the server that is checked. */
export class TestContext {
  readonly url: URL
  readonly patienceMs: number
  readonly throttle: Throttle
  /** What every request shows of the password. */
  readonly access: { readonly Authorization?: string }
  /** Every id that any socket was told, and how often. */
  readonly peers: string[] = []
  #clients: Client[] = []
  /** Whose nameplate most cases use, one after the other: a host that returns takes nothing from a limit. */
  #owner = new OwnerSecret()
  #isKnown = false
  #joins = 0

  /** For the server at `url`, as it is configured in a client. */
  constructor(url: string, { patienceMs, allowances, password }: KitOptions) {
    this.url = new URL(url)
    this.patienceMs = patienceMs
    this.throttle = new Throttle(allowances)
    this.access = password === undefined ? {} : { Authorization: basic(password) }
  }

  /** A socket that was greeted. */
  async open(options?: ClientOptions): Promise<Client> {
    return (await this.dial(options)).welcomed()
  }

  /** A socket that may not be open yet. */
  async dial(options?: ClientOptions): Promise<Client> {
    await this.throttle.take('socket')
    const client = new Client(new URL('/v1', this.url).href, this.patienceMs, {
      ...options,
      headers: { ...this.access },
    })
    this.#clients.push(client)
    return client
  }

  /** The server's answer to a request at `path`, with the password unless `headers` has another one. */
  ask(path: string, { headers, ...options }: RequestOptions = {}): Promise<Answer> {
    return this.askOpenly(path, { headers: { ...this.access, ...headers }, ...options })
  }

  /** The same with no password but that in `headers`. */
  async askOpenly(path: string, options?: RequestOptions): Promise<Answer> {
    await this.throttle.take('socket')
    return ask(this.url, path, this.patienceMs, options)
  }

  /** The status of its answer to this text, `null` for none. */
  async statusOfRaw(text: string): Promise<number | null> {
    await this.throttle.take('socket')
    return statusOfRaw(this.url, text, this.patienceMs)
  }

  /** A host of a new nameplate; without `more` nobody can take it back. */
  async hostAnew(more: (client: Client) => object = () => ({})) {
    await this.throttle.take('host')
    const host = await this.open()
    host.send({ t: 'host', v: 1, key: host.key.text, ...more(host) })
    return { host, ...(await host.next('hosted')) }
  }

  /** The host of the nameplate that most cases share. */
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

  /** Hosts as the owner of a nameplate that it has. */
  async return(owner: OwnerSecret, more: object = {}) {
    const host = await this.open()
    host.send({ t: 'host', v: 1, ...host.proof(owner), ...more })
    return { host, ...(await host.next('hosted')) }
  }

  /** The nameplate that most cases share was given up. */
  forgetNameplate(): void {
    this.#joins = joinsByNameplate
  }

  /** Sends a `join`, in a box when it has a pass; nobody waited for the answer yet. */
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

  /** A joiner of this host, once both know of each other. */
  async joinTo(host: Client, nameplate: string, more: object = {}) {
    const joiner = await this.join(nameplate, more)
    const { peer: hostId } = await joiner.next('joined')
    const { peer: joinerId, body } = await host.next('peer')
    this.peers.push(hostId, joinerId)
    return { joiner, hostId, joinerId, body }
  }

  /** A host and a joiner, at the nameplate that most cases share. */
  async pair(): Promise<Pair> {
    const { host, nameplate, owner } = await this.host()
    return { host, nameplate, owner, ...(await this.joinTo(host, nameplate)) }
  }

  /** A pair, and the pass that its joiner has after a `grant`. */
  async passed(): Promise<Pair & { readonly pass: string }> {
    const pair = await this.pair()
    pair.host.send({ t: 'grant', peer: pair.joinerId })
    return { ...pair, pass: (await pair.joiner.next('pass')).pass }
  }

  /** A listener on these. */
  async listen(...mailboxes: readonly string[]): Promise<Client> {
    const listener = await this.open()
    await this.listenAgain(listener, mailboxes)
    return listener
  }

  /** A `listen` of this socket, and its answer. */
  async listenAgain(listener: Client, mailboxes: readonly string[]): Promise<void> {
    await this.throttle.take('listen')
    listener.sendBoxed({ t: 'listen', v: 1, mailboxes })
    await listener.next('listening')
  }

  /** Rings a mailbox, and says whether somebody was there. */
  async notify(host: Client, mailbox: string, body = 'c2VhbGVk'): Promise<boolean> {
    await this.throttle.take('notify')
    host.sendBoxed({ t: 'notify', mailbox, body })
    const answer = await host.next('notified')
    demand(answer.mailbox === mailbox, `the mailbox ${mailbox}`, answer.mailbox)
    return answer.reached
  }

  /** A mailbox of nobody else. */
  mailbox(): string {
    return randomBytes(32).toString('base64url')
  }

  /** A nameplate that is free almost certainly. */
  someNameplate(): string {
    return String(randomInt(100_000, 1_000_000))
  }

  /** Ends what a case opened. Throws what servers may not say, also when the case didn't wait for it. */
  async endCase(): Promise<void> {
    const clients = this.#clients
    this.#clients = []
    await Promise.all(clients.map((client) => client.cut()))
    const fault: Mismatch | undefined = clients.flatMap(({ faults }) => faults)[0]
    if (fault !== undefined) throw fault
  }
}
