/**
 * Hears contacts ring: sockets that listen on mailboxes, for as long as somebody is to be reachable.
 * A mailbox says nothing about its owner; only the two contacts can make it, or read what comes.
 */
import type { Clock } from '#client/clock'
import type { ServerLocator } from '#client/server-locator'
import { SignalingClient } from '#client/signaling-client'
import type { Reachability } from '#shared/contacts'
import { mostMailboxes, SIGNALING_VERSION } from '#shared/signaling'

/** What it needs of its client. */
export type ContactListenerOptions = {
  readonly clock: Clock
  readonly random: () => number
  /** Where to find the server with this address. */
  readonly locatorOf: (url: string) => ServerLocator
  readonly onRing: (mailbox: string, body: string, pass?: string) => void
  readonly onChange: (reachability: Reachability) => void
}

/** One socket; `mailboxes` are at most `mostMailboxes`. */
type Ear = {
  readonly server: string
  mailboxes: readonly string[]
  state: Reachability
  readonly signaling: SignalingClient
}

/** Silent until `listen` names mailboxes. */
export class ContactListener {
  readonly #options: ContactListenerOptions
  #ears: readonly Ear[] = []
  #farewells: Promise<void> = Promise.resolve()
  #told: Reachability = { phase: 'off' }

  constructor(options: ContactListenerOptions) {
    this.#options = options
  }

  /** Listens on these mailboxes, by the server's address, and on no others. */
  listen(mailboxes: ReadonlyMap<string, readonly string[]>): void {
    const wanted = [...mailboxes].flatMap(([server, all]) => shares(server, all))
    const before = [...this.#ears]
    const kept = wanted.map(({ server, part }) => {
      const index = before.findIndex((ear) => ear.server === server)
      const [ear] = index === -1 ? [] : before.splice(index, 1)
      return ear === undefined ? this.#open(server, part) : change(ear, part)
    })
    for (const { signaling } of before) this.#close(signaling)
    this.#ears = kept
    this.#tell()
  }

  /** The computer woke up. */
  noticeWake(): void {
    for (const { signaling } of this.#ears) signaling.noticeWake()
  }

  /** Hears nothing any more. Resolves when all sockets are gone. */
  async close(): Promise<void> {
    this.listen(new Map())
    await this.#farewells
  }

  #open(server: string, mailboxes: readonly string[]): Ear {
    const { clock, random, locatorOf, onRing } = this.#options
    const ear: Ear = {
      ...{ server, mailboxes },
      state: { phase: 'trying', error: null },
      signaling: new SignalingClient({
        ...{ clock, random, server: locatorOf(server) },
        hello: () => ({ t: 'listen', v: SIGNALING_VERSION, mailboxes: [...ear.mailboxes] }),
        onUp: ({ insecure }) => {
          ear.state = insecure ? { phase: 'on', insecure } : { phase: 'on' }
          this.#tell()
        },
        onMessage: (message) => {
          const isOurs = message.t === 'ring' && ear.mailboxes.includes(message.mailbox)
          if (isOurs) onRing(message.mailbox, message.body, message.pass)
        },
        onDown: (error) => {
          ear.state = { phase: 'trying', error }
          this.#tell()
        },
      }),
    }
    ear.signaling.start()
    return ear
  }

  #close(signaling: SignalingClient): void {
    this.#farewells = Promise.all([this.#farewells, signaling.close()]).then(() => undefined)
  }

  #tell(): void {
    const now = this.#together()
    if (JSON.stringify(now) === JSON.stringify(this.#told)) return
    this.#told = now
    this.#options.onChange(now)
  }

  /** As good as the worst of its sockets. */
  #together(): Reachability {
    const states = this.#ears.map(({ state }) => state)
    const isInsecure = (state: Reachability): boolean => 'insecure' in state
    const worst = states.find(({ phase }) => phase === 'trying') ?? states.find(isInsecure)
    return worst ?? states[0] ?? { phase: 'off' }
  }
}

function change(ear: Ear, mailboxes: readonly string[]): Ear {
  if (JSON.stringify(ear.mailboxes) === JSON.stringify(mailboxes)) return ear
  ear.mailboxes = mailboxes
  ear.signaling.send({ t: 'listen', v: SIGNALING_VERSION, mailboxes: [...mailboxes] })
  return ear
}

/** Parts that one socket may listen on. */
function shares(server: string, all: readonly string[]) {
  const count = Math.ceil(all.length / mostMailboxes)
  return Array.from({ length: count }, (_, index) => ({
    server,
    part: all.slice(index * mostMailboxes, (index + 1) * mostMailboxes),
  }))
}
