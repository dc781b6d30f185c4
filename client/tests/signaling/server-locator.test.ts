import { expect, it } from 'vitest'
import { fixedServer, isInsecure } from '#client/signaling/server-locator'

it.each([
  ['ws://example.org/v1', '203.0.113.9', true],
  ['ws://example.org/v1', '::ffff:203.0.113.9', true],
  ['ws://example.org/v1', '2001:db8::1', true],
  ['ws://example.org/v1', '', true],
  ['wss://example.org/v1', '203.0.113.9', false],
  // A name has the scope of its resolved address.
  ['ws://example.org/v1', '192.168.1.4', false],
  ['ws://example.org/v1', '::ffff:10.0.0.1', false],
  ['ws://example.org/v1', 'fe80::1%eth0', false],
  ['ws://127.0.0.1:41480/v1', '127.0.0.1', false],
  ['ws://localhost:8080/v1', '::1', false],
])('%s at %s is insecure: %s', (url, remote, insecure) => {
  expect(isInsecure(url, remote)).toBe(insecure)
})

it('reports an invalid address in the settings', async () => {
  expect(await fixedServer('nonsense').locate()).toMatchObject({
    ...{ ok: false, error: { code: 'E_BAD_ARGUMENT', subject: 'nonsense' } },
  })
})
