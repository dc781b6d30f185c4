import { expect, it } from 'vitest'
import { pairingDone } from '#client/testing/fake-engine'
import { waitForState } from '#client/wait-for-state'
import { stallLabel } from '#shared/labels'
import { fail, type Line, met } from '../../engine-events'
import { rigWithServer, type Station } from '../../rig'
import { openShare, receiveOf } from '../../transfers'

const rig = rigWithServer()

/** A receive with two sides that have proved themselves. */
async function paired() {
  const { sender, code } = await openShare(rig.station())
  const receiver = rig.station()
  receiver.client.join(code)
  const { session, peer } = await receiver.engine.nth('open-receive')
  await waitForState(receiver.client, ({ receives }) => receives[0]?.phase === 'connecting' || null)
  receiver.engine.emit(pairingDone(session, peer))
  return { sender, receiver, line: { session, peer } }
}

async function secondLine({ clock, engine, client }: Station): Promise<Line> {
  clock.advance(3000)
  const opened = await engine.nth('open-receive', 2)
  await waitForState(client, ({ receives }) => (receives[0]?.stall === 'none' ? true : null))
  return opened
}

it('a missing route is retried once automatically, and reported', async () => {
  const { receiver, line } = await paired()
  fail(receiver, line, 'E_NO_ROUTE')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'connecting', stall: 'no-route' })
  expect(stallLabel('no-route')).toBe('no connection yet, trying again')
  expect(receiver.engine.all('open-receive')).toHaveLength(1)
  const { session, peer } = await secondLine(receiver)
  expect(session).not.toBe(line.session)
  receiver.engine.emit(...met({ session, peer }))
  expect(receiveOf(receiver)).toMatchObject({ phase: 'listing', from: 'Mina' })
})

it('a route that is missing twice ends the receive', async () => {
  const { receiver, line } = await paired()
  fail(receiver, line, 'E_NO_ROUTE')
  const next = await secondLine(receiver)
  receiver.engine.emit(pairingDone(next.session, next.peer))
  fail(receiver, next, 'E_NO_ROUTE')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code: 'E_NO_ROUTE' } })
  receiver.clock.advance(600_000)
  expect(receiver.engine.all('open-receive')).toHaveLength(2)
})

it('a missing direct route is retried once if relays are not allowed', async () => {
  const { receiver, line } = await paired()
  fail(receiver, line, 'E_NOT_DIRECT')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'connecting', stall: 'no-route' })
  fail(receiver, await secondLine(receiver), 'E_PEER_GONE')
  expect(receiveOf(receiver)?.error).toMatchObject({ code: 'E_NOT_DIRECT' })
})

it('a missing relay ends the receive immediately', async () => {
  const { receiver, line } = await paired()
  fail(receiver, line, 'E_NO_RELAY')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code: 'E_NO_RELAY' } })
})

it.each(['E_TOO_MANY_RECEIVERS', 'E_NO_SUCH_CODE', 'E_PEER_GONE'] as const)(
  'the first verdict is reported when the second attempt meets %s',
  async (code) => {
    const { receiver, line } = await paired()
    fail(receiver, line, 'E_NO_ROUTE', 'the first')
    fail(receiver, await secondLine(receiver), code)
    expect(receiveOf(receiver)?.error).toMatchObject({ code: 'E_NO_ROUTE', detail: 'the first' })
  },
)

it('a sender that has not proved itself is not retried', async () => {
  const { code } = await openShare(rig.station())
  const receiver = rig.station()
  receiver.client.join(code)
  const line = await receiver.engine.nth('open-receive')
  fail(receiver, line, 'E_NO_ROUTE')
  expect(receiveOf(receiver)).toMatchObject({ phase: 'failed', error: { code: 'E_NO_ROUTE' } })
})

it('a receive that is canceled in the pause does not retry', async () => {
  const { receiver, line } = await paired()
  fail(receiver, line, 'E_NO_ROUTE')
  const receive = receiveOf(receiver)
  if (receive !== undefined) receiver.client.receives.get(receive.id)?.cancel()
  receiver.clock.advance(600_000)
  expect(receiver.engine.all('open-receive')).toHaveLength(1)
})
