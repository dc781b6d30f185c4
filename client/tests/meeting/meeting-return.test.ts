/** Receivers that return by their resume keys, to doors that those who only know the number can't find. */
import { expect, test } from 'vitest'
import { dayOf, keyDoorOf } from '#client/meeting/meeting-door'
import { type Say, sealMessage } from '#client/meeting/messages'
import { EventSigner } from '#client/meeting/nostr-event'
import { bodiesOf, MeetingRig, peerOf } from './meeting-rig'

const nameplate = '481516'
const resumeKey = Buffer.alloc(32, 7).toString('base64url')
const otherKey = Buffer.alloc(32, 8).toString('base64url')

/** A share to which receivers with these keys may return. */
async function sharing(rig: MeetingRig, keys: string[] = [resumeKey], more = {}) {
  const host = rig.host(nameplate, { returning: () => keys, ...more })
  await rig.pass(2500)
  return host
}

const knockAt = (rig: MeetingRig, topic: string, content: string, signer: EventSigner): void =>
  rig.points
    .at('wss://point0')
    .publish(signer.sign(topic, content, Math.floor(rig.clock.now() / 1000)))

const say = (run: number): Say => ({
  t: 'say',
  run: String(run).padStart(32, '0'),
  n: 0,
  ack: 0,
  bodies: [],
})

test('a receiver returns by its key, also after the share has left the door of its number', async () => {
  const rig = new MeetingRig()
  const host = await sharing(rig)
  for (let guess = 0; guess < 10; guess += 1) host.client.noteWrongGuess('stranger')
  const stranger = rig.join(nameplate)
  const receiver = rig.join(nameplate, 'j0', { resumeKey })
  await rig.pass(1000)
  expect(receiver.got).toMatchObject([{ t: 'joined' }])
  host.client.send({ t: 'relay', to: peerOf(host.got), body: 'h0' })
  await rig.pass(1000)
  expect([bodiesOf(host.got), bodiesOf(receiver.got)]).toEqual([['j0'], ['h0']])
  await rig.pass(10_000)
  expect(stranger.errors[0]).toMatchObject({ code: 'E_NO_SUCH_CODE' })
})

test('a wrong proof by a key is no guess at the words', async () => {
  const rig = new MeetingRig()
  const host = await sharing(rig)
  rig.join(nameplate, 'j0', { resumeKey })
  await rig.pass(1000)
  for (let guess = 0; guess < 10; guess += 1) host.client.noteWrongGuess(peerOf(host.got))
  expect(host.errors).toEqual([])
})

test('a forgotten key opens nothing', async () => {
  const rig = new MeetingRig()
  const keys = [resumeKey, otherKey]
  const host = await sharing(rig, keys)
  keys.shift()
  host.client.onReturning()
  await rig.pass(100)
  const forgotten = rig.join(nameplate, 'hello', { resumeKey })
  const known = rig.join(nameplate, 'hello', { resumeKey: otherKey })
  await rig.pass(2000)
  expect([forgotten.got, known.got.map(({ t }) => t)]).toEqual([[], ['joined']])
})

test('a receiver waits for a sender that restarts, with four events in forty seconds', async () => {
  const rig = new MeetingRig(1)
  const receiver = rig.join(nameplate, 'j0', { resumeKey })
  await rig.pass(3500)
  expect(receiver.got).toEqual([{ t: 'waiting' }])
  await rig.pass(10_000)
  expect(rig.points.events).toBe(3)
  const host = await sharing(rig, [resumeKey], { isRestored: true })
  await rig.pass(5000)
  expect(receiver.got.map(({ t }) => t)).toEqual(['waiting', 'joined'])
  expect(bodiesOf(host.got)).toEqual(['j0'])
})

test('a receiver whose sender does not return gives up before its engine does', async () => {
  const rig = new MeetingRig(1)
  const receiver = rig.join(nameplate, 'j0', { resumeKey })
  await rig.pass(41_000, 50)
  expect(receiver.errors).toMatchObject([{ code: 'E_PEER_GONE' }])
  expect(rig.points.events).toBe(4)
})

test('the doors of returning receivers change at midnight', async () => {
  const rig = new MeetingRig(1)
  const host = await sharing(rig)
  const point = rig.points.at('wss://point0')
  const topics = (): readonly string[] => [...point.subscribers].flatMap((one) => one.topics)
  const today = dayOf(rig.clock.now())
  expect(topics()).toContain(keyDoorOf(resumeKey, today).topic)
  await rig.pass(24 * 3600_000, 60_000)
  const tomorrow = dayOf(rig.clock.now())
  expect(tomorrow).not.toBe(today)
  expect(topics()).not.toContain(keyDoorOf(resumeKey, today).topic)
  expect(topics()).toContain(keyDoorOf(resumeKey, tomorrow).topic)
  expect(host.errors).toEqual([])
})

test('those who flood the door of the number keep no receiver from returning', async () => {
  const rig = new MeetingRig(1)
  const host = await sharing(rig)
  const stranger = await EventSigner.create()
  const door = rig.doorOf(nameplate, dayOf(rig.clock.now()))
  for (let run = 0; run < 30; run += 1) {
    knockAt(rig, door.topic, sealMessage(door, say(run)), stranger)
    await rig.pass(200, 100)
  }
  const before = host.got.filter(({ t }) => t === 'peer').length
  expect(before).toBe(20)
  const newcomer = rig.join(nameplate)
  const receiver = rig.join(nameplate, 'hello', { resumeKey })
  await rig.pass(1000)
  expect([newcomer.got, receiver.got.map(({ t }) => t)]).toEqual([[], ['joined']])
})

test('the number opens no door of a key', async () => {
  const rig = new MeetingRig(1)
  const host = await sharing(rig)
  const day = dayOf(rig.clock.now())
  const stranger = await EventSigner.create()
  // A relay knows the topic, and perhaps the number, but not the key.
  const box = sealMessage(rig.doorOf(nameplate, day), say(1))
  knockAt(rig, keyDoorOf(resumeKey, day).topic, box, stranger)
  await rig.pass(500)
  expect(host.got.map(({ t }) => t)).toEqual(['hosted'])
})

test('a share listens for at most 99 keys, those of the latest receivers', async () => {
  const rig = new MeetingRig(1)
  const keys = Array.from({ length: 150 }, (_, at) => Buffer.alloc(32, at).toString('base64url'))
  await sharing(rig, keys)
  const [subscriber] = rig.points.at('wss://point0').subscribers
  const day = dayOf(rig.clock.now())
  expect(subscriber?.topics).toHaveLength(100)
  expect(subscriber?.topics).toContain(keyDoorOf(keys.at(-1) ?? '', day).topic)
})
