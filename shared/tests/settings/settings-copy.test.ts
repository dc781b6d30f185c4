import { describe, expect, it } from 'vitest'
import { defaultSettings, type ServerProfile, type Settings } from '#shared/settings/settings'
import { exportedSettings, importedSettings } from '#shared/settings/settings-copy'

const secret = 'turn:dana:s3cret@relay.example.org:3478'
const server: ServerProfile = {
  ...{ name: 'Work', url: 'wss://meet.example.org', fallbacks: ['wss://b.example.org'] },
  stun: ['stun:a:1'],
  turn: [secret, 'turn:relay.example.org'],
  password: 's3cret-of-the-team',
}
const set = (change: object): Settings => ({ ...defaultSettings, ...change })
const withServer = set({ network: { ...defaultSettings.network, servers: [server] } })

describe('an export', () => {
  it('contains only differences from the defaults', () => {
    expect(exportedSettings(defaultSettings)).toEqual({ document: {}, withheld: 0 })
    const receiving = { ...defaultSettings.receiving, conflicts: 'skip' as const }
    expect(exportedSettings(set({ receiving })).document).toEqual({
      receiving: { conflicts: 'skip' },
    })
  })

  it('contains no password, and counts the servers left out', () => {
    const { document, withheld } = exportedSettings(withServer)
    expect(JSON.stringify(document)).not.toContain('s3cret')
    expect(withheld).toBe(1)
    expect(document).toMatchObject({ network: { servers: [{ turn: ['turn:relay.example.org'] }] } })
  })
})

describe('an import', () => {
  it('of an export of the same settings changes nothing', () => {
    const receiving = { ...defaultSettings.receiving, verify: true }
    const settings = set({ receiving })
    const { document } = exportedSettings(settings)
    expect(importedSettings(settings, document)).toMatchObject({ patch: {}, changes: [] })
  })

  it("lists each change, and keeps settings that the file doesn't name", () => {
    const found = importedSettings(defaultSettings, {
      receiving: { conflicts: 'skip', verify: false },
    })
    expect(found.patch).toEqual({ receiving: { conflicts: 'skip' } })
    expect(found.changes).toEqual([
      { key: 'receiving.conflicts', from: '"update-unchanged"', to: '"skip"' },
    ])
  })

  it('refuses invalid values with the reason, and counts unknown settings', () => {
    const found = importedSettings(defaultSettings, {
      ...{ receiving: { verify: 'perhaps', conflicts: 'skip', magic: 1 }, general: 7 },
      ...{ later: { a: 1, b: 2 } },
    })
    expect(found.refused.map(({ key }) => key)).toEqual(['general', 'receiving.verify'])
    expect(found.changes.map(({ key }) => key)).toEqual(['receiving.conflicts'])
    expect(found.unknown).toBe(3)
  })

  it('shows no password, and keeps the one of a known server', () => {
    const { password, ...rest } = server
    const bare = { ...rest, stun: [], turn: [] }
    const found = importedSettings(withServer, { network: { servers: [bare] } })
    const kept = { ...bare, turn: server.turn, password }
    expect(found.patch).toEqual({ network: { servers: [kept] } })
    const other = importedSettings(defaultSettings, { network: { servers: [server] } })
    expect(other.patch).toEqual({ network: { servers: [server] } })
    expect(JSON.stringify([found.changes, other.changes])).not.toContain('s3cret')
  })
})

describe('the proxy in a copy of the settings', () => {
  const network = { ...defaultSettings.network, proxy: 'http://dana:s3cret@proxy:3128' }
  const settings = set({ network })

  it('is exported without user and password, and regains them on a computer that has them', () => {
    const { document } = exportedSettings(settings)
    expect(document).toEqual({ network: { proxy: 'http://proxy:3128' } })
    expect(importedSettings(settings, document)).toMatchObject({ patch: {}, changes: [] })
    expect(importedSettings(defaultSettings, document).patch).toEqual(document)
  })

  it('is shown without its password when another one replaces it', () => {
    const found = importedSettings(settings, { network: { proxy: 'socks5://dana:w0rd@other' } })
    expect(found.patch).toEqual({ network: { proxy: 'socks5://dana:w0rd@other' } })
    expect(found.changes).toEqual([
      {
        key: 'network.proxy',
        from: '"http://dana:…@proxy:3128"',
        to: '"socks5://dana:…@other"',
      },
    ])
  })
})
