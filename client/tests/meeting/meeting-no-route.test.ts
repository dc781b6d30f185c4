/** Two computers that met at public meeting points and find no route. */
import { afterEach, expect, test } from 'vitest'
import { pairingDone } from '#client/testing/fake-engine'
import { describeError } from '#shared/describe-error'
import { fail } from '../engine-events'
import { Rig } from '../rig'
import { items } from '../transfers'
import { MeetingStations } from './meeting-stations'

const rig = new Rig()
afterEach(() => rig.end())

async function withoutRoute(turn: readonly string[]) {
  const at = new MeetingStations()
  const options = { ...at.options, ice: { stun: [], turn } }
  const sender = rig.station(options)
  sender.client.openShare({ items })
  const stateOf = ({ client }: typeof sender) => client.snapshot().state
  const code = await at.until(() => stateOf(sender).shares[0]?.code)
  const receiver = rig.station({ ...at.options, ice: { stun: [], turn } })
  receiver.client.join(code)
  for (const attempt of [0, 1]) {
    const line = await at.until(() => receiver.engine.all('open-receive')[attempt])
    const guest = await at.until(() => sender.engine.all('add-peer')[attempt])
    await at.until(() => {
      const { phase, stall } = stateOf(receiver).receives[0] ?? {}
      return phase === 'connecting' && stall === 'none' ? true : null
    })
    for (const [station, { session, peer }] of [
      [receiver, line],
      [sender, guest],
    ] as const) {
      station.engine.emit(pairingDone(session, peer))
      fail(station, { session, peer }, 'E_NO_ROUTE', '3 host candidates')
    }
  }
  return {
    received: stateOf(receiver).receives[0]?.error,
    sent: stateOf(sender).shares[0]?.receivers[0]?.error,
  }
}

test('both sides learn what helps if they have no relay', async () => {
  const { received, sent } = await withoutRoute([])
  for (const error of [received, sent]) {
    if (!error) throw new Error('no error')
    const { what, remedy } = describeError(error)
    expect(error.code).toBe('E_NO_ROUTE')
    expect(what).toMatch(/found.*no direct connection.*carry no files/)
    for (const help of ['same network', 'IPv6', 'router', 'TURN server']) {
      expect(remedy).toContain(help)
    }
  }
})

test('with a relay that does not work either, the reason is another one', async () => {
  const { received, sent } = await withoutRoute(['turn:user:password@127.0.0.1:9'])
  expect([received?.detail, sent?.detail]).toEqual(['3 host candidates', '3 host candidates'])
})
