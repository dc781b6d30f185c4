/** An engine without network and disk: it records commands, and emits the events of a test. */
import type { ContactKey, Engine, EngineCommand, EngineEvent, EngineModule } from '#client/engine'
import type { ConflictSummary } from '#shared/state/app-state'

/** The words of every share's first code, all of them in the real list. */
export const fakeWords = 'apple-river-stone'

/** In place of the first of them in the codes that follow. */
const laterWords = ['banana', 'cactus', 'anchor', 'basket', 'candle', 'desert'] as const

/** The first message of every receive, as a server takes it. */
export const fakeOpening = 'cGFrZTE='

/** A peer that proved what it knows, and is no contact. */
export const pairingDone = (session: number, peer: string, approved = true): EngineEvent => ({
  type: 'pairing-done',
  ...{ session, peer, safety: '482913', contact: '', approved },
})

/** What gives up a receiver, or sends it away. */
export const drop = (session: number, peer: string, mayResume: boolean): EngineCommand => ({
  type: 'drop-peer',
  ...{ session, peer, mayResume },
})

/** A folder in which nothing was met. */
export const noConflicts: ConflictSummary = {
  identical: 0,
  identicalBytes: 0,
  different: 0,
  replaced: 0,
  keptBoth: 0,
  leftOut: 0,
}

/** Scripted by `emit`; `answer` makes it refuse commands. */
export class FakeEngine implements EngineModule {
  readonly commands: EngineCommand[] = []
  isClosed = false
  /** How long it takes to close. */
  closing: Promise<void> = Promise.resolve()
  /** What a receive says first; `null`: a test says it itself. */
  opening: string | null = fakeOpening
  #keys = 0
  #codes = 0
  /** Asked for each command; `null` takes it. */
  answer: (command: EngineCommand) => string | null = () => null
  #deliver: (events: readonly EngineEvent[]) => void = () => undefined
  readonly #waiting: { readonly type: string; readonly resolve: () => void }[] = []

  /** Others with each call, as long as a test may need. */
  newWords(): string {
    const word = laterWords[this.#codes % laterWords.length]
    this.#codes += 1
    return this.#codes === 1 ? fakeWords : `${word}-river-stone`
  }

  /** Every word is known here, except those that begin with `zz`. */
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

  /** Another one with each call. */
  newContactKey(): ContactKey {
    this.#keys += 1
    return { secret: fakeKey(`secret${this.#keys}`), publicKey: fakeKey(`public${this.#keys}`) }
  }

  contactMailbox(key: string, publicKey: string): string {
    return fakeKey(`${key.slice(0, 15)}_${publicKey.slice(0, 15)}`)
  }

  /** Sealed by nothing but names. */
  sealInvitation(key: string, recipient: string, text: string): string {
    return Buffer.from(`${key} ${recipient} ${text}`).toString('base64url')
  }

  openInvitation(key: string, recipient: string, sealed: string): string | null {
    const opened = Buffer.from(sealed, 'base64url').toString()
    const seal = `${key} ${recipient} `
    return opened.startsWith(seal) ? opened.slice(seal.length) : null
  }

  /** Nothing hangs here. */
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

  /** The newest command of a type, as soon as there are `count` of them. */
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

/** 43 characters that begin with `name`, as a key of 32 bytes has. */
export const fakeKey = (name: string): string => name.slice(0, 43).padEnd(43, 'A')
