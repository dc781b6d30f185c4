import { describe, expect, it } from 'vitest'
import { firstListed } from '#client/proxy/listed-proxy'
import { isExcepted } from '#client/proxy/no-proxy'
import { proxyChooser, type ProxySources } from '#client/proxy/proxy-choice'
import { isOnThisNetwork } from '#client/proxy/this-network'
import { SettingsInMemory } from '#client/settings/settings-store'
import { useServer } from '#client/signaling/used-server'
import { parseProxySetting, parseProxyUrl, proxyName } from '#shared/settings/proxy-url'
import { decodeSettings, type SettingsDocument } from '#shared/settings/settings'

const url = 'wss://meet.example.org/v1'

/** The proxy's address, `direct`, or the error. */
async function choice(
  setting: string,
  environment: ProxySources['environment'] = {},
  system = 'DIRECT',
  to = url,
): Promise<string> {
  const proxyFor = proxyChooser({
    ...{ setting: () => parseProxySetting(setting), environment },
    ...{ system: () => Promise.resolve(firstListed(system)), isNear: (host) => host === 'near' },
  })
  const found = await proxyFor(to)
  if (!found.ok) return `${found.error.code} ${found.error.detail}`
  return found.value === null ? 'direct' : proxyName(found.value)
}

describe('the proxy of a server', () => {
  const environment = { HTTPS_PROXY: 'http://of-environment:1', NO_PROXY: 'other.org' }
  const system = 'PROXY of-system:2'

  it('comes from the setting, else from the environment, else from the system', async () => {
    expect(await choice('http://set:3', environment, system)).toBe('http://set:3')
    expect(await choice('system', environment, system)).toBe('http://of-environment:1')
    expect(await choice('system', { HTTPS_PROXY: '' }, system)).toBe('http://of-system:2')
    expect(await choice('system')).toBe('direct')
  })

  it('is none if that is set', async () => {
    expect(await choice('none', environment, system)).toBe('direct')
  })

  it('comes from HTTPS_PROXY before ALL_PROXY, and from lower case before upper case', async () => {
    const all = { ALL_PROXY: 'socks5://all', HTTPS_PROXY: 'capitals:1', https_proxy: 'small:1' }
    expect(await choice('system', all)).toBe('http://small:1')
    expect(await choice('system', { ...all, https_proxy: '' })).toBe('http://capitals:1')
    expect(await choice('system', { all_proxy: 'socks5://all' })).toBe('socks5://all:1080')
    expect(await choice('system', all, system, 'ws://meet.example.org/v1')).toBe('http://small:1')
  })

  it('is absent for hosts in NO_PROXY, wherever the proxy was set', async () => {
    for (const no of [{ NO_PROXY: 'example.org' }, { no_proxy: 'meet.example.org:443' }]) {
      expect(await choice('http://set:3', no)).toBe('direct')
      expect(await choice('system', { ...environment, ...no })).toBe('direct')
      expect(await choice('system', no, system)).toBe('direct')
    }
    expect(await choice('http://set:3', { NO_PROXY: 'meet.example.org:80' })).toBe('http://set:3')
  })

  it('is none for this computer and its own network', async () => {
    const set = 'http://set:3'
    expect(await choice(set, {}, system, 'ws://near/v1')).toBe('direct')
    expect(await choice('', {}, system, 'ws://near/v1')).toBe('direct')
  })

  it('never falls back to a direct connection if it is invalid, and is not repeated', async () => {
    const said = 'Write it like http://host:port or socks5://host:port.'
    expect(await choice('http://dana:w@rd:x@')).toBe(
      `E_BAD_ARGUMENT The setting network.proxy isn't the address of a proxy. ${said}`,
    )
    expect(await choice('system', { https_proxy: 'ftp://dana:word@proxy' }, system)).toBe(
      `E_BAD_ARGUMENT The variable HTTPS_PROXY isn't the address of a proxy. ${said}`,
    )
  })

  it("is absent if the system can't report one", async () => {
    const proxyFor = proxyChooser({
      ...{ setting: () => 'system' as const, environment: {} },
      system: () => Promise.reject(new Error('broken')),
    })
    expect(await proxyFor(url)).toEqual({ ok: true, value: null })
  })
})

