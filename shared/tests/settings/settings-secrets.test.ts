import { describe, expect, it } from 'vitest'
import { parseProxySetting } from '#shared/settings/proxy-url'
import { defaultSettings, type ServerProfile, type Settings } from '#shared/settings/settings'
import { withoutPasswords, withOwnPasswords } from '#shared/settings/settings-secrets'

const team: ServerProfile = {
  ...{ name: 'Team', url: 'wss://team.example', fallbacks: ['wss://other.example'] },
  ...{ stun: ['stun:team.example'], password: 'secret-of-server' },
  turn: [
    'turn:mina:secret-of-turn@relay.example?transport=tcp',
    ' turns:mina:se:cr@et-of-turns@relay.example:443',
  ],
}
const plain: ServerProfile = {
  ...{ name: 'Plain', url: 'wss://plain.example', fallbacks: [], stun: [], turn: [] },
}
const network: Settings['network'] = {
  ...defaultSettings.network,
  ...{ servers: [team, plain], proxy: 'http://dana:secret-of-proxy@proxy.example:3128' },
}
const shown = withoutPasswords({ ...defaultSettings, network }).network

/** The settings after the window's patch. */
const saved = (patch: Partial<Settings['network']>, builtIn: readonly ServerProfile[] = []) =>
  withOwnPasswords({ network: patch }, network, builtIn).network

describe('settings that are shown', () => {
  it('contain no password, only a mark for it', () => {
    expect(JSON.stringify(shown)).not.toMatch(/secret|cr@et/)
    expect(shown.servers).toEqual([
      {
        ...{ ...team, password: '…' },
        turn: ['turn:mina:…@relay.example?transport=tcp', ' turns:mina:…@relay.example:443'],
      },
      plain,
    ])
    expect(shown.proxy).toBe('http://dana:…@proxy.example:3128')
  })

  it('hide the password of a proxy in any valid form', () => {
    for (const proxy of [' http://dana:secret@a.example', 'SOCKS5://dana:secret@a.example:1']) {
      expect(parseProxySetting(proxy)).toMatchObject({ password: 'secret' })
      const shownProxy = withoutPasswords({ ...defaultSettings, network: { ...network, proxy } })
      expect(shownProxy.network.proxy).not.toContain('secret')
    }
  })

  it('regain their passwords when they are saved', () => {
    expect(saved({ servers: shown.servers, proxy: shown.proxy })).toEqual({
      servers: network.servers,
      proxy: network.proxy,
    })
    expect(saved({ proxy: 'http://dana:%E2%80%A6@proxy.example:3128' })).toEqual({
      proxy: network.proxy,
    })
  })

  it('accept a typed password, and drop a cleared one', () => {
    const [first = plain] = shown.servers
    const { password: _, ...cleared } = first
    expect(saved({ servers: [{ ...first, password: 'new' }] })?.servers).toEqual([
      { ...team, password: 'new' },
    ])
    expect(saved({ servers: [cleared] })?.servers).toMatchObject([{ turn: team.turn }])
    expect(saved({ servers: [cleared] })?.servers?.[0]).not.toHaveProperty('password')
    expect(saved({ proxy: 'http://proxy.example:3128' })?.proxy).toBe('http://proxy.example:3128')
  })

  it('leave the rest of a patch unchanged', () => {
    const patch = { general: { name: null }, network: { uploadLimit: 5 } }
    expect(withOwnPasswords(patch, network, [])).toEqual(patch)
    expect(withOwnPasswords({ general: { name: 'x' } }, network, [])).toEqual({
      general: { name: 'x' },
    })
    expect(saved({ proxy: null as never })).toEqual({ proxy: null })
  })
})

describe('a password is used only for its own address', () => {
  const [first = plain] = shown.servers

  it.each(['wss://evil.example', 'ws://team.example', 'wss://team.example:444'])(
    'not to %s',
    (url) => {
      const moved = saved({ servers: [{ ...first, url }] })?.servers
      expect(moved).toEqual([{ ...first, url, turn: [], password: undefined }])
      expect(moved?.[0]).not.toHaveProperty('password')
    },
  )

  it('not for another TURN server', () => {
    const turn = ['turn:mina:…@evil.example', 'turn:mina:…@relay.example?transport=udp']
    expect(saved({ servers: [{ ...first, turn }] })?.servers).toMatchObject([{ turn: [] }])
  })

  it.each([
    'http://dana:…@evil.example:3128',
    'http://dana:…@proxy.example:3129',
    'socks5://dana:…@proxy.example:3128',
    'http://mina:…@proxy.example:3128',
  ])('not to %s', (proxy) => {
    expect(saved({ proxy })?.proxy).toBe(proxy.replace('…', ''))
  })

  it('from a built-in server to the same one in the settings', () => {
    const other = { ...team, url: 'wss://built-in.example', name: 'Built in' }
    const [own = plain] = withoutPasswords({
      ...{ ...defaultSettings, network: { ...network, servers: [other] } },
    }).network.servers
    expect(saved({ servers: [own] }, [other])?.servers).toEqual([other])
  })
})
