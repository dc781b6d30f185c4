/** Calls of nearby computers that want to send: each becomes a question for a person (docs/nearby.md). */
import type { Clock } from '#client/clock'
import { CallKey, type CallSecrets, commitmentTo, newNonce } from '#client/nearby/call-keys'
import {
  type Answer,
  type CallMessage,
  decodeAsk,
  decodeCall,
  decodeShare,
  encodeCall,
  type SharePlace,
  shownName,
} from '#client/nearby/call-messages'
import { answerMs, personMs } from '#client/nearby/outgoing-call'
import type { NewEvent } from '#client/state/state-log'
import { limits } from '#shared/limits'
import type { ClientMessage, ServerMessage } from '#shared/signaling/messages'
import type { ReceiveId } from '#shared/state/app-state'
import { summaryOf } from '#shared/state/contacts'
import type { NearbyQuestion } from '#shared/state/nearby'

/** Dependencies of `IncomingCalls`. */
export type IncomingCallsOptions = {
  readonly clock: Clock
  readonly send: (message: ClientMessage) => void
  /** True if people who are no contacts may ask. */
  readonly isOpen: () => boolean
  /** Reads a contact's sealed invitation; false if the mark or the box is no contact's. */
  readonly onInvitation: (mark: string, body: string) => boolean
  /** Both people have agreed: the share can be received at this place. `safety`: the number that they compared. */
  readonly onShare: (place: SharePlace, safety: string) => ReceiveId | undefined
  readonly record: (event: NewEvent) => void
}

type Call = {
  readonly peer: string
  /** `null` before the caller has asked for anything. */
  readonly key: CallKey | null
  readonly nonce: string
  readonly secrets: CallSecrets | null
  readonly question: NearbyQuestion | null
  readonly cancel: () => void
}

/** Limits the calls at a time; the embedded server limits those of one address. */
const maxCalls = 16

/** Limits the questions that people see in a minute, so that a stranger can't fill the screen. */
const maxQuestions = 6
const questionsWithinMs = 60_000

/** Each client has one. */
export class IncomingCalls {
  readonly #options: IncomingCallsOptions
  readonly #calls = new Map<string, Call>()
  #askedAtMs: readonly number[] = []
  #lastId = 0

  constructor(options: IncomingCallsOptions) {
    this.#options = options
  }

  /** True while a call is open. */
  get isBusy(): boolean {
    return this.#calls.size > 0
  }

  /** Handles a message of the server that has the door. */
  onServer(message: ServerMessage): void {
    if (message.t === 'peer') this.#begin(message.peer, message.body)
    else if (message.t === 'relay') this.#onBody(message.from, message.body)
    else if (message.t === 'gone') this.#end(message.peer)
  }

