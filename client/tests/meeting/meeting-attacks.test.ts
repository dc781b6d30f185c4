/** Strangers, relays and clocks that do their worst to shares and joins at public meeting points. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf, type Door, replyDoorOf, sealFor } from '#client/meeting/meeting-door'
import { maxMessages, type MeetingMessage, type Say, sealMessage } from '#client/meeting/messages'
import { EventSigner, maxPointFrame } from '#client/meeting/nostr-event'
import { bodiesOf, MeetingRig, peerOf } from './meeting-rig'

const nameplate = '481516'
const id = (number: number): string => number.toString(16).padStart(32, '0')

/** Someone who knows the number, and with it the door of the day, but no word. */
async function strangerAt(rig: MeetingRig) {
  const signer = await EventSigner.create()
  const door = rig.doorOf(nameplate, dayOf(rig.clock.now()))
  const send = (topic: string, content: string): void => {
    const seconds = Math.floor(rig.clock.now() / 1000)
    for (const url of rig.urls) rig.points.at(url).publish(signer.sign(topic, content, seconds))
  }
  return {
    door,
    send,
    say: (message: MeetingMessage, at: Door = door) => send(at.topic, sealMessage(at, message)),
  }
}

const knock = (run: number, more: Partial<Say> = {}): Say => ({
  ...{ t: 'say', run: id(run), n: 0, ack: 0, bodies: ['body'] },
  ...more,
})

async function sharing(rig: MeetingRig) {
  const host = rig.host(nameplate)
  await rig.pass(2500)
  expect(host.got[0]?.t).toBe('hosted')
  return host
}

test('a stranger who claims every number keeps no share away', async () => {
  const rig = new MeetingRig(1)
  const { say } = await strangerAt(rig)
  const host = rig.host(nameplate)
  const point = rig.points.at('wss://point0')
  let answered = 0
  for (let step = 0; step < 1500 && host.got.length === 0; step += 1) {
    for (const { content } of point.taken.slice(answered)) {
      // The claim is sealed for the door, so a stranger who knows the number can answer it.
      const claim = rig.openAt(nameplate, content)
      if (claim?.t === 'taken?') say({ t: 'taken', by: claim.by })
    }
    answered = point.taken.length
    await rig.pass(10)
  }
  expect(host.errors).toHaveLength(3)
  expect(host.got[0]?.t).toBe('hosted')
})

test('a share answers floods of claims once a second', async () => {
  const rig = new MeetingRig(1)
  await sharing(rig)
  const { say } = await strangerAt(rig)
  const before = rig.points.events
  for (let claim = 0; claim < 150; claim += 1) {
    say({ t: 'taken?', by: id(claim) })
    await rig.pass(20)
  }
  expect(rig.points.events - before).toBeLessThanOrEqual(4)
})

test('a joiner hears only the first host that answers', async () => {
  const rig = new MeetingRig(1)
  const host = await sharing(rig)
  const joiner = rig.join(nameplate)
  await rig.pass(500)
  const run = peerOf(host.got)
  const { door, say } = await strangerAt(rig)
  const reply = replyDoorOf(door, run)
  say({ t: 'say', by: id(9), n: 0, ack: 0, bodies: ['false'] }, reply)
  say({ t: 'say', by: id(9), ack: 0, bodies: [], bye: true }, reply)
  host.client.send({ t: 'relay', to: run, body: 'right' })
  await rig.pass(500)
  expect(bodiesOf(joiner.got)).toEqual(['right'])
  expect(joiner.errors).toEqual([])
})

test('a run ends for good: its messages and repeated events begin nothing', async () => {
  const rig = new MeetingRig(1)
  const host = await sharing(rig)
  const { say } = await strangerAt(rig)
  say(knock(1))
  await rig.pass(500)
  say(knock(1, { n: 1, bye: true, bodies: [] }))
  await rig.pass(500)
  for (let repeat = 0; repeat < 20; repeat += 1) say(knock(1))
  await rig.pass(2000)
  expect(host.got.map(({ t }) => t)).toEqual(['hosted', 'peer', 'gone'])
})

test('events of yesterday mean nothing today', async () => {
  const rig = new MeetingRig(1)
  const host = await sharing(rig)
  const yesterday = await strangerAt(rig)
  await rig.pass(24 * 3600_000, 60_000)
  yesterday.say(knock(1))
  // The topic of today does not open a box of yesterday.
  const today = rig.doorOf(nameplate, dayOf(rig.clock.now()))
  yesterday.send(today.topic, sealMessage(yesterday.door, knock(2)))
  await rig.pass(500)
  expect(host.got.map(({ t }) => t)).toEqual(['hosted'])
})

