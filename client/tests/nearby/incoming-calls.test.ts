/** A computer and callers that don't follow docs/nearby.md. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CallKey, isCommittedTo } from '#client/nearby/call-keys'
import { type CallMessage, decodeCall, encodeCall } from '#client/nearby/call-messages'
import { IncomingCalls } from '#client/nearby/incoming-calls'
import type { NewEvent } from '#client/state/state-log'
import { ManualClock } from '#client/testing/manual-clock'
import type { ClientMessage } from '#shared/signaling/messages'

let clock: ManualClock
let sent: ClientMessage[]
let events: NewEvent[]
let isOpen: boolean
let places: object[]
let calls: IncomingCalls

beforeEach(() => {
  clock = new ManualClock()
  sent = []
  events = []
  places = []
  isOpen = true
  calls = new IncomingCalls({
    clock,
    send: (message) => void sent.push(message),
    isOpen: () => isOpen,
    onInvitation: (mark) => mark === 'AAAAAAAA',
    onShare: (place) => {
      places.push(place)
      return undefined
    },
    record: (event) => events.push(event),
  })
})

const peerOf = (index: number): string => index.toString(16).padStart(16, '0')

const say = (message: CallMessage, peer = peerOf(1)): void =>
  calls.onServer({ t: 'relay', from: peer, body: encodeCall(message) })

/** The messages that the computer has sent since the last call. */
const heard = (): readonly (CallMessage | null)[] =>
  sent.splice(0).flatMap((one) => (one.t === 'relay' ? [decodeCall(one.body)] : []))

const begin = (peer = peerOf(1), message: CallMessage = { t: 'call', v: 1 }): void =>
  calls.onServer({ t: 'peer', peer, body: encodeCall(message) })

/** Makes a call up to its question; returns the caller's secrets. */
function ask(peer = peerOf(1), content: object = { name: 'Mina', summary: 'photos' }) {
  sent = []
  begin(peer)
  const [ready] = heard()
  if (ready?.t !== 'ready') throw new Error('not ready')
  const key = new CallKey()
  const secrets = key.agree(ready.key, ready.commitment, 'caller')
  if (secrets === null) throw new Error('no secrets')
  say({ t: 'ask', key: key.publicKey, box: secrets.channel.seal(JSON.stringify(content)) }, peer)
  return { secrets, ready }
}

const questions = (): readonly NewEvent[] => events.filter((event) => event.type === 'nearby-asked')

describe('a computer that is called', () => {
  it('reveals its nonce together with the question, and a grant', () => {
    const { ready, secrets } = ask()
    expect(sent.map(({ t }) => t)).toEqual(['grant', 'relay'])
    const [reveal] = heard()
    if (reveal?.t !== 'reveal') throw new Error('not revealed')
    expect(isCommittedTo(ready.commitment, reveal.nonce)).toBe(true)
    expect(questions()).toMatchObject([
      { question: { name: 'Mina', summary: 'photos', safety: secrets.safety(reveal.nonce) } },
    ])
  })

  it.each([
    [
      'its box is not sealed for it',
      (box: string) => (box.startsWith('A') ? 'B' : 'A') + box.slice(1),
      { name: 'a', summary: '' },
    ],
    ['it has no name', (box: string) => box, { name: '', summary: '' }],
    ['its summary is long', (box: string) => box, { name: 'a', summary: 'x'.repeat(201) }],
  ])('keeps its nonce from a caller if %s', (_why, change, content) => {
    begin()
    const [ready] = heard()
    if (ready?.t !== 'ready') throw new Error('not ready')
    const key = new CallKey()
    const box = key
      .agree(ready.key, ready.commitment, 'caller')
      ?.channel.seal(JSON.stringify(content))
    say({ t: 'ask', key: key.publicKey, box: change(box ?? '') })
    expect(heard()).toEqual([{ t: 'end' }])
    expect(questions()).toEqual([])
    expect(calls.isBusy).toBe(false)
  })

  it('tells strangers nothing but the end if only contacts may call, or an unknown mark', () => {
    isOpen = false
    begin()
    begin(peerOf(2), { t: 'invite', v: 1, mark: 'BBBBBBBB', body: 'A'.repeat(40) })
    expect(heard()).toEqual([{ t: 'end' }, { t: 'end' }])
    begin(peerOf(3), { t: 'invite', v: 1, mark: 'AAAAAAAA', body: 'A'.repeat(40) })
    expect(heard()).toEqual([{ t: 'received' }])
    expect(calls.isBusy).toBe(false)
  })

  it('ends a call that asks twice, or shares before anyone agreed', () => {
    const { secrets } = ask()
    const place = JSON.stringify({ nameplate: '482913', words: 'apple-kayak-onion' })
    say({ t: 'share', box: secrets.channel.seal(place) })
    expect(places).toEqual([])
    expect(events.at(-1)?.type).toBe('nearby-question-removed')
    ask(peerOf(2))
    say({ t: 'ask', key: new CallKey().publicKey, box: 'A'.repeat(40) }, peerOf(2))
    expect(events.at(-1)?.type).toBe('nearby-question-removed')
  })

  it('takes the place of a share only once its person has accepted', () => {
    const { secrets } = ask()
    expect(calls.answer('n1', true)).toBe(true)
    const answer = heard().find((message) => message?.t === 'answer')
    expect(answer?.t === 'answer' && secrets.channel.open(answer.box)).toBe('{"answer":"accepted"}')
    const place = { nameplate: '482913', words: 'apple-kayak-onion' }
    say({ t: 'share', box: secrets.channel.seal(JSON.stringify(place)) })
    expect(places).toEqual([place])
  })

  it('has room for sixteen calls, ten seconds each, and questions of five minutes', () => {
    for (let index = 1; index <= 20; index += 1) begin(peerOf(index))
    const answers = heard().map((message) => message?.t)
    expect(answers).toEqual(
      Array.from({ length: 20 }, (_, index) => (index < 16 ? 'ready' : 'end')),
    )
    clock.advance(10_000)
    expect(calls.isBusy).toBe(false)
    ask(peerOf(30))
    clock.advance(5 * 60_000 - 1)
    expect(calls.isBusy).toBe(true)
    clock.advance(1)
    expect(calls.isBusy).toBe(false)
    expect(events.at(-1)?.type).toBe('nearby-question-removed')
  })

  it('asks its person six times a minute at most, whatever the answers are', () => {
    for (let index = 1; index <= 8; index += 1) {
      ask(peerOf(index))
      calls.answer(`n${index}`, false)
    }
    expect(questions()).toHaveLength(6)
    expect(heard().at(-1)).toMatchObject({ t: 'answer' })
    clock.advance(60_000)
    ask(peerOf(9))
    expect(questions()).toHaveLength(7)
  })
})
