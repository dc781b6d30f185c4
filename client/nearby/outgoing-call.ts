/**
 * A call to a nearby computer: its person is asked to receive a share, and gets the share's code in a box once both
 * people have agreed. A contact gets its sealed invitation instead.
 */
import type { Clock } from '#client/clock'
import { CallKey, type CallSecrets, isCommittedTo } from '#client/nearby/call-keys'
import {
  type CallMessage,
  decodeAnswer,
  decodeCall,
  encodeCall,
  type SharePlace,
} from '#client/nearby/call-messages'
import type { FoundComputer } from '#client/nearby/computers'
import { SignalingClient, type SignalingConnection } from '#client/signaling/signaling-client'
import { ok } from '#shared/result'
import { SIGNALING_VERSION } from '#shared/signaling/messages'
import type { NearbyCall } from '#shared/state/nearby'

/** The time for each answer of a program, and for that of a person. */
export const answerMs = 10_000
export const personMs = 5 * 60_000

/** A nearby computer, seen through the door that it hosts. */
export type DoorOptions = {
  readonly clock: Clock
  readonly random: () => number
  readonly computer: Pick<FoundComputer, 'door' | 'servers'>
  readonly opening: CallMessage
  readonly onMessage: (message: CallMessage) => void
  /** No address answers, or the computer has left. */
  readonly onEnd: () => void
}

/** The socket of a call, at the first address that answers. */
export class Door {
  readonly #options: DoorOptions
  #signaling: SignalingConnection | null = null
  #peer: string | null = null
  #tried = 0
  #isOver = false
  #farewell: Promise<unknown> = Promise.resolve()

  constructor(options: DoorOptions) {
    this.#options = options
  }

  /** Calls the next address. */
  start(): void {
    const { clock, random, computer, opening } = this.#options
    const server = computer.servers[this.#tried]
    this.#tried += 1
    if (server === undefined) {
      this.#end()
      return
    }
    this.#peer = null
    const signaling = new SignalingClient({
      clock,
      random,
      server: { url: server.url, locate: () => Promise.resolve(ok(server)), close: nothing },
      hello: () => ({
        t: 'join',
        v: SIGNALING_VERSION,
        nameplate: computer.door,
        body: encodeCall(opening),
      }),
      onUp: () => undefined,
      onMessage: (message) => {
        if (message.t === 'joined') this.#peer = message.peer
        else if (message.t === 'gone') this.#end()
        else if (message.t === 'relay' && message.from === this.#peer) this.#onBody(message.body)
      },
      onDown: () => {
        this.#leave()
        if (this.#peer === null) this.start()
        else this.#end()
      },
    })
    this.#signaling = signaling
    signaling.start()
  }

  send(message: CallMessage): void {
    if (this.#peer === null) return
    this.#signaling?.send({ t: 'relay', to: this.#peer, body: encodeCall(message) })
  }

  /** Resolves when the socket is closed. */
  async close(): Promise<void> {
    this.#isOver = true
    this.#leave()
    await this.#farewell
  }

  #onBody(body: string): void {
    const message = decodeCall(body)
    if (message !== null && !this.#isOver) this.#options.onMessage(message)
  }

  #leave(): void {
    this.#farewell = Promise.all([this.#farewell, this.#signaling?.close()])
    this.#signaling = null
  }

  #end(): void {
    this.#leave()
    if (this.#isOver) return
    this.#isOver = true
    this.#options.onEnd()
  }
}

const nothing = (): Promise<void> => Promise.resolve()

/** Dependencies of `OutgoingCall`. */
export type OutgoingCallOptions = Pick<DoorOptions, 'clock' | 'random'> & {
  readonly computer: FoundComputer
  /** This computer's name. */
  readonly name: string
  readonly summary: () => string
  readonly onChange: (call: NearbyCall) => void
}

/** `start` begins it, once. */
export class OutgoingCall {
  readonly #options: OutgoingCallOptions
  readonly #door: Door
  readonly #key = new CallKey()
  #secrets: CallSecrets | null = null
  #commitment = ''
  #place: SharePlace | null = null
  #isConfirmed = false
  #isAccepted = false
  #call: NearbyCall
  #cancelTimer: () => void = () => undefined

  constructor(options: OutgoingCallOptions) {
    const { computer, clock, random } = options
    this.#options = options
    this.#call = { computer: computer.id, name: computer.name, phase: 'calling', safety: null }
    this.#door = new Door({
      ...{ clock, random, computer },
      opening: { t: 'call', v: 1 },
      onMessage: (message) => this.#onMessage(message),
      onEnd: () => this.#finish('gone'),
    })
  }

  get call(): NearbyCall {
    return this.#call
  }

  start(): void {
    this.#within(answerMs)
    this.#door.start()
  }

  /** This side's person has compared the number. */
  confirm(): void {
    if (this.#call.phase !== 'asked' && this.#call.phase !== 'accepted') return
    this.#isConfirmed = true
    this.#proceed()
  }

  /** The share can be joined at this place. */
  sharedAt(place: SharePlace): void {
    this.#place = place
    this.#proceed()
  }

  /** Ends the call without an answer. Resolves when its socket is closed. */
  end(): Promise<void> {
    this.#cancelTimer()
    return this.#door.close()
  }

  #onMessage(message: CallMessage): void {
    const { phase } = this.#call
    if (message.t === 'ready' && phase === 'calling' && this.#secrets === null) this.#ask(message)
    else if (message.t === 'reveal' && phase === 'calling') this.#onRevealed(message.nonce)
    else if (message.t === 'answer') this.#onAnswer(message.box)
    else if (message.t === 'end') this.#finish('refused')
    else this.#finish('gone')
  }

  #ask({ key, commitment }: Extract<CallMessage, { readonly t: 'ready' }>): void {
    const { name, summary } = this.#options
    const secrets = this.#key.agree(key, commitment, 'caller')
    if (secrets === null) {
      this.#finish('gone')
      return
    }
    this.#secrets = secrets
    this.#commitment = commitment
    const box = secrets.channel.seal(JSON.stringify({ name, summary: summary() }))
    this.#door.send({ t: 'ask', key: this.#key.publicKey, box })
    this.#within(answerMs)
  }

  #onRevealed(nonce: string): void {
    if (this.#secrets === null || !isCommittedTo(this.#commitment, nonce)) {
      this.#finish('gone')
      return
    }
    this.#within(personMs)
    this.#set({ phase: 'asked', safety: this.#secrets.safety(nonce) })
  }

