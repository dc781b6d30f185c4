/**
 * Tells people who were removed from the contacts so, when they send: otherwise this side would seem to be offline for
 * ever. The answer is the first message of a join to their share, sealed like an invitation.
 */
import type { Clock } from '#client/clock'
import type { FormerContact } from '#client/contacts/contact-file'
import type { EngineModule } from '#client/engine'
import type { ServerLocator } from '#client/signaling/server-locator'
import { openSignaling } from '#client/signaling/signaling-client'
import { SIGNALING_VERSION } from '#shared/signaling/messages'
import { decodeInvitation, encodeInvitation } from '#shared/state/contacts'

/** Dependencies of `FormerContacts`. */
export type FormerContactsOptions = {
  readonly clock: Clock
  readonly random: () => number
  readonly seal: Pick<EngineModule, 'openInvitation' | 'sealInvitation'>
  readonly ownPublicKey: () => string | null
  /** The locator of the server with this address. */
  readonly locatorOf: (url: string) => ServerLocator
}

/** An answer that is not delivered by then is repeated after the next notification. */
const answerMs = 10_000

/** Limits the answers at a time, and the pause between two answers to one person. */
const maxAtOnce = 4
const answerEveryMs = 60_000

/** Older notifications are repetitions by a server. */
const maxAgeMs = 24 * 3_600_000

/** Each client has one. */
export class FormerContacts {
  readonly #options: FormerContactsOptions
  /** Ends each answer that is on its way. */
  readonly #answering = new Set<() => void>()
  readonly #answeredAtMs = new Map<string, number>()
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: FormerContactsOptions) {
    this.#options = options
  }

  /** Handles a notification of a former contact, with the server's pass to its share. */
  receive(former: FormerContact, body: string, pass?: string): void {
    const { seal, ownPublicKey, clock } = this.#options
    const own = ownPublicKey()
    const nowMs = clock.now()
    const isRecent = nowMs - (this.#answeredAtMs.get(former.publicKey) ?? 0) < answerEveryMs
    if (own === null || isRecent || this.#answering.size >= maxAtOnce) return
    const text = seal.openInvitation(former.key, own, body)
    const call = text === null ? null : decodeInvitation(text)
    if (call === null || !('summary' in call) || Math.abs(nowMs - call.atMs) > maxAgeMs) return
    this.#answeredAtMs.set(former.publicKey, nowMs)
    this.#answer(former, call.nameplate, pass)
  }

  /** Ends all answers; resolves when their sockets are closed. */
  async close(): Promise<void> {
    for (const end of [...this.#answering]) end()
    await this.#farewell
  }

  #answer(former: FormerContact, nameplate: string, pass?: string): void {
    const { seal, clock, random, locatorOf } = this.#options
    const message = { v: 1, nameplate, atMs: clock.now(), removed: true } as const
    const body = seal.sealInvitation(former.key, former.publicKey, encodeInvitation(message))
    const signaling = openSignaling({
      clock,
      random,
      server: locatorOf(former.server),
      joining: nameplate,
      hello: () => ({
        t: 'join',
        v: SIGNALING_VERSION,
        nameplate,
        ...(pass !== undefined && { pass }),
        body,
      }),
      onUp: () => undefined,
      onMessage: ({ t }) => {
        if (t === 'joined') end()
      },
      onDown: () => end(),
    })
    const end = (): void => {
      if (!this.#answering.delete(end)) return
      cancel()
      this.#farewell = Promise.all([this.#farewell, signaling.close()])
    }
    const cancel = clock.after(answerMs, end)
    this.#answering.add(end)
    signaling.start()
  }
}
