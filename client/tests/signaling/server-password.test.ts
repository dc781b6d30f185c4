import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SettingsInMemory } from '#client/settings/settings-store'
import { RefusedPasswords } from '#client/signaling/refused-passwords'
import { serverChecker } from '#client/signaling/server-check'
import { fixedServer } from '#client/signaling/server-locator'
import { useServer } from '#client/signaling/used-server'
import { ManualClock } from '#client/testing/manual-clock'
import { waitForState } from '#client/wait-for-state'
import { defaultSettings, type ServerProfile } from '#shared/settings/settings'
import { startSignalingServer } from '#signaling/server'
import { connect, listen } from '../bare-server'
import { Rig } from '../rig'

const password = 'only:for-the-team'

/** A server that requires the password. */
async function privateServer(): Promise<string> {
  const started = await startSignalingServer({
    ...{ host: '127.0.0.1', port: 0, serverPasswords: [password] },
  })
  if (!started.ok) throw new Error(started.error.detail)
  onTestFinished(() => started.value.close())
  return started.value.url
}

const knowing = (said: string | undefined) => ({
  proxyFor: () => Promise.resolve({ ok: true, value: null } as const),
  passwordFor: () => said,
})

describe('a server that requires a password', () => {
  it('admits a client with the password', async () => {
    const url = await privateServer()
    const hello = ({ clientKey }: { readonly clientKey: string }) =>
      ({ t: 'host', v: 1, key: clientKey }) as const
    const { messages } = connect(fixedServer(url, knowing(password)), { hello })
    expect(await messages.next()).toMatchObject({ t: 'hosted' })
  })

  it.each([
    [undefined, 'no password is set'],
    ['another-password', 'the password is wrong'],
  ])('refuses %s, without revealing it in the error', async (said, detail) => {
    const url = await privateServer()
    const { downs } = connect(fixedServer(url, knowing(said)))
    const { host: subject } = new URL(url)
    expect(await downs.next()).toEqual({ code: 'E_SERVER_PASSWORD', detail, subject })
  })

  it.each([
    [password, 'ready'],
    ['another-password', 'password'],
    [undefined, 'password'],
  ])('is reported by a check with %s: %s', async (said, server) => {
    const url = await privateServer()
    const checked = await serverChecker()({ url, stun: [], password: said })
    expect(checked).toMatchObject({ ok: true, value: { server } })
  })
})

/** A server that refuses every password, and records the ones it receives. */
async function refusingServer() {
  const shown: (string | undefined)[] = []
  const http = createServer()
  http.on('upgrade', ({ headers }, socket) => {
    shown.push(headers.authorization)
    socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n')
  })
  return { shown, url: await listen(http) }
}

