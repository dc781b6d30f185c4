import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readBuiltInServers } from '#client/settings/built-in-servers'
import { SettingsInMemory } from '#client/settings/settings-store'
import type { Lookup } from '#client/signaling/ice-servers'
import { type UsedServer, useServer } from '#client/signaling/used-server'
import { ManualClock } from '#client/testing/manual-clock'
import { folderOfFile } from '#client/testing/temporary-folder'
import { defaultSettings, type ServerProfile, type Settings } from '#shared/settings/settings'

const folder = folderOfFile()

const profile = (name: string, more: Partial<ServerProfile> = {}): ServerProfile => ({
  ...{
    name,
    url: `wss://${name.toLowerCase()}.example`,
    fallbacks: [],
    stun: [],
    turn: [],
    ...more,
  },
})

const settings = (network: Partial<Settings['network']>) =>
  new SettingsInMemory({ ...defaultSettings, network: { ...defaultSettings.network, ...network } })

const builtInServers = [profile('Built')]

const lookUp: Lookup = (host) =>
  host.endsWith('.example')
    ? Promise.resolve([{ address: '192.0.2.1', family: 4 }])
    : Promise.reject(new Error('offline'))

function choose(
  options: Partial<Parameters<typeof useServer>[0]>,
  network: Partial<Settings['network']> = {},
) {
  const choice = useServer({ serverUrl: null, ...options }, settings(network), lookUp)
  if (!choice.ok) throw new Error(choice.error.detail)
  return choice.value
}

const iceServersOf = (choice: UsedServer) => choice.iceServers(choice.server)

it('options of this start override settings, which override the built-in list', () => {
  const set = { servers: [profile('Home'), profile('Work')], defaultServer: 'Work' }
  const said = choose({ serverUrl: 'ws://192.0.2.7:8080', builtInServers }, set)
  expect(said.serverUrl).toBe('ws://192.0.2.7:8080/v1')
  expect(choose({ builtInServers }, set).serverUrl).toBe('wss://work.example/v1')
  expect(choose({ builtInServers }, { ...set, defaultServer: '' }).serverUrl).toBe(
    'wss://built.example/v1',
  )
  expect(choose({ builtInServers }, { ...set, defaultServer: 'Gone' }).serverUrl).toBe(
    'wss://built.example/v1',
  )
  const none = choose({}, { ...set, defaultServer: '' })
  expect(none.serverUrl).toBeNull()
  expect(none.server).toBe(none.embedded)
})

it('an invalid server in the settings is reported by each attempt, and not at the start', async () => {
  const servers = [profile('Odd', { url: 'ws://[', stun: ['nonsense'] })]
  const choice = choose({}, { servers, defaultServer: 'Odd' })
  expect(await choice.server.locate()).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
  expect(await iceServersOf(choice)).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
})

it('the server of this start has at most three fallbacks', () => {
  const fallbackUrls = ['ws://192.0.2.1', 'ws://192.0.2.2', 'ws://192.0.2.3']
  expect(choose({ serverUrl: 'ws://192.0.2.7', fallbackUrls }).fallbacks).toHaveLength(3)
  const more = { serverUrl: null, fallbackUrls: [...fallbackUrls, 'ws://192.0.2.4'] }
  expect(useServer(more, settings({}), lookUp)).toMatchObject({ error: { code: 'E_BAD_ARGUMENT' } })
})

const relayed = profile('Home', {
  stun: ['stun:a.example', 'stun:nowhere.invalid'],
  turn: ['turn:u:p@b.example'],
})
const home = { servers: [relayed], defaultServer: 'Home' }
const turn = { host: '192.0.2.1', port: 3478, user: 'u', password: 'p', transport: 'udp' }

it('the servers of a profile are used, except those whose names have no address now', async () => {
  expect(await iceServersOf(choose({}, home))).toEqual({
    ok: true,
    value: { stun: [{ host: '192.0.2.1', port: 3478 }], turn: [turn], relayUse: 'automatic' },
  })
})

it('STUN servers of this start replace those of the profile, but not its TURN servers', async () => {
  const ice = { stun: ['stun:192.0.2.9'], turn: [] }
  expect(await iceServersOf(choose({ ice }, home))).toMatchObject({
    value: { stun: [{ host: '192.0.2.9' }], turn: [turn] },
  })
})

it('relays are used only, never or when needed, as the settings say now', async () => {
  const source = settings({ ...home, relay: 'only' })
  const choice = useServer({ serverUrl: null }, source, lookUp)
  if (!choice.ok) throw new Error(choice.error.detail)
  const { offeredRelays } = choice.value
  const urls = ['turn:192.0.2.3:3478?transport=udp']
  const offer = { peer: 'p', urls, username: 'u', credential: 'c', ttlS: 60 }
  const offered = await offeredRelays({ t: 'turn', ...offer })
  expect(await iceServersOf(choice.value)).toMatchObject({
    value: { stun: [], turn: [turn], relayUse: 'only' },
  })
  expect(offered).toMatchObject([{ host: '192.0.2.3', user: 'u', password: 'c' }])
  await source.change({ network: { relay: 'never' } })
  expect(await iceServersOf(choice.value)).toMatchObject({
    value: { turn: [], relayUse: 'never' },
  })
  expect(await offeredRelays({ t: 'turn', ...offer })).toEqual([])
  const server = { url: 'wss://meet.example/v1', address: '192.0.2.4' }
  expect(await offeredRelays({ t: 'server-relay', peer: 'p', ticket: 't', server })).toEqual([])
})

