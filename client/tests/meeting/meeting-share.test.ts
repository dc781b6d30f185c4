import { expect, test } from 'vitest'
import { SettingsInMemory } from '#client/settings/settings-store'
import { LocalServer } from '#client/signaling/local-server'
import { waitForState } from '#client/wait-for-state'
import { defaultSettings } from '#shared/settings/settings'
import { fail } from '../engine-events'
import { fakeNetwork } from '../near-rig'
import { rigWithServer } from '../rig'
import { items, shareOf } from '../transfers'
import { MeetingStations } from './meeting-stations'

const rig = rigWithServer()

/** A share on the local network whose public meeting points are down. */
async function share() {
  const { network } = fakeNetwork(rig.url)
  const settings = new SettingsInMemory({
    ...defaultSettings,
    network: { ...defaultSettings.network, meeting: 'automatic' },
  })
  const meetingList = { relays: ['ws://127.0.0.1:9'], stun: [] }
  const options = { serverUrl: null, visibleOnNetwork: true, localNetwork: network }
  const sender = rig.station({ ...options, settings, meetingList })
  sender.client.openShare({ items })
  const { session } = await sender.engine.nth('open-share')
  sender.clock.advance(1000)
  const code = await waitForState(sender.client, ({ shares: [one] }) =>
    one?.meeting === 'away' ? one.code : null,
  )
  return { sender, session, code }
}

test('a code exists within a second although no meeting point answers, with six digits', async () => {
  const { sender, code } = await share()
  expect(code).toMatch(/^\d{6}-/)
  expect(shareOf(sender)?.server).toBeNull()
})

test('ten wrong guesses at public meeting points end the share there, and those nearby do not count', async () => {
  const { sender, session, code } = await share()
  for (let guess = 0; guess < 9; guess += 1) {
    fail(sender, { session, peer: `${guess}` }, 'E_CODE_MISMATCH')
    fail(sender, { session, peer: `near-${guess}` }, 'E_CODE_MISMATCH')
  }
  expect(shareOf(sender)?.meeting).toBe('away')
  fail(sender, { session, peer: 'last' }, 'E_CODE_MISMATCH')
  expect(shareOf(sender)).toMatchObject({ meeting: 'left', code })
})

test('a running share moves to public meeting points once a person agrees', async () => {
  const at = new MeetingStations()
  const settings = new SettingsInMemory(defaultSettings)
  const localPort = Number(new URL(rig.url).port)
  const sender = rig.station({ ...at.options, settings, localPort })
  sender.client.openShare({ items })
  const shareAt = () => shareOf(sender)
  const code = await waitForState(sender.client, ({ shares }) => shares[0]?.code)
  expect(code).toMatch(/^\d{6}-/)
  expect([shareAt()?.meeting, at.points.opened]).toEqual([undefined, []])
  await sender.client.changeSettings({ network: { meeting: 'automatic' } })
  await at.until(() => (shareAt()?.meeting === 'there' ? true : null))
  expect(shareAt()?.code).toBe(code)
  const receiver = rig.station(at.options)
  receiver.client.join(code)
  await at.until(() => sender.engine.all('add-peer')[0])
})

test('a share at a chosen place stays away from public meeting points', async () => {
  const at = new MeetingStations()
  const localPort = Number(new URL(rig.url).port)
  const sender = rig.station({ ...at.options, localPort })
  sender.client.openShare({ items }, new LocalServer(localPort))
  await waitForState(sender.client, ({ shares }) => shares[0]?.code)
  await sender.client.changeSettings({ network: { meeting: 'always' } })
  await at.pass(5000)
  expect(at.points.opened).toEqual([])
})
