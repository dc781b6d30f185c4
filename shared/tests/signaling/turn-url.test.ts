import { expect, it } from 'vitest'
import { formatTurnUrl, parseTurnUrl } from '#shared/signaling/turn-url'

it.each([
  ['turn:relay.example', 'relay.example', 3478, 'udp'],
  ['turn:relay.example:443?transport=tcp', 'relay.example', 443, 'tcp'],
  ['TURN:[2001:db8::1]:1?transport=UDP', '2001:db8::1', 1, 'udp'],
  ['turns:relay.example', 'relay.example', 5349, 'tls'],
  ['turns:[2001:db8::1]:443?transport=tcp', '2001:db8::1', 443, 'tls'],
  ['turn:192.0.2.1:65535', '192.0.2.1', 65_535, 'udp'],
])('reads %s', (text, host, port, transport) => {
  const url = parseTurnUrl(text)
  expect(url).toEqual({ host, port, transport })
  expect(url && parseTurnUrl(formatTurnUrl(url))).toEqual(url)
})

it.each([
  '',
  'relay.example',
  'turn:',
  'turn://relay.example',
  'turns:relay.example?transport=udp',
  'turn:relay.example:',
  'turn:relay.example:0',
  'turn:relay.example:65536',
  'turn:relay.example?transport=tls',
  'turn:relay.example?transport=tcp&transport=udp',
  'turn:user:password@relay.example',
  'turn:2001:db8::1',
  'turn:[relay.example]',
  'turn:relay.example\n',
  `turn:${'a'.repeat(252)}`,
])('refuses %j', (text) => {
  expect(parseTurnUrl(text)).toBeNull()
})
