import { describe, expect, it } from 'vitest'
import {
  parseProxySetting,
  parseProxyUrl,
  proxyName,
  proxyUrl,
  withoutProxyPassword,
} from '#shared/settings/proxy-url'

const nobody = { user: '', password: '' }

describe('the address of a proxy', () => {
  it.each([
    ['http://proxy.example.org:3128', { scheme: 'http', host: 'proxy.example.org', port: 3128 }],
    ['proxy.example.org:3128', { scheme: 'http', host: 'proxy.example.org', port: 3128 }],
    ['HTTP://Proxy/', { scheme: 'http', host: 'proxy', port: 80 }],
    ['https://proxy', { scheme: 'https', host: 'proxy', port: 443 }],
    ['socks5://proxy', { scheme: 'socks5', host: 'proxy', port: 1080 }],
    ['socks5h://proxy:80', { scheme: 'socks5', host: 'proxy', port: 80 }],
    ['socks://[2001:db8::1]', { scheme: 'socks5', host: '2001:db8::1', port: 1080 }],
    ['http://[::1]:8080', { scheme: 'http', host: '::1', port: 8080 }],
  ])('is read of %s', (text, expected) => {
    expect(parseProxyUrl(text)).toEqual({ ...expected, ...nobody })
  })

  it('has a user and a password, which survive percent-encoding', () => {
    const proxy = parseProxyUrl('socks5://da%40na:p%3Aa%20ss@proxy:1080')
    expect(proxy).toMatchObject({ host: 'proxy', user: 'da@na', password: 'p:a ss' })
    if (proxy !== null) expect(parseProxyUrl(proxyUrl(proxy))).toEqual(proxy)
  })

  it.each([
    '',
    'ftp://proxy',
    'socks4://proxy',
    'http://',
    'http://proxy:0',
    'http://proxy:70000',
    'http://proxy/path',
    'http://proxy?x',
    'http://a b',
    'http://:word@proxy',
    'http://da%3Ana:word@proxy',
    'http://dana:wo%0Ard@proxy',
    'http://dana:%ff@proxy',
    `socks5://dana:${'ä'.repeat(128)}@proxy`,
    `http://${'x'.repeat(1000)}`,
  ])('is none: %s', (text) => {
    expect(parseProxyUrl(text)).toBeNull()
  })

  it('is shown without user and password', () => {
    const proxy = parseProxyUrl('https://dana:word@[2001:db8::1]:8443')
    expect(proxy === null ? '' : proxyName(proxy)).toBe('https://[2001:db8::1]:8443')
    expect(withoutProxyPassword('http://dana:w@rd@proxy:3128')).toBe('http://dana:…@proxy:3128')
    expect(withoutProxyPassword('http://proxy:3128')).toBe('http://proxy:3128')
    expect(withoutProxyPassword('wss://meet.example.org:443')).toBe('wss://meet.example.org:443')
  })
})

it('the setting is a word or an address with a scheme', () => {
  expect(parseProxySetting('system')).toBe('system')
  expect(parseProxySetting('none')).toBe('none')
  expect(parseProxySetting('http://proxy')).toMatchObject({ host: 'proxy' })
  for (const text of ['', 'proxy', 'System', 'proxy:3128', 'dana:word@proxy']) {
    expect(parseProxySetting(text)).toBeNull()
  }
})