  #onAnswer(box: string): void {
    const answer = decodeAnswer(this.#secrets?.channel.open(box) ?? null)
    if (answer === 'accepted' && this.#call.safety !== null && !this.#isAccepted) {
      this.#isAccepted = true
      this.#proceed()
    } else this.#finish(answer === 'declined' || answer === 'busy' ? answer : 'gone')
  }

  #proceed(): void {
    if (this.#call.safety === null) return
    if (this.#isConfirmed && this.#isAccepted && this.#place !== null && this.#secrets !== null) {
      const box = this.#secrets.channel.seal(JSON.stringify(this.#place))
      this.#door.send({ t: 'share', box })
      this.#finish('joining')
    } else if (this.#isConfirmed) this.#set({ phase: 'confirmed' })
    else if (this.#isAccepted) this.#set({ phase: 'accepted' })
  }

  #within(limitMs: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#options.clock.after(limitMs, () => this.#finish('gone'))
  }

  #finish(phase: NearbyCall['phase']): void {
    void this.end()
    this.#set({ phase })
  }

  #set(change: Partial<NearbyCall>): void {
    this.#call = { ...this.#call, ...change }
    this.#options.onChange(this.#call)
  }
}

/** Delivers a contact's sealed invitation; resolves with true if its computer has received it. */
export function deliverInvitation(
  options: Pick<DoorOptions, 'clock' | 'random'>,
  computer: FoundComputer,
  body: string,
): Promise<boolean> {
  const { mark } = computer
  if (mark === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (isReceived: boolean): void => {
      cancel()
      void door.close()
      resolve(isReceived)
    }
    const door = new Door({
      ...options,
      computer,
      opening: { t: 'invite', v: 1, mark, body },
      onMessage: ({ t }) => end(t === 'received'),
      onEnd: () => end(false),
    })
    const cancel = options.clock.after(answerMs, () => end(false))
    door.start()
  })
}
