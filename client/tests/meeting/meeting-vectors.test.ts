import { readFileSync } from 'node:fs'
import { schnorr } from '@noble/curves/secp256k1.js'
import { expect, test } from 'vitest'
import { doorOf, keyDoorOf, openAt, replyDoorOf, sealFor } from '#client/meeting/meeting-door'
import { type MeetingMessage, openMessage, sealMessage } from '#client/meeting/messages'
import {
  decodePointFrame,
  eventFrame,
  EventSigner,
  maxPointFrame,
  type NostrEvent,
  requestFrame,
} from '#client/meeting/nostr-event'

type Vectors = {
  readonly door: { nameplate: string; day: string; topic: string; key: string }
  readonly reply: { run: string; topic: string; key: string }
  readonly returning: { key: string; day: string; topic: string; door: string }
  readonly box: { nonce: string; message: string; content: string }
  readonly event: { secret: string; random: string; event: NostrEvent }
  readonly messages: readonly MeetingMessage[]
  readonly invalid: readonly MeetingMessage[]
}

const url = new URL('../../../docs/vectors/meeting.json', import.meta.url)
const vectors = JSON.parse(readFileSync(url, 'utf8')) as Vectors
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const door = { topic: vectors.door.topic, key: bytes(vectors.door.key) }

test('doors are those of the vectors', async () => {
  expect(await doorOf(vectors.door.nameplate, vectors.door.day)).toEqual(door)
  const { run, topic, key } = vectors.reply
  expect(replyDoorOf(door, run)).toEqual({ topic, key: bytes(key) })
  const { key: resumeKey, day, ...known } = vectors.returning
  expect(keyDoorOf(resumeKey, day)).toEqual({ topic: known.topic, key: bytes(known.door) })
})

test('boxes are those of the vectors, and open only at their door', () => {
  const { nonce, message, content } = vectors.box
  expect(sealFor(door, message, bytes(nonce))).toBe(content)
  expect(openAt(door, content)).toBe(message)
  expect(openAt({ ...door, topic: vectors.reply.topic }, content)).toBeNull()
  expect(openAt(door, `${content.slice(0, -1)}${content.endsWith('A') ? 'B' : 'A'}`)).toBeNull()
  for (const damaged of ['', 'AAAA', content.slice(0, 500), content + content + content]) {
    expect(openAt(door, damaged)).toBeNull()
  }
})

test('all boxes have a multiple of 512 bytes, and hold any text', () => {
  for (const length of [0, 1, 509, 510, 511, 8192]) {
    const text = 'x'.repeat(length)
    const box = sealFor(door, text)
    expect((Buffer.from(box, 'base64url').length - 28) % 512).toBe(0)
    expect(openAt(door, box)).toBe(text)
  }
})

test('messages are decoded as in the vectors', () => {
  for (const message of vectors.messages) {
    expect(openMessage(door, sealMessage(door, message))).toEqual(message)
  }
  for (const message of vectors.invalid) {
    expect(openMessage(door, sealMessage(door, message))).toBeNull()
  }
  expect(openMessage(door, sealFor(door, 'no JSON'))).toBeNull()
})

test('events are those of the vectors, with a signature that relays accept', async () => {
  const { secret, random, event } = vectors.event
  const signer = await EventSigner.create(bytes(secret))
  const made = signer.sign(door.topic, vectors.box.content, event.created_at, bytes(random))
  expect(made).toEqual(event)
  expect(schnorr.verify(bytes(event.sig), bytes(event.id), bytes(event.pubkey))).toBe(true)
})

test('frames of points are decoded within bounds', () => {
  const { event } = vectors.event
  const frame = eventFrame(event).replace('["EVENT",', '["EVENT","meet",')
  const { pubkey, content } = event
  expect(decodePointFrame(frame)).toEqual({ t: 'event', topic: door.topic, pubkey, content })
  expect(decodePointFrame('["EOSE","meet"]')).toEqual({ t: 'end' })
  const refused = { accepted: false, reason: 'pow: 28 bits' }
  expect(decodePointFrame('["OK","id",false,"pow: 28 bits"]')).toEqual({ t: 'ok', ...refused })
  const long = decodePointFrame(JSON.stringify(['CLOSED', 'meet', 'x'.repeat(5000)]))
  expect(long).toEqual({ t: 'closed', reason: 'x'.repeat(200) })
  const foreign = [
    '["EOSE","other"]',
    '["NOTICE","hello"]',
    '{}',
    '[',
    frame.replace('28472', '1'),
    ' '.repeat(maxPointFrame) + frame,
  ]
  for (const text of foreign) expect(decodePointFrame(text)).toBeNull()
  expect(JSON.parse(requestFrame(['topic', 'other'], 5))).toEqual([
    'REQ',
    'meet',
    { kinds: [28472], '#x': ['topic', 'other'], since: 5 },
  ])
})
