import { expect, it } from 'vitest'
import { systemClock } from '#client/clock'
import type { ProxyFor } from '#client/proxy/proxy-choice'
import type { Lookup, TurnServer } from '#client/signaling/ice-servers'
import { throughProxies } from '#client/signaling/relay-proxies'
import { appError } from '#shared/errors'
import { err, ok } from '#shared/result'
import { parseProxyUrl } from '#shared/settings/proxy-url'

const relay = (more: Partial<TurnServer> = {}): TurnServer => ({
  ...{ host: 'relay.example', port: 3478, user: 'u', password: 'p', transport: 'tcp', ...more },
})

const lookUp: Lookup = (host) =>
  host === 'proxy.example'
    ? Promise.resolve([{ address: '192.0.2.8', family: 4 }])
    : Promise.reject(new Error('offline'))

const asking = (proxyFor: ProxyFor) => (relays: readonly TurnServer[]) =>
  throughProxies(relays, { proxyFor, lookUp, clock: systemClock })

const always = (url: string) => asking(() => Promise.resolve(ok(parseProxyUrl(url))))

it('a relay over TCP gets the proxy for its place, and one over UDP none', async () => {
  const asked: string[] = []
  const through = asking((url) => {
    asked.push(url)
    return Promise.resolve(ok(parseProxyUrl('socks5://dana:w%3Ard@proxy.example')))
  })
  const six = relay({ host: '2001:db8::1', port: 443 })
  const udp = relay({ transport: 'udp' })
  const proxy = {
    ...{ kind: 'socks5', host: '192.0.2.8', port: 1080, user: 'dana', password: 'w:rd' },
  }
  expect(await through([relay(), udp, six])).toEqual([
    { ...relay(), proxy },
    udp,
    { ...six, proxy },
  ])
  expect(asked).toEqual(['wss://relay.example:3478', 'wss://[2001:db8::1]:443'])
})

it('a relay that is reached directly has no proxy', async () => {
  expect(await asking(() => Promise.resolve(ok(null)))([relay()])).toEqual([relay()])
})

it('a relay with an unusable proxy is dropped, and never reached around it', async () => {
  expect(await always('https://proxy.example')([relay()])).toEqual([])
  expect(await always('http://nowhere.example')([relay()])).toEqual([])
  const wrong = asking(() => Promise.resolve(err(appError('E_BAD_ARGUMENT', 'nonsense'))))
  expect(await wrong([relay(), relay({ transport: 'udp' })])).toEqual([relay({ transport: 'udp' })])
})
