import { expect, test } from 'vitest'
import { checkMeeting } from '#client/network-check/meeting'
import { direct } from '#client/proxy/proxy-choice'
import { FakePoints, type PointFaults } from '#client/testing/fake-points'
import { ManualClock } from '#client/testing/manual-clock'

/** The finding for points with these faults. */
async function check(...faults: readonly Partial<PointFaults>[]) {
  const clock = new ManualClock()
  const points = new FakePoints(clock)
  const relays = faults.map((fault, index) => {
    const url = `wss://point${index}`
    Object.assign(points.at(url).faults, fault)
    return url
  })
  const finding = checkMeeting(relays, { proxyFor: direct, clock, open: points.open })
  const progress = { isDone: false }
  void finding.then(() => (progress.isDone = true))
  while (!progress.isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(10)
  }
  return { ...(await finding), events: points.events }
}

test('points that return an event work, and no more than four are asked', async () => {
  expect(await check({}, {}, {}, {}, {}, {})).toMatchObject({
    verdict: 'ready',
    facts: { ready: 4, wanted: 4 },
    events: 4,
  })
  expect(await check({}, { kind: 'refuses' }, { kind: 'swallows' })).toMatchObject({
    verdict: 'ready',
    facts: { ready: 1, wanted: 3 },
  })
})

test('points that refuse, or are silent, are told apart', async () => {
  expect(await check({ rejects: 'pow: 28 bits' })).toMatchObject({
    verdict: 'refused',
    facts: { server: 'point0', detail: 'pow: 28 bits' },
  })
  expect(await check({ kind: 'refuses' }, { kind: 'refuses' })).toMatchObject({
    verdict: 'unreachable',
  })
  expect(await check({ kind: 'silent' })).toMatchObject({ verdict: 'unreachable' })
})
