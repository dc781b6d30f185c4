import { expect, it } from 'vitest'
import { ServerRelayTickets } from '#signaling/socket/server-relay-tickets'
import { FakeClock } from './fake-clock.ts'

const lifeMs = 120_000
const host = { pair: '0123456789abcdef', isHost: true, isPage: false }
const joiner = { ...host, isHost: false }

function nodes() {
  const clock = new FakeClock()
  const key = Buffer.alloc(32, 7)
  const node = (name: string, by = key) => new ServerRelayTickets(name, clock, () => by)
  return { clock, a: node('a'), b: node('b'), stranger: node('a', Buffer.alloc(32, 8)) }
}

it('are valid at their node, whichever node made them', () => {
  const { a, b, stranger } = nodes()
  const ticket = b.issue(joiner, 'a', lifeMs)
  expect(ticket).toMatch(/^[\w-]{43}$/)
  expect(b.use(ticket)).toBeNull()
  expect(a.participantOf(ticket)).toEqual(joiner)
  expect(a.use(ticket)).toEqual(joiner)
  expect(a.participantOf(stranger.issue(joiner, 'a', lifeMs))).toBeNull()
})

it('are valid once for each side, in any spelling', () => {
  const { a } = nodes()
  const [ofHost, ofJoiner] = [a.issue(host, 'a', lifeMs), a.issue(joiner, 'a', lifeMs)]
  expect(a.use(ofHost)).toEqual(host)
  // The last character has two unused bits.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(ofHost.slice(-1))
  const other = ofHost.slice(0, -1) + (alphabet[last ^ 1] ?? '')
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(ofHost, 'base64url'))
  for (const ticket of [ofHost, other]) {
    expect(a.participantOf(ticket)).toBeNull()
    expect(a.use(ticket)).toBeNull()
  }
  expect(a.use(ofJoiner)).toEqual(joiner)
})

it('say whether the pair has a page', () => {
  const { a } = nodes()
  for (const one of [host, joiner]) {
    const ofPage = { ...one, isPage: true }
    expect(a.participantOf(a.issue(ofPage, 'a', lifeMs))).toEqual(ofPage)
  }
})

it('end', () => {
  const { a, clock } = nodes()
  const ticket = a.issue(host, 'a', lifeMs)
  clock.advance(lifeMs - 1)
  expect(a.participantOf(ticket)).toEqual(host)
  clock.advance(1)
  expect(a.participantOf(ticket)).toBeNull()
  expect(a.use(ticket)).toBeNull()
})

it("can't be changed", () => {
  const { a } = nodes()
  const bytes = Buffer.from(a.issue(host, 'a', lifeMs), 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(a.participantOf(changed.toString('base64url'))).toBeNull()
  }
  expect(a.participantOf(bytes.subarray(1).toString('base64url'))).toBeNull()
  expect(a.participantOf('')).toBeNull()
})
