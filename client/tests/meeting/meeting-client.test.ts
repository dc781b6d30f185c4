import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf } from '#client/meeting/meeting-door'
import { type Say, sealMessage } from '#client/meeting/messages'
import { EventSigner } from '#client/meeting/nostr-event'
import { bodiesOf, MeetingRig, peerOf } from './meeting-rig'

const nameplate = '481516'

/** Both sides of a pairing say four things, each in answer to the other. */
async function converse(rig: MeetingRig, { passMs = 1000, onHosted = () => {} } = {}) {
  const host = rig.host(nameplate)
  while (host.got.length === 0) await rig.pass(500)
  onHosted()
  const joiner = rig.join(nameplate, 'j0')
  for (let turn = 0; turn < 4; turn += 1) {
    await rig.pass(passMs)
    host.client.send({ t: 'relay', to: peerOf(host.got), body: `h${turn}` })
    await rig.pass(passMs)
    joiner.client.send({ t: 'relay', to: peerOf(joiner.got), body: `j${turn + 1}` })
  }
  await rig.pass(passMs)
  return { host, joiner }
}

const said = (side: string, count: number) => Array.from({ length: count }, (_, n) => `${side}${n}`)

test('two sides meet and exchange bodies in order', async () => {
  const rig = new MeetingRig()
  const { host, joiner } = await converse(rig)
  expect(host.got[0]).toMatchObject({ t: 'hosted', nameplate })
  expect(joiner.got[0]?.t).toBe('joined')
  expect(bodiesOf(host.got)).toEqual(said('j', 5))
  expect(bodiesOf(joiner.got)).toEqual(said('h', 4))
  expect([...host.errors, ...joiner.errors]).toEqual([])
})

test('bodies of one moment share an event', async () => {
  const rig = new MeetingRig(1)
  const host = rig.host(nameplate)
  await rig.pass(2500)
  const joiner = rig.join(nameplate)
  await rig.pass(2000)
  const before = rig.points.events
  for (let body = 0; body < 12; body += 1) {
    host.client.send({ t: 'relay', to: peerOf(host.got), body: `h${body}` })
  }
  await rig.pass(500)
  expect(bodiesOf(joiner.got)).toEqual(said('h', 12))
  expect(rig.points.events - before).toBe(1)
})

test.each(['refuses', 'silent', 'swallows'] as const)(
  'two of three points are dead: %s',
  async (kind) => {
    const rig = new MeetingRig()
    rig.points.at('wss://point0').faults.kind = kind
    rig.points.at('wss://point2').faults.kind = kind
    const { host, joiner } = await converse(rig)
    expect(bodiesOf(host.got)).toEqual(said('j', 5))
    expect(bodiesOf(joiner.got)).toEqual(said('h', 4))
  },
)

test('a point that rejects events is replaced by the next one of the list', async () => {
  const rig = new MeetingRig(6)
  for (const url of rig.urls.slice(0, 4)) rig.points.at(url).faults.rejects = 'pow: 28 bits needed'
  const { host, joiner } = await converse(rig)
  expect(bodiesOf(host.got)).toEqual(said('j', 5))
  expect(bodiesOf(joiner.got)).toEqual(said('h', 4))
})

test('loss, repetition and disorder change nothing but the time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 0, max: 9 })), async (fate) => {
      const rig = new MeetingRig(2)
      // A third is lost at each point, and a third arrives twice and late.
      const deliver = (): readonly number[] => {
        const value = Number(fate.next().value)
        return value < 3 ? [] : value < 6 ? [300 * value, 20] : [10 * value]
      }
      const onHosted = (): void => {
        for (const url of rig.urls) rig.points.at(url).faults.deliver = deliver
      }
      const { host, joiner } = await converse(rig, { passMs: 3000, onHosted })
      await rig.pass(15_000, 100)
      expect(bodiesOf(host.got)).toEqual(said('j', bodiesOf(host.got).length))
      expect(bodiesOf(joiner.got)).toEqual(said('h', bodiesOf(joiner.got).length))
      expect(bodiesOf(host.got)).toHaveLength(5)
      expect([...host.errors, ...joiner.errors]).toEqual([])
    }),
    { numRuns: 3, seed: 1 },
  )
})

test('of two shares with one number, the later one gives it up', async () => {
  const rig = new MeetingRig()
  const first = rig.host(nameplate)
  await rig.pass(2500)
  const second = rig.host(nameplate)
  await rig.pass(400)
  expect(second.errors[0]).toMatchObject({ code: 'E_NO_SUCH_CODE' })
  second.wish = '234567'
  await rig.pass(4000)
  expect(first.errors).toEqual([])
  expect(second.got).toMatchObject([{ t: 'hosted', nameplate: '234567' }])
})

test('of two shares that claim one number at the same time, one gets it', async () => {
  const rig = new MeetingRig()
  const shares = [rig.host(nameplate), rig.host(nameplate)]
  await rig.pass(500)
  expect(shares.map(({ errors }) => errors.length).sort()).toEqual([0, 1])
})

test('a share that people have the code of gives its number up for nobody', async () => {
  const rig = new MeetingRig()
  rig.host(nameplate)
  await rig.pass(2500)
  const restored = rig.host(nameplate, { isRestored: true })
  await rig.pass(2500)
  expect(restored.errors).toEqual([])
  expect(restored.got[0]?.t).toBe('hosted')
})

