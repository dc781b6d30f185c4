import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SettingsFile } from '#client/settings/settings-file'
import { SettingsInMemory, SettingsStore } from '#client/settings/settings-store'
import { waitForState } from '#client/wait-for-state'
import { decodeSettings, decodeSettingsPatch, defaultSettings } from '#shared/settings/settings'
import { fakeNetwork } from './near-rig'
import { folderWithFile, Rig } from './rig'
import { items } from './transfers'

const folder = folderWithFile()

const rig = new Rig()

it('a client starts with its settings, and follows them', async () => {
  const network = { ...defaultSettings.network, uploadLimit: 1000 }
  const settings = new SettingsInMemory({ ...defaultSettings, network })
  const { client, engine } = rig.station({ settings })
  expect(client.snapshot().state).toMatchObject({
    ...{ settings: { network }, speedLimits: { upload: 1000, download: 0 } },
  })
  await client.changeSettings({ network: { downloadLimit: 500 }, general: { name: 'Studio' } })
  expect(client.snapshot().state).toMatchObject({
    settings: { general: { name: 'Studio' } },
    speedLimits: { upload: 1000, download: 500 },
  })
  expect(engine.commands.filter(({ type }) => type === 'set-limits')).toEqual([
    { type: 'set-limits', upload: 1000, download: 0 },
    { type: 'set-limits', upload: 1000, download: 500 },
  ])
  await rig.end()
})

it('the local network is unused while only relays are allowed, because it reveals addresses', async () => {
  const { network, announced } = fakeNetwork('ws://127.0.0.1:9')
  const { client } = rig.station({ visibleOnNetwork: true, localNetwork: network })
  expect(network.isVisible).toBe(true)
  await client.changeSettings({ network: { relay: 'only' } })
  expect(network.isVisible).toBe(false)
  expect([...announced]).toEqual([])
  await client.changeSettings({ network: { relay: 'automatic' } })
  expect(network.isVisible).toBe(true)
  await rig.end()

  const settings = new SettingsInMemory({
    ...defaultSettings,
    network: { ...defaultSettings.network, relay: 'only' },
  })
  const later = rig.station({ settings, visibleOnNetwork: true })
  expect(later.client.snapshot().state.localNetwork).toEqual({ phase: 'off' })
  await rig.end()

  const told = rig.station({ relayUse: 'only', visibleOnNetwork: true })
  expect(told.client.snapshot().state.localNetwork).toEqual({ phase: 'off' })
  await rig.end()
})

it('an unusable settings file forbids sharing and receiving until it is usable', async () => {
  const path = join(folderWithFile(), 'config.toml')
  writeFileSync(path, '[network]\nrelay = "only"\n[general\n')
  const settings = new SettingsStore(new SettingsFile(path))
  const { client } = rig.station({ settings })
  const offer = { items: [{ kind: 'path', path: folder } as const] }
  const refused = { ok: false, error: { code: 'E_BAD_ARGUMENT', subject: path } }
  expect(client.openShare(offer)).toMatchObject(refused)
  expect(client.join('4821-apple-river-stone')).toMatchObject(refused)
  writeFileSync(path, '[network]\nrelay = "only"\n')
  settings.reload()
  expect(client.openShare(offer)).toMatchObject({ ok: true })
  await rig.end()
})

it('sizes of connections go to the engine when they are set or become automatic again', async () => {
  const { client, engine } = rig.station()
  const posted = () => engine.commands.filter(({ type }) => type === 'set-transport')
  expect(posted()).toEqual([])
  await client.changeSettings({ advanced: { socketBuffers: 2 ** 20 } })
  await client.changeSettings({ general: { name: 'Studio' } })
  await client.changeSettings({ advanced: { socketBuffers: null } })
  const automatic = { type: 'set-transport', connectionWindow: 0 }
  expect(posted()).toEqual([
    { ...automatic, socketBuffers: 2 ** 20 },
    { ...automatic, socketBuffers: 0 },
  ])
  expect(decodeSettingsPatch({ advanced: { connectionWindow: 1000 } })).toMatchObject({
    ...{ ok: false, error: { subject: 'advanced.connectionWindow' } },
  })
  await rig.end()
})

