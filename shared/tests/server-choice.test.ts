import { describe, expect, it } from 'vitest'
import { chooseServer, usedServerUrl } from '#shared/server-choice'
import { decodeSettings } from '#shared/settings'

const home = {
  ...{ name: 'home', url: 'wss://home.example.org' },
  ...{ stun: ['stun:home.example.org'], turn: ['turn:u:p@home.example.org'] },
}
const work = { name: 'work', url: 'wss://work.example.org', stun: [], turn: [] }
const { network } = decodeSettings({
  network: { servers: [home, work], defaultServer: 'home' },
}).settings

describe('the server that is used', () => {
  it('is the default one of the settings with what belongs to it', () => {
    const { url, stun, turn } = home
    expect(chooseServer({}, network)).toEqual({ url, stun, turn, relayOnly: false })
  })

  it('is that of this computer where no profile has the name', () => {
    const none = { url: null, stun: [], turn: [], relayOnly: false }
    expect(chooseServer({}, { ...network, defaultServer: '' })).toEqual(none)
    expect(chooseServer({}, { ...network, defaultServer: 'gone' })).toEqual(none)
  })

  it('is the given one, without the TURN server of another one', () => {
    const url = 'wss://third.example.org'
    expect(chooseServer({ url }, network)).toMatchObject({ url, stun: [], turn: [] })
    const known = { url: home.url, stun: ['stun:other.example.org'] }
    expect(chooseServer(known, network)).toMatchObject({ ...known, turn: home.turn })
  })

  it('relays as the settings say, and through a given TURN server always', () => {
    expect(chooseServer({}, { ...network, relay: 'never' }).turn).toEqual([])
    const turn = ['turn:a:b@turn.example.org']
    expect(chooseServer({ turn }, { ...network, relay: 'never' }).turn).toEqual(turn)
    expect(chooseServer({}, { ...network, relay: 'only' }).relayOnly).toBe(true)
  })
})

it('the address in use is that of the start, of the settings or of the copy, as one writes it', () => {
  const builtIn = [work]
  expect(usedServerUrl({ given: 'http://a:1', builtIn }, network)).toBe('ws://a:1/v1')
  expect(usedServerUrl({ given: null, builtIn }, network)).toBe('wss://home.example.org/v1')
  const unset = { ...network, defaultServer: '' }
  expect(usedServerUrl({ given: null, builtIn }, unset)).toBe('wss://work.example.org/v1')
  expect(usedServerUrl({ given: null, builtIn: [] }, unset)).toBeNull()
})