it('relays over TCP use the proxy of the settings, including those that the server names', async () => {
  const tcp = profile('Home', { turn: ['turn:u:p@b.example?transport=tcp', 'turn:u:p@b.example'] })
  const at = { servers: [tcp], defaultServer: 'Home' }
  const choice = choose({}, { ...at, proxy: 'http://dana:word@p.example:1' })
  const proxy = { kind: 'http', host: '192.0.2.1', port: 1, user: 'dana', password: 'word' }
  expect(await iceServersOf(choice)).toMatchObject({
    value: { turn: [{ ...turn, transport: 'tcp', proxy }, turn] },
  })
  const urls = ['turn:198.51.100.3:443?transport=tcp']
  const offer = { peer: 'p', urls, username: 'u', credential: 'c', ttlS: 60 }
  expect(await choice.offeredRelays({ t: 'turn', ...offer })).toMatchObject([
    { host: '198.51.100.3', proxy },
  ])
})

it('a relay that the proxy cannot reach is dropped, even if only relays may be used', async () => {
  const tcp = profile('Home', { turn: ['turn:u:p@b.example?transport=tcp'] })
  const at = { servers: [tcp], defaultServer: 'Home', proxy: 'https://p.example' } as const
  for (const relay of ['automatic', 'only'] as const) {
    expect(await iceServersOf(choose({}, { ...at, relay }))).toMatchObject({ value: { turn: [] } })
  }
})

it('if only relays may be used, the server may name some later, but the embedded one never', async () => {
  const at = { servers: [profile('Home')], defaultServer: 'Home', relay: 'only' } as const
  const choice = choose({}, at)
  expect(await iceServersOf(choice)).toMatchObject({ value: { turn: [], relayUse: 'only' } })
  expect(await choice.iceServers(choice.embedded)).toMatchObject({ error: { code: 'E_NO_RELAY' } })
  const alone = choose({}, { ...at, defaultServer: '' })
  expect(await iceServersOf(alone)).toMatchObject({ error: { code: 'E_NO_RELAY' } })
  const own = choose({ ice: { stun: [], turn: ['turn:u:p@192.0.2.1'] } }, at)
  expect(await own.iceServers(own.embedded)).toMatchObject({ value: { turn: [turn] } })
})

it('the list of servers in the repository is valid, and an invalid one counts as empty', () => {
  const path = join(folder, 'servers.json')
  const read = (text: string) => {
    writeFileSync(path, text)
    return readBuiltInServers(path)
  }
  expect(read('{"servers":[{"name":"A","url":"wss://a.example"}]}')).toEqual([profile('A')])
  const one = '{"name":"A","url":"wss://a.example"}'
  for (const hostile of [
    ...['', '[]', 'null', '{"servers":7}', '{"servers":[],"more":1}', '{"__proto__":{}}'],
    '{"servers":[{"name":"A","url":"file:///etc/passwd"}]}',
    '{"servers":[{"name":"A","url":"wss://user@a.example"}]}',
    '{"servers":[{"name":"A\\n","url":"wss://a.example"}]}',
    `{"servers":[${Array.from({ length: 17 }, () => one).join()}]}`,
    `{"servers":[]}${' '.repeat(300_000)}`,
    '['.repeat(100_000),
  ]) {
    expect(read(hostile)).toEqual([])
  }
  expect(readBuiltInServers(folder)).toEqual([])
  expect(readBuiltInServers(join(folder, 'missing'))).toEqual([])
  expect(readBuiltInServers(join(__dirname, '../../../resources/servers.json'))).toEqual([])
})

it("the copy's own STUN servers belong to public meeting points, unless other ones are set or addresses are hidden", async () => {
  const meetingList = { relays: ['wss://point.example'], stun: ['stun:own.example'] }
  const stunOf = async (
    options: Parameters<typeof choose>[0],
    network: Partial<Settings['network']>,
  ) => {
    const servers = await iceServersOf(choose({ meetingList, ...options }, network))
    return servers.ok ? servers.value.stun.length : servers.error.code
  }
  expect(await stunOf({}, { meeting: 'automatic' })).toBe(1)
  expect(await stunOf({}, {})).toBe(0)
  expect(await stunOf({}, { meeting: 'always', relay: 'only' })).toBe('E_NO_RELAY')
  expect(await stunOf({ serverUrl: 'wss://other.example' }, { meeting: 'automatic' })).toBe(0)
})

it("a network that does not know the names of the copy's own STUN servers ends no session", async () => {
  const meetingList = { relays: ['wss://point.example'], stun: ['stun:own.invalid'] }
  const ice = { stun: [], turn: ['turn:u:p@192.0.2.1'] }
  const known = choose({ meetingList, ice }, { meeting: 'automatic' })
  expect(await iceServersOf(known)).toMatchObject({ ok: true, value: { stun: [], turn: [{}] } })
  const clock = new ManualClock()
  const network = settings({ meeting: 'automatic' })
  const silent = useServer(
    { serverUrl: null, meetingList, clock },
    network,
    () => new Promise(() => {}),
  )
  if (!silent.ok) throw new Error(silent.error.detail)
  const asked = iceServersOf(silent.value)
  await clock.untilDelay(1000)
  clock.advance(1000)
  expect(await asked).toMatchObject({ ok: true, value: { stun: [], turn: [] } })
})
