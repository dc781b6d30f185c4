/** An engine without network and disk: it records commands, and emits a test's events. */
import type { ContactKey, Engine, EngineCommand, EngineEvent, EngineModule } from '#client/engine'
import type { ConflictSummary } from '#shared/state/app-state'

/** The words of every share's first code, all from the real list. */
export const fakeWords = 'apple-river-stone'

/** Replacements for the first word in later codes. */
const laterWords = ['banana', 'cactus', 'anchor', 'basket', 'candle', 'desert'] as const

/** The first message of every receive, valid for a server. */
export const fakeOpening = 'cGFrZTE='

/** The event for a proven peer that is not a contact. */
export const pairingDone = (session: number, peer: string, approved = true): EngineEvent => ({
  type: 'pairing-done',
  ...{ session, peer, safety: '482913', contact: '', approved },
})

/** The command that drops a receiver. */
export const drop = (session: number, peer: string, mayResume: boolean): EngineCommand => ({
  type: 'disconnect-peer',
  ...{ session, peer, mayResume },
})

/** The conflicts of an empty folder. */
export const noConflicts: ConflictSummary = {
  identical: 0,
  identicalBytes: 0,
  different: 0,
  replaced: 0,
  keptBoth: 0,
  leftOut: 0,
}

/** Scripted by `emit`; set `answer` to refuse commands. */
export class FakeEngine implements EngineModule {
  readonly commands: EngineCommand[] = []
  isClosed = false
  closing: Promise<void> = Promise.resolve()
  /** The first message of a receive; `null` if a test sends it. */
  opening: string | null = fakeOpening
  #keys = 0
  #codes = 0
  /** Called for each command; `null` accepts it. */
  answer: (command: EngineCommand) => string | null = () => null
  #deliver: (events: readonly EngineEvent[]) => void = () => undefined
  readonly #waiting: { readonly type: string; readonly resolve: () => void }[] = []

  newWords(): string {
    const word = laterWords[this.#codes % laterWords.length]
    this.#codes += 1
    return this.#codes === 1 ? fakeWords : `${word}-river-stone`
  }

  /** Accepts all words except those that begin with `zz`. */
  isJoinCode(code: string): boolean {
    return !code.includes('-zz')
  }

  versions(): Readonly<Record<string, string>> {
    return { engine: 'fake' }
  }

  socketBuffers(wanted: number): { readonly receive: number; readonly send: number } {
    return { receive: wanted, send: wanted }
  }

  probePath(_address: string, _port: number, sizes: readonly number[]): Promise<number> {
    return Promise.resolve(Math.max(...sizes))
  }

  newContactKey(): ContactKey {
    this.#keys += 1
    return { secret: fakeKey(`secret${this.#keys}`), publicKey: fakeKey(`public${this.#keys}`) }
  }

  contactMailbox(key: string, publicKey: string): string {
    return fakeKey(`${key.slice(0, 15)}_${publicKey.slice(0, 15)}`)
  }

  /** Seals only by prefixing names. */
  sealInvitation(key: string, recipient: string, text: string): string {
    return Buffer.from(`${key} ${recipient} ${text}`).toString('base64url')
  }

  openInvitation(key: string, recipient: string, sealed: string): string | null {
    const opened = Buffer.from(sealed, 'base64url').toString()
    const seal = `${key} ${recipient} `
    return opened.startsWith(seal) ? opened.slice(seal.length) : null
  }

  /** Does nothing: the fake never hangs. */
  readonly endProcessWithin = (): void => undefined

  createEngine(onEvents: (events: readonly EngineEvent[]) => void): Engine {
    this.#deliver = onEvents
    return {
      post: (command) => {
        if (this.isClosed) return 'E_ENGINE_CLOSED'
        const refusal = this.answer(command)
        if (refusal === null) this.#take(command)
        return refusal
      },
      close: () => {
        this.isClosed = true
        return this.closing
      },
    }
  }

  /** Passes a batch of events to the application. */
  emit(...events: readonly EngineEvent[]): void {
    this.#deliver(events)
  }

  /** The commands of one type so far. */
  all<T extends EngineCommand['type']>(type: T): Extract<EngineCommand, { readonly type: T }>[] {
    return this.commands.filter(
      (command): command is Extract<EngineCommand, { readonly type: T }> => command.type === type,
    )
  }

  /** Resolves with the newest command of a type, once there are `count` of them. */
  async nth<T extends EngineCommand['type']>(
    type: T,
    count = 1,
  ): Promise<Extract<EngineCommand, { readonly type: T }>> {
    for (;;) {
      const found = this.all(type)[count - 1]
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push({ type, resolve }))
    }
  }

  #take(command: EngineCommand): void {
    this.commands.push(command)
    if (command.type === 'open-receive' && this.opening !== null) {
      const { session, peer } = command
      const opening = { type: 'signal', session, peer, payload: this.opening } as const
      queueMicrotask(() => this.emit(opening))
    }
    for (const waiting of this.#waiting.splice(0)) {
      if (waiting.type === command.type) waiting.resolve()
      else this.#waiting.push(waiting)
    }
  }
}

/** A name padded to 43 characters, the length of an encoded 32-byte key. */
export const fakeKey = (name: string): string => name.slice(0, 43).padEnd(43, 'A')