  /** A person's answer to a question. False if the question is no longer open. */
  answer(id: string, isAccepted: boolean): boolean {
    const call = [...this.#calls.values()].find(({ question }) => question?.id === id)
    if (call?.question?.phase !== 'asking') return false
    this.#send(call, isAccepted ? 'accepted' : 'declined')
    if (isAccepted) {
      this.#update(call, { question: { ...call.question, phase: 'accepted' } }, personMs)
    } else this.#end(call.peer)
    return true
  }

  /** Ends all calls, for example because the place of the door was lost. */
  endAll(): void {
    for (const peer of [...this.#calls.keys()]) this.#end(peer)
  }

  #begin(peer: string, body: string | undefined): void {
    if (this.#calls.has(peer)) return
    if (this.#calls.size >= maxCalls) {
      this.#relay({ peer }, { t: 'end' })
      return
    }
    const call = { peer, key: null, nonce: '', secrets: null, question: null, cancel: nothing }
    this.#update(call, {}, answerMs)
    if (body !== undefined) this.#onBody(peer, body)
  }

  #onBody(peer: string, body: string): void {
    const call = this.#calls.get(peer)
    if (call === undefined) return
    const message = decodeCall(body)
    if (message?.t === 'call' && call.key === null && this.#options.isOpen()) this.#ready(call)
    else if (message?.t === 'ask' && call.key !== null && call.secrets === null) {
      this.#ask(call, call.key, message)
    } else if (message?.t === 'share') this.#onShare(call, message.box)
    else {
      const isReceived =
        message?.t === 'invite' &&
        call.key === null &&
        this.#options.onInvitation(message.mark, message.body)
      this.#relay(call, { t: isReceived ? 'received' : 'end' })
      this.#end(peer)
    }
  }

  #ready(call: Call): void {
    const key = new CallKey()
    const nonce = newNonce()
    this.#update(call, { key, nonce }, answerMs)
    this.#relay(call, { t: 'ready', key: key.publicKey, commitment: commitmentTo(nonce) })
  }

  /** The nonce is revealed only together with a question that people see, so each guess at the number is seen. */
  #ask(call: Call, key: CallKey, { key: other, box }: Extract<CallMessage, { t: 'ask' }>): void {
    const { clock, record } = this.#options
    const secrets = key.agree(other, commitmentTo(call.nonce), 'computer')
    const ask = decodeAsk(secrets?.channel.open(box) ?? null)
    const name = ask === null ? '' : shownName(ask.name)
    if (secrets === null || ask === null || name === '') {
      this.#relay(call, { t: 'end' })
      this.#end(call.peer)
      return
    }
    if (!this.#mayAsk()) {
      this.#send({ ...call, secrets }, 'busy')
      this.#end(call.peer)
      return
    }
    this.#lastId += 1
    const question: NearbyQuestion = {
      id: `n${this.#lastId}`,
      name,
      summary: summaryOf(ask.summary),
      safety: secrets.safety(call.nonce),
      phase: 'asking',
      arrivedMs: clock.now(),
    }
    // The server ends a pair after two minutes without a grant.
    this.#options.send({ t: 'grant', peer: call.peer })
    this.#relay(call, { t: 'reveal', nonce: call.nonce })
    this.#update(call, { secrets, question }, personMs)
    record({ type: 'nearby-asked', question })
  }

  #onShare(call: Call, box: string): void {
    const place = decodeShare(call.secrets?.channel.open(box) ?? null)
    const { question } = call
    const isAgreed = question?.phase === 'accepted' && place !== null
    this.#end(call.peer, isAgreed ? this.#options.onShare(place, question.safety) : undefined)
  }

  #mayAsk(): boolean {
    const nowMs = this.#options.clock.now()
    const open = [...this.#calls.values()].filter(({ question }) => question !== null)
    this.#askedAtMs = this.#askedAtMs.filter((atMs) => nowMs - atMs < questionsWithinMs)
    if (open.length >= limits.nearbyQuestions || this.#askedAtMs.length >= maxQuestions)
      return false
    this.#askedAtMs = [...this.#askedAtMs, nowMs]
    return true
  }

  #send({ secrets, peer }: Call, answer: Answer): void {
    if (secrets === null) return
    const box = secrets.channel.seal(JSON.stringify({ answer }))
    this.#relay({ peer }, { t: 'answer', box })
  }

  #relay({ peer }: Pick<Call, 'peer'>, message: CallMessage): void {
    this.#options.send({ t: 'relay', to: peer, body: encodeCall(message) })
  }

  #update(call: Call, change: Partial<Call>, limitMs: number): void {
    call.cancel()
    const cancel = this.#options.clock.after(limitMs, () => this.#end(call.peer))
    const next = { ...call, ...change, cancel }
    this.#calls.set(call.peer, next)
    if (call.question !== null && next.question !== null && next.question !== call.question) {
      this.#options.record({ type: 'nearby-asked', question: next.question })
    }
  }

  #end(peer: string, begun?: ReceiveId): void {
    const call = this.#calls.get(peer)
    if (call === undefined) return
    call.cancel()
    this.#calls.delete(peer)
    if (call.question !== null) {
      this.#options.record({ type: 'nearby-question-removed', id: call.question.id, begun })
    }
  }
}

const nothing = (): void => undefined
