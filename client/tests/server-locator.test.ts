import { expect, it } from 'vitest'
import { parseServerUrl } from '#client/server-locator'

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