describe('a settings file', () => {
  const proxyOf = async (document: SettingsDocument, proxy?: string): Promise<unknown> => {
    const { settings, bad } = decodeSettings(document)
    const options = { serverUrl: 'wss://meet.example.org', ...(proxy !== undefined && { proxy }) }
    const used = useServer(options, new SettingsInMemory(settings))
    return used.ok ? [await used.value.server.locate(), bad.length] : used.error
  }

  it('with an invalid proxy leads nowhere until it is corrected', async () => {
    for (const proxy of ['http//proxy', false, '']) {
      expect(await proxyOf({ network: { proxy } })).toMatchObject([
        { ok: false, error: { code: 'E_BAD_ARGUMENT' } },
        1,
      ])
    }
  })

  it('yields to an option of this start, which is checked immediately', async () => {
    const document = { network: { proxy: 'http://set:3' } }
    expect(await proxyOf(document)).toMatchObject([{ value: { proxy: { host: 'set' } } }, 0])
    expect(await proxyOf(document, 'socks5://said')).toMatchObject([
      { value: { proxy: { scheme: 'socks5', host: 'said' } } },
      0,
    ])
    const refused = await proxyOf(document, 'ftp://dana:word@proxy')
    expect(refused).toMatchObject({ code: 'E_BAD_ARGUMENT' })
    expect(JSON.stringify(refused)).not.toMatch(/dana|word/)
  })
})

describe('NO_PROXY', () => {
  it.each([
    ['*', 'anything.example', 443, true],
    ['example.org', 'example.org', 443, true],
    ['example.org', 'meet.example.org', 443, true],
    ['example.org', 'example.org.evil.net', 443, false],
    ['example.org', 'badexample.org', 443, false],
    ['.example.org', 'meet.example.org', 443, true],
    ['*.example.org', 'meet.example.org', 443, true],
    ['Example.ORG', 'meet.example.org.', 443, true],
    ['example.org:8443', 'example.org', 443, false],
    ['example.org:443', 'example.org', 443, true],
    ['other.net, example.org', 'example.org', 443, true],
    ['other.net example.org', 'example.org', 443, true],
    ['10.0.0.0/8', '10.1.2.3', 443, true],
    ['10.0.0.0/8', '11.1.2.3', 443, false],
    ['10.0.0.0/99', '10.1.2.3', 443, false],
    ['10.1.2.3', '10.1.2.3', 443, true],
    ['10.1.2.3:80', '10.1.2.3', 443, false],
    ['2001:db8::/32', '2001:db8::1', 443, true],
    ['[2001:db8::1]:443', '2001:db8::1', 443, true],
    ['[2001:db8::1]', '2001:db8::2', 443, false],
    ['0.0.0.0/0', 'example.org', 443, false],
    ['', 'example.org', 443, false],
    [',. ,', 'example.org', 443, false],
  ])('%s: %s at %d, %s', (list, host, port, expected) => {
    expect(isExcepted(host, port, list)).toBe(expected)
  })
})

it.each([
  ['localhost', true],
  ['my.localhost', true],
  ['127.4.0.1', true],
  ['::1', true],
  ['printer.local', true],
  ['169.254.3.4', true],
  ['fe80::1', true],
  ['192.168.7.200', true],
  ['192.168.8.200', false],
  ['10.0.0.1', false],
  ['2001:db8:7::99', true],
  ['2001:db8:8::99', false],
  ['meet.example.org', false],
  ['server.lan', false],
])('%s on this network: %s', (host, expected) => {
  const address = { netmask: '', mac: '', internal: false }
  const interfaces = {
    eth0: [
      { ...address, family: 'IPv4', address: '192.168.7.2', cidr: '192.168.7.2/24' },
      {
        ...address,
        family: 'IPv6',
        address: '2001:db8:7::2',
        cidr: '2001:db8:7::2/64',
        scopeid: 0,
      },
    ],
    tun0: [{ ...address, family: 'IPv4', address: '10.9.0.1', cidr: '10.9.0.1/0' }],
    odd0: [{ ...address, family: 'IPv4', address: '10.9.0.1', cidr: null }],
  } as const
  expect(isOnThisNetwork(host, interfaces as never)).toBe(expected)
})

it.each([
  ['DIRECT', null],
  ['', null],
  ['PROXY proxy.example.org:8080', 'http://proxy.example.org:8080'],
  ['HTTPS proxy:8443; DIRECT', 'https://proxy:8443'],
  ['SOCKS4 old:1080; SOCKS5 new:1080', 'socks5://new:1080'],
  ['SOCKS4 old:1080; DIRECT; PROXY late:1', null],
  ['QUIC proxy:1; PROXY next:2', 'http://next:2'],
  ['PROXY [2001:db8::1]:3128', 'http://[2001:db8::1]:3128'],
  ['PROXY', null],
])('the system says %s', (list, expected) => {
  const proxy = firstListed(list)
  expect(proxy === null ? null : proxyName(proxy)).toBe(expected)
  expect(parseProxyUrl(expected ?? '') === null).toBe(proxy === null)
})
