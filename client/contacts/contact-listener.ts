/**
 * Sockets that listen on mailboxes for notifications of contacts while this side is reachable. A mailbox reveals
 * nothing about its owner. Only the two contacts can derive it or read its messages.
 */
import type { Clock } from '#client/clock'
import type { ServerLocator } from '#client/signaling/server-locator'
import { openSignaling, type SignalingConnection } from '#client/signaling/signaling-client'
import { maxMailboxes, SIGNALING_VERSION } from '#shared/signaling/messages'
import type { Reachability } from '#shared/state/contacts'

/** Dependencies of `ContactListener`. */
export type ContactListenerOptions = {
  readonly clock: Clock
  readonly random: () => number
  /** The locator of the server with this address. */
  readonly locatorOf: (url: string) => ServerLocator
  readonly onNotify: (mailbox: string, body: string, pass?: string) => void
  readonly onChange: (reachability: Reachability) => void
}

/** One socket with at most `maxMailboxes` mailboxes. */
type Subscription = {
  readonly server: string
  mailboxes: readonly string[]
  state: Reachability
  readonly signaling: SignalingConnection
}

/** Idle until `listen` names mailboxes. */
export class ContactListener {
  readonly #options: ContactListenerOptions
  #subscriptions: readonly Subscription[] = []
  #farewells: Promise<void> = Promise.resolve()
  #reported: Reachability = { phase: 'off' }

  constructor(options: ContactListenerOptions) {
    this.#options = options
  }

  /** Listens on exactly these mailboxes, grouped by server address. */
  listen(mailboxes: ReadonlyMap<string, readonly string[]>): void {
    const wanted = [...mailboxes].flatMap(([server, all]) => shares(server, all))
    const before = [...this.#subscriptions]
    const kept = wanted.map(({ server, part }) => {
      const index = before.findIndex((subscription) => subscription.server === server)
      const [subscription] = index === -1 ? [] : before.splice(index, 1)
      return subscription === undefined ? this.#open(server, part) : change(subscription, part)
    })
    for (const { signaling } of before) this.#close(signaling)
    this.#subscriptions = kept
    this.#report()
  }

  /** Call it when the computer wakes up. */
  onWake(): void {
    for (const { signaling } of this.#subscriptions) signaling.onWake()
  }

  /** Stops listening. Resolves when all sockets are closed. */
  async close(): Promise<void> {
    this.listen(new Map())
    await this.#farewells
  }

  #open(server: string, mailboxes: readonly string[]): Subscription {
    const { clock, random, locatorOf, onNotify } = this.#options
    const subscription: Subscription = {
      server,
      mailboxes,
      state: { phase: 'trying', error: null },
      signaling: openSignaling({
        listens: true,
        clock,
        random,
        server: locatorOf(server),
        hello: () => ({
          t: 'listen',
          v: SIGNALING_VERSION,
          mailboxes: [...subscription.mailboxes],
        }),
        onUp: ({ insecure }) => {
          subscription.state = insecure ? { phase: 'on', insecure } : { phase: 'on' }
          this.#report()
        },
        onMessage: (message) => {
          const isOurs = message.t === 'notify' && subscription.mailboxes.includes(message.mailbox)
          if (isOurs) onNotify(message.mailbox, message.body, message.pass)
        },
        onDown: (error) => {
          subscription.state = { phase: 'trying', error }
          this.#report()
        },
      }),
    }
    subscription.signaling.start()
    return subscription
  }

  #close(signaling: SignalingConnection): void {
    this.#farewells = Promise.all([this.#farewells, signaling.close()]).then(() => undefined)
  }

  #report(): void {
    const now = this.#together()
    if (JSON.stringify(now) === JSON.stringify(this.#reported)) return
    this.#reported = now
    this.#options.onChange(now)
  }

  /** The worst state of all sockets. */
  #together(): Reachability {
    const states = this.#subscriptions.map(({ state }) => state)
    const isInsecure = (state: Reachability): boolean => 'insecure' in state
    const worst = states.find(({ phase }) => phase === 'trying') ?? states.find(isInsecure)
    return worst ?? states[0] ?? { phase: 'off' }
  }
}

function change(subscription: Subscription, mailboxes: readonly string[]): Subscription {
  if (JSON.stringify(subscription.mailboxes) === JSON.stringify(mailboxes)) return subscription
  subscription.mailboxes = mailboxes
  subscription.signaling.send({ t: 'listen', v: SIGNALING_VERSION, mailboxes: [...mailboxes] })
  return subscription
}

/** Splits mailboxes into groups that fit on one socket. */
function shares(server: string, all: readonly string[]) {
  const count = Math.ceil(all.length / maxMailboxes)
  return Array.from({ length: count }, (_, index) => ({
    server,
    part: all.slice(index * maxMailboxes, (index + 1) * maxMailboxes),
  }))
}