describe('a password that was refused', () => {
  it('is sent again after a quarter of an hour, and a changed one at the next attempt', async () => {
    const { shown, url } = await refusingServer()
    const clock = new ManualClock()
    let said = 'a-wrong-password'
    const access = { ...knowing(undefined), passwordFor: () => said }
    const refused = new RefusedPasswords(clock)
    const { downs } = connect(fixedServer(url, { ...access, refused }), {}, clock)
    const code = 'E_SERVER_PASSWORD'
    const again = async () => {
      clock.advance(clock.delays[0] ?? 0)
      expect(await downs.next()).toMatchObject({ code, subject: new URL(url).host })
    }
    expect(await downs.next()).toMatchObject({ code })
    for (let attempt = 0; attempt < 20; attempt += 1) await again()
    expect(shown).toHaveLength(1)
    said = 'another-wrong-password'
    await again()
    expect(shown).toHaveLength(2)
    const refusedMs = clock.now()
    while (clock.now() - refusedMs < 14 * 60_000) await again()
    expect(shown).toHaveLength(2)
    while (clock.now() - refusedMs < 15 * 60_000) await again()
    expect(shown).toHaveLength(3)
  })

  it('is sent once more when a person begins something, and a changed one immediately', async () => {
    const { shown, url } = await refusingServer()
    const rig = new Rig()
    onTestFinished(() => rig.end())
    await rig.startServer()
    const team = { name: 'team', url, fallbacks: [rig.url], stun: [], turn: [] }
    const network = { ...defaultSettings.network, defaultServer: 'team', proxy: 'none' }
    const settings = new SettingsInMemory({
      ...defaultSettings,
      network: { ...network, servers: [{ ...team, password: 'a-wrong-password' }] },
    })
    const { client, clock } = rig.station({ settings, serverUrl: null, patienceMs: 6000 })
    const share = async (count: number) => {
      client.openShare({ items: [{ kind: 'text', name: 'note', text: 'hello' }] })
      await waitForState(client, ({ shares }) =>
        shares.filter(({ phase }) => phase === 'open').length === count ? true : null,
      )
    }
    await share(1)
    expect(shown).toHaveLength(1)
    await clock.untilDelay(1000)
    clock.advance(1000)
    await clock.untilDelay(1500)
    expect(shown).toHaveLength(1)
    await share(2)
    expect(shown).toHaveLength(2)
    const next = 'another-wrong-password'
    await client.changeSettings({ network: { servers: [{ ...team, password: next }] } })
    clock.advance(0)
    await expect.poll(() => shown.length).toBeGreaterThan(2)
    const all = new Set(shown.map((text) => Buffer.from(text?.slice(6) ?? '', 'base64').toString()))
    expect([...all]).toEqual([':a-wrong-password', `:${next}`])
  })
})

describe('the password that is used', () => {
  const profile = (name: string, more: Partial<ServerProfile> = {}): ServerProfile => ({
    ...{ name, url: `wss://${name}.example`, fallbacks: [], stun: [], turn: [], ...more },
  })
  const servers = [profile('team', { password: 'of-the-settings' }), profile('open')]
  const settings = new SettingsInMemory({
    ...defaultSettings,
    network: { ...defaultSettings.network, servers, defaultServer: 'team', proxy: 'none' },
  })
  function passwordsFor(options: Partial<Parameters<typeof useServer>[0]>) {
    const used = useServer({ serverUrl: null, ...options }, settings)
    if (!used.ok) throw new Error(used.error.detail)
    const { passwordFor } = used.value.access
    const of = (name: string) => passwordFor(`wss://${name}.example/v1`)
    return { of, choice: used.value.choice(), located: used.value.server.locate() }
  }

  it('is the one in the settings, for its own server only', async () => {
    const { of, choice, located } = passwordsFor({})
    expect([of('team'), of('open'), of('other')]).toEqual([
      ...['of-the-settings', undefined, undefined],
    ])
    expect(choice.password).toBe('of-the-settings')
    expect(await located).toMatchObject({ value: { password: 'of-the-settings' } })
  })

  it('is the one of this start for its server, and goes to no other', () => {
    const ofTeam = passwordsFor({ serverPassword: 'of-this-start' })
    expect([ofTeam.of('team'), ofTeam.of('open'), ofTeam.of('other')]).toEqual([
      ...['of-this-start', undefined, undefined],
    ])
    const serverUrl = 'wss://other.example'
    const ofOther = passwordsFor({ serverUrl, serverPassword: 'of-this-start' })
    expect([ofOther.of('other'), ofOther.of('team')]).toEqual(['of-this-start', 'of-the-settings'])
    expect(ofOther.choice.password).toBe('of-this-start')
  })

  it('goes to no server that is selected after the start', async () => {
    const { network } = settings.settings
    const source = new SettingsInMemory({ ...defaultSettings, network })
    const used = useServer({ serverUrl: null, serverPassword: 'of-this-start' }, source)
    if (!used.ok) throw new Error(used.error.detail)
    await source.change({ network: { defaultServer: 'open' } })
    expect(used.value.serverUrl).toBe('wss://open.example/v1')
    expect(used.value.access.passwordFor('wss://open.example/v1')).toBeUndefined()
    expect(used.value.access.passwordFor('wss://team.example/v1')).toBe('of-this-start')
    expect(used.value.choice().password).toBeUndefined()
  })
})
