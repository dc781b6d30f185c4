import { describe, expect, it } from 'vitest'
import { chooseServer, usedServerUrl } from '#shared/settings/server-choice'
import { decodeSettings } from '#shared/settings/settings'

const home = {
  ...{ name: 'home', url: 'wss://home.example.org', fallbacks: ['wss://b.example.org'] },
  ...{ stun: ['stun:home.example.org'], turn: ['turn:u:p@home.example.org'] },
}
const work = { name: 'work', url: 'wss://work.example.org', fallbacks: [], stun: [], turn: [] }
const { network } = decodeSettings({
  network: { servers: [home, work], defaultServer: 'home' },
}).settings

describe('the server that is used', () => {
  it('is the default of the settings, with its STUN and TURN servers', () => {
    const { url, fallbacks, stun, turn } = home
    expect(chooseServer({}, network)).toEqual({ url, fallbacks, stun, turn, relayUse: 'automatic' })
  })

  it('is the embedded one if no profile has the name', () => {
    const none = { url: null, fallbacks: [], stun: [], turn: [], relayUse: 'automatic' }
    expect(chooseServer({}, { ...network, defaultServer: '' })).toEqual(none)
    expect(chooseServer({}, { ...network, defaultServer: 'gone' })).toEqual(none)
  })

  it("is the given one, without another server's TURN server", () => {
    const url = 'wss://third.example.org'
    expect(chooseServer({ url }, network)).toMatchObject({ url, fallbacks: [], stun: [], turn: [] })
    const known = { url: home.url, stun: ['stun:other.example.org'] }
    const { fallbacks, turn } = home
    expect(chooseServer(known, network)).toMatchObject({ ...known, fallbacks, turn })
    expect(chooseServer({ ...known, fallbacks: [] }, network)).toMatchObject({ fallbacks: [] })
  })

  it('relays by the settings, and always through a given TURN server', () => {
    expect(chooseServer({}, { ...network, relay: 'never' }).turn).toEqual([])
    const turn = ['turn:a:b@turn.example.org']
    const given = chooseServer({ turn }, { ...network, relay: 'never' })
    expect(given).toMatchObject({ turn, relayUse: 'automatic' })
    expect(chooseServer({}, { ...network, relay: 'only' }).relayUse).toBe('only')
  })

  it('relays by the arguments of this start, regardless of the settings', () => {
    const turn = ['turn:a:b@turn.example.org']
    const direct = chooseServer({ turn, relayUse: 'never' }, { ...network, relay: 'only' })
    expect(direct).toMatchObject({ turn: [], relayUse: 'never' })
    const hidden = chooseServer({ relayUse: 'only' }, { ...network, relay: 'never' })
    expect(hidden).toMatchObject({ turn: home.turn, relayUse: 'only' })
  })
})

it("the address in use is the given one, the settings' or the built-in one, in its written form", () => {
  const builtIn = [work]
  expect(usedServerUrl({ given: 'http://a:1', builtIn }, network)).toBe('ws://a:1/v1')
  expect(usedServerUrl({ given: null, builtIn }, network)).toBe('wss://home.example.org/v1')
  const unset = { ...network, defaultServer: '' }
  expect(usedServerUrl({ given: null, builtIn }, unset)).toBe('wss://work.example.org/v1')
  expect(usedServerUrl({ given: null, builtIn: [] }, unset)).toBeNull()
})
