import { expect, it } from 'vitest'
import { parseServerUrl, serverName, shortServerUrl } from '#shared/signaling/server-url'

it.each([
  ['ws://198.18.3.1:8080', 'ws://198.18.3.1:8080/v1'],
  ['wss://share.example.org/', 'wss://share.example.org/v1'],
  ['https://example.org/thru/', 'wss://example.org/thru/v1'],
  ['http://[::1]:8080/v1', 'ws://[::1]:8080/v1'],
])('takes %s as %s', (text, url) => {
  expect(parseServerUrl(text)).toEqual({ ok: true, value: url })
})

it.each([
  'example.org',
  'localhost:8080',
  'ftp://example.org',
  'ws://',
  'ws://user:word@example.org',
  'ws://example.org/?a=b',
  'ws://example.org/#fragment',
])('refuses %s', (text) => {
  expect(parseServerUrl(text)).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGUMENT' } })
})

it.each([
  ['wss://meet.example.org/v1', 'wss://meet.example.org', 'meet.example.org'],
  ['ws://192.168.1.4:8080/thru/v1', 'ws://192.168.1.4:8080/thru', '192.168.1.4:8080'],
  ['wss://[2001:db8::1]/v1', 'wss://[2001:db8::1]', '[2001:db8::1]'],
])('%s is written shorter in links, and people read its host', (url, short, name) => {
  expect(shortServerUrl(url)).toBe(short)
  expect(parseServerUrl(short)).toEqual({ ok: true, value: url })
  expect(serverName(url)).toBe(name)
})