test('a joiner can make a host keep no more than 32 messages that arrive ahead', async () => {
  const rig = new MeetingRig(1)
  const host = await sharing(rig)
  const { say } = await strangerAt(rig)
  say(knock(1))
  await rig.pass(100)
  for (let n = 2; n < 100; n += 1) say(knock(1, { n, bodies: [`b${n}`] }))
  say(knock(1, { n: maxMessages, bodies: ['last'] }))
  await rig.pass(500)
  say(knock(1, { n: 1, bodies: ['b1'] }))
  await rig.pass(500)
  // Only the 32 positions from the missing one on were kept.
  expect(bodiesOf(host.got)).toEqual(['body', ...Array.from({ length: 32 }, (_, n) => `b${n + 1}`)])
})

test('a conversation that begins before midnight goes on after it', async () => {
  const rig = new MeetingRig(1)
  const midnight = Date.parse(dayOf(rig.clock.now())) + 24 * 3600_000
  rig.clock.advance(midnight - rig.clock.now() - 60_000)
  const host = await sharing(rig)
  const joiner = rig.join(nameplate)
  await rig.pass(1000)
  for (let turn = 0; turn < 30; turn += 1) {
    await rig.pass(60_000, 200)
    host.client.send({ t: 'relay', to: peerOf(host.got), body: `h${turn}` })
    joiner.client.send({ t: 'relay', to: peerOf(joiner.got), body: `j${turn}` })
  }
  await rig.pass(1000)
  expect(bodiesOf(joiner.got)).toHaveLength(30)
  expect(bodiesOf(host.got)).toHaveLength(31)
  expect([...host.errors, ...joiner.errors]).toEqual([])
})

test('one wrong clock of three has no effect', async () => {
  const rig = new MeetingRig(3)
  rig.points.at('wss://point1').faults.aheadMs = -40 * 24 * 3600_000
  await sharing(rig)
  const joiner = rig.join(nameplate)
  await rig.pass(1000)
  expect(joiner.got[0]?.t).toBe('joined')
})

test('no frame of a point makes a client fail or believe anything', async () => {
  const rig = new MeetingRig(1)
  const host = await sharing(rig)
  const joiner = rig.join(nameplate)
  await rig.pass(500)
  const { door } = await strangerAt(rig)
  const point = rig.points.at('wss://point0')
  const before = [host.got.length, joiner.got.length]
  const event = { pubkey: 'a'.repeat(64), kind: 28_472, tags: [['x', door.topic]] }
  const contents = fc.oneof(
    fc.string(),
    fc.base64String({ maxLength: 2000 }),
    fc.json().map((text) => sealFor(door, text)),
    fc.constant('A'.repeat(maxPointFrame)),
  )
  const frames = fc.oneof(
    fc.json().map((text) => JSON.parse(text) as unknown),
    contents.map((content) => ['EVENT', 'meet', { ...event, content }]),
    contents.map((content) => ['EVENT', 'meet', { ...event, content, tags: [[content]] }]),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(frames, { maxLength: 20 }), async (all) => {
      for (const subscriber of point.subscribers) {
        for (const frame of all) point.tell(subscriber, frame as readonly unknown[])
      }
      await rig.pass(1000, 100)
      expect([host.got.length, joiner.got.length]).toEqual(before)
    }),
    { numRuns: 60, seed: 1 },
  )
  expect([...host.errors, ...joiner.errors]).toEqual([])
})

test('a pairing ends in time although its only point loses one event in ten', async () => {
  // A linear congruential generator, so that each run loses the same events.
  let seed = 1
  const isLost = (): boolean => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % 1000 < 100
  }
  let inTime = 0
  for (let meeting = 0; meeting < 20; meeting += 1) {
    const rig = new MeetingRig(1)
    const host = await sharing(rig)
    rig.points.at('wss://point0').faults.deliver = () => (isLost() ? [] : [40])
    const joiner = rig.join(nameplate, 'j0')
    const until = async (isDone: () => boolean, limitMs: number): Promise<boolean> => {
      for (let leftMs = limitMs; leftMs > 0 && !isDone(); leftMs -= 10) await rig.pass(10)
      return isDone()
    }
    const count = (side: typeof host | typeof joiner) => bodiesOf(side.got).length
    await until(() => count(host) === 1, 8000)
    host.client.send({ t: 'relay', to: peerOf(host.got), body: 'h0' })
    await until(() => count(joiner) === 1, 8000)
    joiner.client.send({ t: 'relay', to: peerOf(joiner.got), body: 'j1' })
    const isProven = await until(() => count(host) === 2, 6000)
    host.client.send({ t: 'relay', to: peerOf(host.got), body: 'h1' })
    if (isProven && (await until(() => count(joiner) === 2, 6000))) inTime += 1
    await Promise.all([host.client.close(), joiner.client.close()])
  }
  expect(inTime).toBeGreaterThanOrEqual(19)
})

test('a share opens although its only point loses its first event', async () => {
  const rig = new MeetingRig(1)
  let lost = 0
  rig.points.at('wss://point0').faults.deliver = () => {
    lost += 1
    return lost === 1 ? [] : [20]
  }
  const host = rig.host(nameplate)
  await rig.pass(5000)
  expect([host.got[0]?.t, host.errors]).toEqual(['hosted', []])
})