test('a share is found across midnight, and by a computer whose clock is wrong', async () => {
  const rig = new MeetingRig()
  const day = dayOf(rig.clock.now())
  const midnight = Date.parse(day) + 24 * 3600_000
  rig.clock.advance(midnight - rig.clock.now() - 20 * 60_000)
  const host = rig.host(nameplate)
  await rig.pass(2500)
  await rig.pass(40 * 60_000, 30_000)
  expect(dayOf(rig.clock.now())).not.toBe(day)
  const joiner = rig.join(nameplate)
  await rig.pass(1000)
  expect(joiner.got[0]?.t).toBe('joined')
  expect(host.errors).toEqual([])
  await Promise.all([host.client.close(), joiner.client.close()])
  // All points are three days ahead of these two computers.
  for (const url of rig.urls) rig.points.at(url).faults.aheadMs = 3 * 24 * 3600_000
  const other = rig.host('987654')
  await rig.pass(4000)
  const late = rig.join('987654')
  await rig.pass(2000)
  expect(other.got[0]?.t).toBe('hosted')
  expect(late.got[0]?.t).toBe('joined')
})

test('points that name an impossible time have no effect', async () => {
  const rig = new MeetingRig(3)
  // The latest time that a date can hold.
  for (const url of rig.urls.slice(1)) {
    rig.points.at(url).faults.aheadMs = 8.64e15 - rig.clock.now()
  }
  const host = rig.host(nameplate)
  await rig.pass(2500)
  expect(host.got[0]?.t).toBe('hosted')
})

test('an idle share sends nothing for an hour', async () => {
  const rig = new MeetingRig()
  rig.host(nameplate)
  await rig.pass(2500)
  const before = rig.points.events
  await rig.pass(3600_000, 10_000)
  expect(rig.points.events).toBe(before)
  expect(rig.points.opened).toHaveLength(3)
})

test('without an answer a join ends, and all points lost are one error', async () => {
  const rig = new MeetingRig()
  const alone = rig.join(nameplate)
  await rig.pass(9000, 50)
  expect(alone.errors).toMatchObject([{ code: 'E_NO_SUCH_CODE' }])
  await alone.client.close()
  for (const url of rig.urls) rig.points.at(url).faults.kind = 'refuses'
  const cut = rig.join(nameplate)
  await rig.pass(500)
  expect(cut.errors).toMatchObject([{ code: 'E_SERVER_UNREACHABLE' }])
})

test('after all points are back, a share is there again', async () => {
  const rig = new MeetingRig()
  const host = rig.host(nameplate)
  await rig.pass(2500)
  for (const url of rig.urls) rig.points.at(url).faults.kind = 'refuses'
  host.client.onWake()
  await rig.pass(500)
  expect(host.errors).toMatchObject([{ code: 'E_SERVER_UNREACHABLE' }])
  for (const url of rig.urls) rig.points.at(url).faults.kind = 'none'
  await rig.pass(60_000, 100)
  expect(host.got.filter(({ t }) => t === 'hosted')).toHaveLength(2)
  const joiner = rig.join(nameplate)
  await rig.pass(1000)
  expect(joiner.got[0]?.t).toBe('joined')
})

test('twenty knocks at once and foreign events leave a share usable', async () => {
  const rig = new MeetingRig(1)
  const host = rig.host(nameplate)
  await rig.pass(2500)
  const door = rig.doorOf(nameplate, dayOf(rig.clock.now()))
  const stranger = await EventSigner.create()
  const point = rig.points.at('wss://point0')
  const knock = (run: number, content?: string): void => {
    const message = {
      t: 'say',
      run: String(run).padStart(32, '0'),
      n: 0,
      ack: 0,
      bodies: [],
    } satisfies Say
    const seconds = Math.floor(rig.clock.now() / 1000)
    point.publish(stranger.sign(door.topic, content ?? sealMessage(door, message), seconds))
  }
  for (let run = 0; run < 20; run += 1) knock(run)
  for (let run = 0; run < 20; run += 1) knock(run, 'A'.repeat(800))
  await rig.pass(100)
  expect(host.got.filter(({ t }) => t === 'peer')).toHaveLength(5)
  await rig.pass(1500)
  const joiner = rig.join(nameplate)
  await rig.pass(1000)
  expect(joiner.got[0]?.t).toBe('joined')
})

test('a knock that a point repeats begins nothing', async () => {
  const rig = new MeetingRig(1)
  const host = rig.host(nameplate)
  await rig.pass(2500)
  const joiner = rig.join(nameplate)
  await rig.pass(1000)
  const point = rig.points.at('wss://point0')
  const knocks = point.taken.slice(1, 2)
  await joiner.client.close()
  await rig.pass(1000)
  for (const event of knocks) point.publish(event)
  await rig.pass(1000)
  expect(host.got.map(({ t }) => t)).toEqual(['hosted', 'peer', 'gone'])
})

test('after ten wrong guesses a share leaves the points', async () => {
  const rig = new MeetingRig()
  const host = rig.host(nameplate)
  await rig.pass(2500)
  for (let guess = 0; guess < 10; guess += 1) host.client.noteWrongGuess('stranger')
  expect(host.errors).toMatchObject([{ code: 'E_CODE_LOCKED' }])
  await rig.pass(120_000, 1000)
  expect(rig.urls.map((url) => rig.points.at(url).subscribers.size)).toEqual([0, 0, 0])
  expect(host.errors).toHaveLength(1)
})

test('a point that sends more than any honest one is left alone', async () => {
  const rig = new MeetingRig(1)
  const host = rig.host(nameplate)
  await rig.pass(2500)
  const point = rig.points.at('wss://point0')
  for (const subscriber of point.subscribers) {
    for (let frame = 0; frame < 300; frame += 1) point.tell(subscriber, ['NOTICE', 'spam'])
  }
  await rig.pass(50)
  expect(host.errors).toMatchObject([{ code: 'E_RATE_LIMITED' }])
})
