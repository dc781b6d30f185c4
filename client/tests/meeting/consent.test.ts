/** Nothing reaches a public meeting point before a person agreed. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { meetingUrl } from '#client/meeting/meeting-client'
import { builtInMeetingList } from '#client/meeting/meeting-list'
import { SettingsInMemory } from '#client/settings/settings-store'
import { useServer } from '#client/signaling/used-server'
import { defaultSettings, type Settings, settingsFields } from '#shared/settings/settings'
import { Rig } from '../rig'
import { items } from '../transfers'

const rig = new Rig()
/** A relay for those who have consented, and one for those who have not. */
const [agreed, refused] = [createServer(), createServer()]
let intrusions = 0
refused.on('connection', () => (intrusions += 1))

beforeEach(async () => {
  intrusions = 0
  for (const relay of [agreed, refused]) {
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
  }
})
afterEach(async () => {
  await rig.end()
  for (const relay of [agreed, refused]) relay.close()
})

const settingsWith = (network: Partial<Settings['network']>): SettingsInMemory =>
  new SettingsInMemory({ ...defaultSettings, network: { ...defaultSettings.network, ...network } })

/** A client without a server shares, and joins another code. */
function useWith(network: Partial<Settings['network']>, relay: Server): void {
  const { client } = rig.station({
    serverUrl: null,
    localPort: 0,
    settings: settingsWith(network),
    meetingList: {
      relays: [`ws://127.0.0.1:${(relay.address() as AddressInfo).port}`],
      stun: [],
    },
  })
  client.openShare({ items })
  client.preparation.begin('481516')
  client.join('481516-apple-kayak-onion')
}

test.each([
  ['ask', {}],
  ['never', { meeting: 'never' }],
  ['only relays', { meeting: 'always', relay: 'only' }],
] as const)('a share and a join open no socket before consent: %s', async (_, network) => {
  useWith(network, refused)
  // A client that begins later, with consent, opens one.
  const reached = once(agreed, 'connection')
  useWith({ meeting: 'automatic' }, agreed)
  await reached
  expect(intrusions).toBe(0)
})

const placesWith = (serverUrl: string | null, network: Partial<Settings['network']>) => {
  const meetingList = { relays: ['wss://point'], stun: [] }
  const used = useServer({ serverUrl, meetingList }, settingsWith(network))
  if (!used.ok) throw new Error(used.error.detail)
  const { server, fallbacks } = used.value
  return [server, ...fallbacks].map(({ url }) => url === meetingUrl)
}

test('the configured server goes first, and meeting points follow only if they are always used', () => {
  const server = 'ws://127.0.0.1:1'
  expect(placesWith(server, { meeting: 'automatic' })).toEqual([false])
  expect(placesWith(server, { meeting: 'always' })).toEqual([false, true])
  expect(placesWith(null, { meeting: 'automatic' })).toEqual([true])
  expect(placesWith(null, {})).toEqual([false])
})

test('the list of this copy is valid', () => {
  const { relays: listed, stun } = builtInMeetingList
  expect(settingsFields.network.meetingRelays.schema.safeParse(listed).success).toBe(true)
  expect(new Set(listed).size).toBe(listed.length)
  expect(listed.length).toBeGreaterThanOrEqual(12)
  for (const line of stun) expect(line).toMatch(/^stun:[a-z.]+:\d+$/)
})