it('leaving room for others goes to the engine when it is turned on or off', async () => {
  const { client, engine } = rig.station()
  await client.changeSettings({ network: { background: true } })
  await client.changeSettings({ general: { name: 'Studio' } })
  await client.changeSettings({ network: { background: null } })
  expect(engine.commands.filter(({ type }) => type === 'set-background')).toEqual([
    { type: 'set-background', enabled: true },
    { type: 'set-background', enabled: false },
  ])
  await rig.end()
})

it('the folder for qlogs goes to the engine when it is set or unset', async () => {
  const { client, engine } = rig.station()
  await client.changeSettings({ advanced: { qlogFolder: '/logs' } })
  await client.changeSettings({ advanced: { socketBuffers: 2 ** 20 } })
  await client.changeSettings({ advanced: { qlogFolder: null } })
  expect(engine.commands.filter(({ type }) => type === 'set-qlog')).toEqual([
    { type: 'set-qlog', directory: '/logs' },
    { type: 'set-qlog', directory: '' },
  ])
  expect(decodeSettings({ advanced: { qlogFolder: 'logs' } }).bad).toMatchObject([
    { key: 'advanced.qlogFolder' },
  ])
  await rig.end()
})

it('a limit for this run only is not a setting', async () => {
  const { client } = rig.station()
  client.setLimits({ upload: 7, download: 0 })
  await client.changeSettings({ general: { name: 'Studio' } })
  expect(client.snapshot().state).toMatchObject({
    ...{ settings: { network: { uploadLimit: 0 } }, speedLimits: { upload: 7 } },
  })
  await rig.end()
})

it('another server applies to the next share, and not to running ones', async () => {
  const other = new Rig()
  await Promise.all([rig.startServer(), other.startServer()])
  const { client } = rig.station({ serverUrl: null })
  const use = (url: string) =>
    client.changeSettings({
      network: {
        servers: [{ name: 'A', url, fallbacks: [], stun: [], turn: [] }],
        defaultServer: 'A',
      },
    })
  const share = () => client.openShare({ items })
  const servers = (count: number) =>
    waitForState(client, ({ shares }) =>
      shares.length === count && shares.every(({ code }) => code !== null)
        ? shares.map(({ server }) => server)
        : null,
    )
  await use(rig.url)
  share()
  expect(await servers(1)).toEqual([`${rig.url}/v1`])
  const code = client.snapshot().state.shares[0]?.code
  await use(other.url)
  share()
  expect(await servers(2)).toEqual([`${other.url}/v1`, `${rig.url}/v1`])
  expect(client.snapshot().state.shares[1]).toMatchObject({ phase: 'open', code })
  await Promise.all([rig.end(), other.end()])
})

it('passwords are in the settings that a client uses, but not in its state or its events', async () => {
  const server = {
    ...{ name: 'Team', url: 'wss://team.example', fallbacks: [], stun: [] },
    ...{ turn: ['turn:mina:of-relay@relay.example'], password: 'of-server' },
  }
  const network = { servers: [server], proxy: 'http://mina:of-proxy@proxy.example:3128' }
  const settings = new SettingsInMemory(decodeSettings({ network }).settings)
  const { client } = rig.station({ settings, builtInServers: [{ ...server, name: 'Built in' }] })
  const events: unknown[] = []
  client.subscribe((batch) => events.push(...batch))
  const seen = () => JSON.stringify([client.snapshot(), events])
  expect(seen()).toContain('Team')
  const { state } = client.snapshot()
  // The window returns the settings it was shown, with one change.
  const [shown = server] = state.settings.network.servers
  const servers = [{ ...shown, stun: ['stun:stun.example'] }]
  await client.changeSettings({ network: { servers, proxy: state.settings.network.proxy } })
  expect(settings.settings.network).toMatchObject({
    servers: [{ ...server, stun: ['stun:stun.example'] }],
    proxy: network.proxy,
  })
  // A compromised window tries to send the passwords elsewhere.
  const stolen = [{ ...shown, url: 'wss://evil.example' }]
  const proxy = 'http://mina:…@evil.example:3128'
  await client.changeSettings({ network: { servers: stolen, proxy } })
  expect(JSON.stringify(settings.settings.network)).not.toMatch(/of-(?:server|relay|proxy)/)
  expect(events).toMatchObject([
    { event: { type: 'settings-changed' } },
    { event: { type: 'settings-changed' } },
  ])
  expect(seen()).not.toMatch(/of-(?:server|relay|proxy)/)
  await rig.end()
})
